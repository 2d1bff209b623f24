"""explain: what is told of each kind of decision, and that it is what was done."""

import json
import os
import re
import subprocess

from weftc import ROOT, TEST_GRIDS, Case, main

GATHER = """weft 1
kernel @gather(%next: buffer<u32>, %in: buffer<f32>, %out: buffer<f32>) block(64) {
  %j = read %next[dispatch_id.x]
  %x = read %in[%j]
  write %out[dispatch_id.x], %x
}
"""

# A variable %v that a loop changes.
LOOP = ("%v = local f32\n %i = local u32\n loop {{ %a = load %i\n %g = lt %a, %n\n yield %g }} body {{\n {} }}"
        " update {{ %b = load %i\n %c = add %b, 1\n store %i, %c }}")

# By remark: what a kernel @k(%in, %index, %out: buffers of f32, u32, f32; %n: u32) does, the block, and options.
DECISIONS = {
    "scalar_access": ("%x = read %in[block_id.x]\n write %out[dispatch_id.x], %x", "64", []),
    "vector_access": ("%x = read %in[dispatch_id.x]\n write %out[dispatch_id.x], %x", "64", []),
    "masked_access": ("%x = read %in[dispatch_id.x]\n write %out[dispatch_id.x], %x", "64", []),
    "row_access": ("%y = mul dispatch_id.y, 64\n %i = add %y, dispatch_id.x\n %x = read %in[%i]\n write %out[%i], %x", "8, 8",
                   ["--width", "16"]),
    "piece_access": ("%t = shared array<vec<f32, 4>, 64>\n %e = element %t[thread_id.x]\n %v = load %e\n %x = extract %v.x\n"
                     " %y = extract %v.z\n %s = add %x, %y\n write %out[dispatch_id.x], %s", "64", []),
    "neighbours_tested": ("%i = and dispatch_id.x, %n\n %x = read %in[%i]\n write %out[dispatch_id.x], %x", "64", []),
    "gather": ("%j = read %index[dispatch_id.x]\n %x = read %in[%j]\n write %out[dispatch_id.x], %x", "64", []),
    "scatter": ("%j = read %index[dispatch_id.x]\n write %out[%j], 1.0", "64", []),
    "range_proved": ("%t = shared array<f32, 64>\n store %t[thread_id.x], 1.0", "64", []),
    "range_unchecked": ("%x = read %in[dispatch_id.x]\n write %out[dispatch_id.x], %x", "64", ["--unchecked"]),
    "range_tested": ("%x = read %in[dispatch_id.x]\n write %out[dispatch_id.x], %x", "64", []),
    "range_checked": ("%j = read %index[dispatch_id.x]\n write %out[%j], 1.0", "64", []),
    "range_scalar": ("%x = read %in[%n]\n write %out[%n], %x", "64", []),
    "uniform_branch": ("%c = gt %n, 3\n if %c { write %out[dispatch_id.x], 1.0 }", "64", []),
    "masked_branch": ("%x = read %in[dispatch_id.x]\n %c = gt %x, 3.0\n if %c { write %out[dispatch_id.x], 1.0 }", "64", []),
    "flattened": ("%x = read %in[dispatch_id.x]\n %c = gt %x, 3.0\n %v = local f32\n if %c { store %v, 1.0 }\n %y = load %v\n"
                  " write %out[dispatch_id.x], %y", "64", []),
    "unmasked_copy": ("%c = lt thread_id.x, %n\n if %c { write %out[dispatch_id.x], 1.0 }", "64", []),
    "uniform_loop": ("%i = local u32\n loop { %a = load %i\n %g = lt %a, %n\n yield %g } body { write %out[dispatch_id.x], 1.0 }"
                     " update { %b = load %i\n %c = add %b, 1\n store %i, %c }", "64", []),
    "masked_loop": ("%i = local u32\n loop { %a = load %i\n %g = lt %a, dispatch_id.x\n yield %g } body {"
                    " write %out[dispatch_id.x], 1.0 } update { %b = load %i\n %c = add %b, 1\n store %i, %c }", "64", []),
    "uniform_switch": ("switch %n { case 0 { write %out[dispatch_id.x], 1.0 }\n default { } }", "64", []),
    "masked_switch": ("switch dispatch_id.x { case 0 { write %out[dispatch_id.x], 1.0 }\n default { } }", "64", []),
    "lanes_leave": ("%x = read %in[dispatch_id.x]\n %c = gt %x, 3.0\n if %c { return }\n write %out[dispatch_id.x], 1.0", "64", []),
    "block_branch": ("%c = gt %n, 3\n if %c { barrier }\n write %out[dispatch_id.x], 1.0", "64", ["--form", "fission"]),
    "block_loop": ("%i = local u32\n loop { %a = load %i\n %g = lt %a, %n\n yield %g } body { barrier }"
                   " update { %b = load %i\n %c = add %b, 1\n store %i, %c }", "64", ["--form", "fission"]),
    "blend": ("%x = read %in[dispatch_id.x]\n %c = gt %x, 3.0\n %v = local f32\n if %c { store %v, 1.0 }\n %y = load %v\n"
              " write %out[dispatch_id.x], %y", "64", []),
    "chosen_part": ("%x = read %in[dispatch_id.x]\n %v = make vec<f32, 3> %x, 2.0, 3.0\n %y = extract_at %v[%n]\n"
                    " write %out[dispatch_id.x], %y", "64", []),
    "local_gather": ("%a = local array<f32, 8>\n %j = read %index[dispatch_id.x]\n store %a[%n], 1.0\n %y = load %a[%j]\n"
                     " write %out[dispatch_id.x], %y", "64", []),
    "local_scatter": ("%a = local array<f32, 8>\n %j = read %index[dispatch_id.x]\n store %a[%j], 1.0\n %y = load %a[%n]\n"
                      " write %out[dispatch_id.x], %y", "64", []),
    "stack_array": ("%a = local array<f32, 8>\n store %a[%n], 1.0", "64", []),
    "scratch_array": ("%a = local array<f32, 4096>\n store %a[dispatch_id.x], 1.0", "64", []),
    "frame_array": ("%a = local array<f32, 4096>\n store %a[thread_id.x], 1.0\n barrier\n %y = load %a[%n]\n"
                    " write %out[dispatch_id.x], %y", "64", []),
    "atomic_once": ("%e = buffer_element %index[%n]\n %x = atomic_load %e\n %f = cast f32 %x\n write %out[dispatch_id.x], %f", "64",
                    []),
    "atomic_reduced": ("%e = buffer_element %index[0]\n %x = atomic_add %e, dispatch_id.x", "64", []),
    "atomic_plain": ("%t = shared array<u32, 8>\n %j = read %index[dispatch_id.x]\n %e = element %t[%j]\n %x = atomic_add %e, 1",
                     "64", []),
    "atomic_each_lane": ("%j = read %index[dispatch_id.x]\n %e = buffer_element %index[%j]\n %x = atomic_add %e, 1", "64", []),
    "scalar_call": ("%x = read %in[%n]\n %y = sin %x\n write %out[dispatch_id.x], %y", "64", []),
    "vector_call": ("%x = read %in[dispatch_id.x]\n %y = sin %x\n write %out[dispatch_id.x], %y", "64", ["--width", "8"]),
    "split_call": ("%x = read %in[dispatch_id.x]\n %y = sin %x\n write %out[dispatch_id.x], %y", "64", ["--width", "32"]),
    "lane_shuffle": ("%x = read %in[dispatch_id.x]\n %j = read %index[dispatch_id.x]\n %y = warp_read %x, %j\n"
                     " write %out[dispatch_id.x], %y", "64", []),
    "lane_print": ('print "{}", dispatch_id.x', "64", []),
    "suspend": ("barrier\n write %out[dispatch_id.x], 1.0", "64", ["--form", "coroutines"]),
    "keep": (LOOP.format("%x = read %in[dispatch_id.x]\n store %v, %x\n barrier") + "\n %y = load %v\n write %out[dispatch_id.x], %y",
             "64", ["--form", "coroutines"]),
    "keep_value": ("%x = read %in[dispatch_id.x]\n barrier\n write %out[dispatch_id.x], %x", "64", ["--form", "coroutines"]),
    "no_suspend": ("barrier\n write %out[dispatch_id.x], 1.0", "8", ["--width", "8"]),
    "cut": ("barrier\n write %out[dispatch_id.x], 1.0", "64", ["--form", "fission"]),
    "keep_pack": ("%x = read %in[dispatch_id.x]\n barrier\n write %out[dispatch_id.x], %x", "64", ["--form", "fission"]),
    "keep_block": ("%f = cast f32 %n\n %x = sin %f\n barrier\n write %out[dispatch_id.x], %x", "64", ["--form", "fission"]),
}


