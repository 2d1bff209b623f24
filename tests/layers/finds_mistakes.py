"""Runs check_layers.py on a small tree that has every kind of mistake, and on the same tree without them."""

import json
import pathlib
import subprocess
import sys
import tempfile


def row(target, folder, links=(), private_links=(), public_headers=()):
    return {"target": target, "folder": folder, "links": list(links), "private_links": list(private_links),
            "public_headers": list(public_headers)}


ROWS = [
    row("weft_support", "runtime/support", ["fmt::fmt"], ["spdlog::spdlog"], ["export.h"]),
    row("weft_runtime", "runtime", ["weft_support"]),
    row("weft_ir", "codegen/ir", ["weft_support"]),
    row("weft_lower", "codegen/lower", ["weft_ir"], ["weft_llvm"]),
    row("weft_jit", "codegen/jit", ["weft_lower"]),
    row("weft_backend", "backend", ["weft_jit", "weft_runtime"], [], ["device.h"]),
]
GOOD = {
    "runtime/support/log.h": "#include <weft/export.h>\n#include <fmt/format.h>\n#include <vector>\n",
    "runtime/launcher.cpp": '#include "runtime/launcher.h"\n#include "runtime/support/log.h"\n',
    "codegen/lower/arith.cpp": '#include "codegen/ir/op.h"\n#include "runtime/support/log.h"\n#include <llvm/IR/Value.h>\n',
    "backend/device.cpp": '#include "runtime/launcher.h"\n#include "codegen/ir/op.h"\n#include <weft/device.h>\n',
    "include/weft/export.h": "#pragma once\n",
    "include/weft/device.h": "#include <weft/export.h>\n#include <cstdint>\n#include <stddef.h>\n",
    "examples/one/main.cpp": '#include <weft/device.h>\n#include "examples/one/scene.h"\n',
}
# The file, what it holds, and what the checker must say of it.
MISTAKES = [
    ("codegen/ir/up.h", '\n#include "codegen/lower/a.h"\n', "codegen/ir/up.h:2: \"codegen/lower/a.h\" needs the edge weft_ir -> weft_lower"),
    ("runtime/sees_ir.cpp", '#include "codegen/ir/op.h"\n', "runtime/sees_ir.cpp:1: \"codegen/ir/op.h\" needs the edge weft_runtime -> weft_ir"),
    ("runtime/support/upward.h", '#include "runtime/launcher.h"\n', "needs the edge weft_support -> weft_runtime"),
    ("codegen/jit/private.cpp", "#include <llvm/IR/Value.h>\n", "needs the edge weft_jit -> weft_llvm"),
    ("codegen/ir/logs.cpp", "  #  include <spdlog/spdlog.h>\n", "needs the edge weft_ir -> spdlog::spdlog"),
    ("codegen/ir/host.h", "#include <weft/device.h>\n", "needs the edge weft_ir -> weft_backend"),
    ("codegen/ir/relative.h", '#include "op.h"\n', 'codegen/ir/relative.h:1: "op.h" is in no layer'),
    ("include/weft/nobodys.h", "", "include/weft/nobodys.h:1: belongs to no layer"),
    ("include/weft/export.h", "#include <weft/device.h>\n", "<weft/device.h> needs the edge weft_support -> weft_backend"),
    ("include/weft/device.h", "#include <fmt/format.h>\n", "a public header must not include fmt/format.h"),
    ("include/weft/device.h", "#include <zlib.h>\n", "a public header must not include zlib.h"),
    ("include/weft/device.h", '#include "runtime/launcher.h"\n', "a public header must not include runtime/launcher.h"),
    ("examples/one/main.cpp", '#include "codegen/ir/op.h"\n', 'an example must not include "codegen/ir/op.h"'),
]


def check(files, rows):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        (root / "layers.json").write_text(json.dumps(rows))
        checker = pathlib.Path(__file__).with_name("check_layers.py")
        run = subprocess.run([sys.executable, checker, root, root / "layers.json"], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr


def main():
    failures = []
    code, output = check(GOOD, ROWS)
    if code != 0:
        failures.append(f"a tree without mistakes is refused:\n{output}")
    for name, text, expected in MISTAKES:
        code, output = check({**GOOD, name: text}, ROWS)
        if code == 0 or expected not in output:
            failures.append(f"{name} with {text!r}: expected {expected!r}, got\n{output}")
    code, output = check(GOOD, [*ROWS, row("weft_dsl", "dsl", ["weft_ir"], ["weft_llvm"])])
    if code == 0 or "weft_dsl must not see LLVM" not in output:
        failures.append(f"a third layer with LLVM is accepted:\n{output}")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
