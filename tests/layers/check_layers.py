"""Compares every #include of every layer with the edges that its target declares.

usage: check_layers.py ROOT LAYERS_JSON

An include of another layer's header needs that layer among the target's links, or reachable from them through public
links. A header-only upward include would compile and link, so the build alone does not see it. Further rules:
  - a library with a name of its own here (LLVM, spdlog, ...) needs its edge; LLVM's may be had by two layers alone;
  - each header of include/weft belongs to one layer, and includes the standard library and <weft/...> alone;
  - examples include <weft/...> and their own headers, as an application does.
"""

import fnmatch
import json
import pathlib
import re
import sys

# First part of an include -> the edge that it needs.
LIBRARIES = {
    "llvm": "weft_llvm",
    "llvm-c": "weft_llvm",
    "fmt": "fmt::fmt",
    "spdlog": "spdlog::spdlog",
    "embree3": "embree",
    "CLI": "CLI11::CLI11",
    "nlohmann": "nlohmann_json::nlohmann_json",
}
# The only headers with a suffix that a public header may include: what a C header needs.
STANDARD_C = {"stddef.h", "stdint.h"}
MAY_SEE_LLVM = {"weft_lower", "weft_jit"}
SUFFIXES = {".h", ".cpp", ".def"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def includes_of(path):
    """Yields (line number, True if in angle brackets, included name)."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[1] == "<", match[2]


class Tree:
    def __init__(self, root, rows):
        self.root = root
        self.rows = {row["target"]: row for row in rows}
        self.folders = {row["folder"]: row["target"] for row in rows}
        self.mistakes = []

    def mistake(self, path, line, text):
        self.mistakes.append(f"{path.relative_to(self.root)}:{line}: {text}")

    def files(self, folder):
        """The sources below a folder."""
        return sorted(p for p in (self.root / folder).rglob("*") if p.suffix in SUFFIXES)

    def layer_of(self, name):
        """The layer whose folder is the longest prefix of a path, or None."""
        parts = name.split("/")[:-1]
        while parts:
            if target := self.folders.get("/".join(parts)):
                return target
            parts.pop()
        return None

    def owner_of(self, public):
        """The layer that names a header of include/weft in its PUBLIC_HEADERS, or None."""
        name = public.removeprefix("weft/")
        for row in self.rows.values():
            if any(fnmatch.fnmatch(name, pattern) for pattern in row["public_headers"]):
                return row["target"]
        return None

    def reachable(self, target):
        """The target, its links, and all that these reach through public links."""
        row = self.rows[target]
        seen, waiting = {target}, row["links"] + row["private_links"]
        while waiting:
            edge = waiting.pop()
            if edge not in seen:
                seen.add(edge)
                waiting += self.rows.get(edge, {"links": []})["links"]
        return seen

    def check_edges(self):
        for row in self.rows.values():
            edges = row["links"] + row["private_links"]
            if "weft_llvm" in edges and row["target"] not in MAY_SEE_LLVM:
                self.mistakes.append(f"{row['folder']}/CMakeLists.txt:1: {row['target']} must not see LLVM")

    def check_layer(self, target):
        allowed = self.reachable(target)
        for path in self.files(self.rows[target]["folder"]):
            if self.layer_of(str(path.relative_to(self.root))) != target:
                continue
            for line, angled, name in includes_of(path):
                needed = self.needed_edge(path, line, angled, name)
                if needed and needed not in allowed:
                    self.mistake(path, line, f'"{name}" needs the edge {target} -> {needed}, which is not declared')

    def needed_edge(self, path, line, angled, name):
        """The target that an include needs, or None for the standard library and what is unknown."""
        if not angled:
            target = self.layer_of(name)
            if target is None:
                self.mistake(path, line, f'"{name}" is in no layer: include from the repository\'s root')
            return target
        if name.startswith("weft/"):
            return self.owner_of(name)
        return LIBRARIES.get(name.split("/")[0])

    def check_public_headers(self):
        for path in self.files("include/weft"):
            owner = self.owner_of(str(path.relative_to(self.root / "include")))
            if owner is None:
                self.mistake(path, 1, "belongs to no layer: name it in a layer's PUBLIC_HEADERS")
                continue
            allowed = self.reachable(owner)
            for line, angled, name in includes_of(path):
                if angled and name.startswith("weft/"):
                    needed = self.owner_of(name)
                    if needed and needed not in allowed:
                        self.mistake(path, line, f"<{name}> needs the edge {owner} -> {needed}, which is not declared")
                elif not angled or ("." in name and name not in STANDARD_C) or "/" in name:
                    self.mistake(path, line, f"a public header must not include {name}")

    def check_examples(self):
        for path in self.files("examples"):
            for line, angled, name in includes_of(path):
                if not angled and not name.startswith("examples/"):
                    self.mistake(path, line, f'an example must not include "{name}", which is not installed')


def main(root, table):
    tree = Tree(pathlib.Path(root), json.loads(pathlib.Path(table).read_text()))
    tree.check_edges()
    for target in tree.rows:
        tree.check_layer(target)
    tree.check_public_headers()
    tree.check_examples()
    print("\n".join(tree.mistakes))
    return 1 if tree.mistakes else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