def kernel(body, block):
    return f"weft 1\nkernel @k(%in: buffer<f32>, %index: buffer<u32>, %out: buffer<f32>, %n: u32) block({block}) {{\n {body}\n}}\n"


def remarks_of(explained):
    return {note["remark"] for decision in explained["decisions"] for note in decision["notes"]}


class Explained(Case):
    def explain(self, text, *arguments, **options):
        self.write("k.weft", text)
        return json.loads(self.weftc("explain", "k.weft", "--json", *arguments, **options).out)[0]

    def table(self):
        rows = self.weftc("explain", "--remarks").out.splitlines()[2:]
        return [re.match(r"\| `(\w+)` \|", row).group(1) for row in rows]

    def decision(self, explained, op):
        return next(d for d in explained["decisions"] if d["op"] == op)


class Decisions(Explained):
    def test_each_kind_of_decision_is_told(self):
        self.assertEqual(sorted(DECISIONS), sorted(self.table()))
        for remark, (body, block, arguments) in DECISIONS.items():
            with self.subTest(remark):
                told = remarks_of(self.explain(kernel(body, block), *arguments))
                self.assertIn(remark, told, sorted(told))

    def test_what_is_slow_says_why_and_a_way_out(self):
        explained = self.explain(GATHER)
        load = self.decision(explained, "load %in")
        self.assertEqual(load["line"], 4)
        self.assertEqual(load["source"], "%x = read %in[%j]")
        self.assertEqual(load["why"], "of its index: it depends on %j, loaded from %next at line 3")
        slow = [note for note in load["notes"] if note["slow"]]
        self.assertEqual([note["remark"] for note in slow], ["gather"])
        self.assertIn("neighbouring", slow[0]["way_out"])
        self.assertFalse(any(note["slow"] for note in self.decision(explained, "store %out")["notes"]))

    def test_shapes_of_values(self):
        body = ("%u = add %n, 1\n %t = mul dispatch_id.x, 3\n %x = read %in[dispatch_id.x]\n" + LOOP.format("store %v, %x") +
                "\n %y = load %v\n write %out[%t], %y\n write %out[%u], 1.0")
        values = {v["name"]: v["shape"] for v in self.explain(kernel(body, "64"))["values"] if v["name"]}
        self.assertEqual(values["%u"], "uniform")
        self.assertEqual(values["%t"], "affine +3")
        self.assertEqual(values["%x"], "varying")
        self.assertEqual(values["%v"], "varying")

    def test_addresses_are_told_in_elements_or_else_in_bytes(self):
        text = ("weft 1\nstruct P size 12 align 4 { a: f32 @0, b: f32 @8 }\nkernel @k(%p: buffer<P>, %out: buffer<f32>) block(64) {\n"
                "  %e = buffer_element %p[dispatch_id.x]\n  %m = member %e.b\n  %x = load %m\n  write %out[dispatch_id.x], %x\n}\n")
        explained = self.explain(text)
        self.assertEqual(self.decision(explained, "load %p")["address"], "affine +3")
        self.assertEqual(self.decision(explained, "store %out")["address"], "affine +1")
        self.assertEqual(self.decision(explained, "load %p")["why"], "the address moves by +12 bytes from lane to lane")


class Suspends(Explained):
    def test_what_a_suspend_point_keeps(self):
        body = LOOP.format("%x = read %in[dispatch_id.x]\n store %v, %x\n %z = read %in[%a]\n barrier\n write %out[dispatch_id.x], %z")
        explained = self.explain(kernel(body + "\n %y = load %v\n write %out[dispatch_id.x], %y", "64"), "--form", "coroutines",
                                 "--width", 8)
        kept = {note["name"]: note["number"] for note in self.decision(explained, "barrier")["notes"] if "name" in note}
        self.assertEqual(kept, {"%v": 4 * 8, "%i": 4})
        values = [(n["name"], n["number"]) for d in explained["decisions"] for n in d["notes"] if n["remark"] == "keep_value"]
        self.assertEqual(values, [("%z", 4)])
        self.assertEqual(explained["kept_bytes_per_pack"], 40)
        self.assertGreaterEqual(explained["frame_bytes_per_pack"], 40)
        self.assertEqual(explained["suspend_points"], 1)

    def test_a_large_array_across_a_barrier_is_slow(self):
        body, block, arguments = DECISIONS["frame_array"]
        slow = [n for n in self.decision(self.explain(kernel(body, block), *arguments), "barrier")["notes"] if n["slow"]]
        self.assertEqual([(n["name"], n["number"]) for n in slow], [("%a", 4096 * 4 * 16)])

    def test_the_form_says_which_op_decided(self):
        body = "%x = read %in[dispatch_id.x]\n %c = gt %x, 0.0\n if %c {\n return }\n barrier"
        explained = self.explain(kernel(body, "64"))
        self.assertEqual(explained["form"], "coroutines")
        self.assertIn("return here", explained["form_reason"])
        self.assertEqual(explained["form_place"]["line"], 6)

    def test_the_width_says_why(self):
        def reason(body, block, *arguments):
            return self.explain(kernel(body, block), *arguments)["pack_width_reason"]
        self.assertEqual(reason("barrier", "64", "--width", 8), "as asked")
        self.assertEqual(reason("barrier", "8"), "no wider than the block needs")
        self.assertIn("warp size", reason(DECISIONS["lane_shuffle"][0], "64"))


class Agreement(Explained):
    """What is told is what is generated, for every kernel of the tests."""

    def kernels(self):
        for path in sorted((ROOT / "tests/text").rglob("*.weft")):
            text = path.read_text()
            for name in re.findall(r"^kernel @(\w+)", text, re.M):
                yield path, name

    def test_gathers_and_scatters(self):
        seen = set()
        for path, name in self.kernels():
            if "errors" in path.parts:
                continue
            with self.subTest(path=path, kernel=name):
                llvm = self.weftc("compile", path, "--kernel", name, "--emit", "llvm").out
                told = remarks_of(json.loads(self.weftc("explain", path, "--kernel", name, "--json").out)[0])
                for intrinsic, remarks in {"gather": {"gather", "local_gather"}, "scatter": {"scatter", "local_scatter"}}.items():
                    generated = f"@llvm.masked.{intrinsic}." in llvm
                    self.assertEqual(generated, bool(told & remarks), sorted(told))
                    seen.add((intrinsic, generated))
        self.assertEqual(len(seen), 4)

    def test_every_file_at_every_width(self):
        for path in sorted((ROOT / "tests").rglob("*.weft")):
            for width in (1, 4, 8, 16, 32):
                with self.subTest(path=path, width=width):
                    result = self.weftc("explain", path, "--width", width, code=(0, 1, 2))
                    self.assertTrue(result.out if result.code == 0 else result.err)


class Text(Explained):
    def test_the_text_names_lines_shapes_and_what_is_slow(self):
        self.write("k.weft", GATHER)
        lines = self.weftc("explain", "k.weft", "--width", 16).out.splitlines()
        self.assertEqual(lines[0], "gather: block 64, pack 16, 4 packs")
        self.assertIn("  line 3    %j = read %next[dispatch_id.x]    varying", lines)
        self.assertIn("  slow: gather, lane by lane", lines)
        self.assertTrue(all(line == line.rstrip() for line in lines))

    def test_nothing_slow_is_said_so(self):
        self.write("k.weft", kernel(DECISIONS["vector_access"][0], "64"))
        self.assertIn("nothing else that is known to be slow", self.weftc("explain", "k.weft").out)

    def test_all_kernels_of_a_file_or_the_one_that_is_named(self):
        self.write("k.weft", GATHER + GATHER[GATHER.index("kernel"):].replace("@gather", "@other"))
        self.assertEqual(len(json.loads(self.weftc("explain", "k.weft", "--json").out)), 2)
        self.assertEqual([e["kernel"] for e in json.loads(self.weftc("explain", "k.weft", "--json", "--kernel", "other").out)],
                         ["other"])

    def test_mistakes(self):
        self.write("empty.weft", "weft 1\n")
        self.weftc("explain", "empty.weft", code=2)
        self.weftc("explain", code=2)
        self.weftc("explain", "missing.weft", code=4)
        self.write("broken.weft", "weft 1\nkernel @k() block(4) { %x = nothing }\n")
        self.assertIn("broken.weft:2:", self.weftc("explain", "broken.weft", code=1).err)

    def test_the_page_lists_all_remarks(self):
        page = (ROOT / "docs/explain.md").read_text()
        self.assertIn(self.weftc("explain", "--remarks").out, page)

    def test_the_page_shows_what_its_example_gives(self):
        page = (ROOT / "docs/explain.md").read_text()
        text = page.split("```weft\n")[1].split("```")[0]
        self.write("histogram.weft", text)
        shown = page.split("$ weftc explain histogram.weft --width 16\n")[1].split("```")[0]
        machine = re.compile(r"\(.*bits\)")  # the example's processor is not this one
        got = self.weftc("explain", "histogram.weft", "--width", 16).out
        self.assertEqual(machine.sub("", got), machine.sub("", shown))


class Dumped(Explained):
    def test_kernels_of_an_application_show_its_source(self):
        subprocess.run([TEST_GRIDS, "grid: affine*"], check=True, capture_output=True, cwd=self.folder,
                       env={**os.environ, "WEFT_DUMP_KERNELS": str(self.folder / "kernels")})
        (dumped,) = (self.folder / "kernels").iterdir()
        explained = json.loads(self.weftc("explain", dumped, "--json").out)[0]
        places = {(d["file"], d["line"]) for d in explained["decisions"]}
        self.assertTrue(all(file.endswith("test_grids.cpp") for file, _ in places), places)
        source = (ROOT / "tests/regress/test_grids.cpp").read_text().splitlines()
        for file, line in places:
            if os.path.exists(os.path.join(self.folder, file)):
                shown = next(d["source"] for d in explained["decisions"] if d["line"] == line)
                self.assertEqual(shown, source[line - 1].strip())
        self.assertIn(f"line {min(places)[1]}", self.weftc("explain", dumped).out)


if __name__ == "__main__":
    main()
