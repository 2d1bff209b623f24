"""compile: every stage, shader files, and kernels that an application has dumped."""

import json
import os
import subprocess

from weftc import SCALE, TEST_GRIDS, Case, main, npy, read_npy

SPECIALISED = """weft 1
spec @step: u32 = 3 id(7)
kernel @fill(%out: buffer<u32>) block(8) {
  %step = spec @step
  %x = mul dispatch_id.x, %step
  write %out[dispatch_id.x], %x
}
kernel @nothing(%out: buffer<u32>) block(8) {
}
"""


class Stages(Case):
    def emit(self, what, *arguments, **options):
        self.write("scale.weft", SCALE)
        return self.weftc("compile", "scale.weft", "--emit", what, *arguments, **options)

    def test_text_stages(self):
        self.assertIn("kernel @scale(", self.emit("ir").out)
        before = self.emit("llvm", "--width", 8).out
        self.assertIn("define", before)
        self.assertIn("<8 x float>", before)
        self.assertIn("<16 x float>", self.emit("llvm-opt", "--width", 16).out)
        self.assertIn("vmulps", self.emit("asm", "--cpu", "x86-64-v3", "--width", 8).out)

    def test_the_ir_that_is_emitted_runs(self):
        self.emit("ir", "-o", "prepared.weft")
        out = self.weftc("run", "prepared.weft", "--arg", "in=iota::3", "--arg", "out=zeros::3", "--arg", "factor=2",
                         "--dispatch", 3, "--print", "out").out
        self.assertEqual(out, "out = 0.0 2.0 4.0\n")

    def test_objects(self):
        self.emit("obj", "-o", "scale.o")
        self.assertTrue(self.read("scale.o").startswith(b"\x7fELF"))

    def test_stats(self):
        self.assertIn("pack width         4\n", self.emit("stats", "--width", 4).out)
        stats = json.loads(self.emit("stats", "--width", 4, "--json").out)
        self.assertEqual(stats["pack_width"], 4)
        self.assertGreater(stats["object_bytes"], 0)

    def test_a_full_disk_is_an_error(self):
        self.assertIn("No space left on device", self.emit("asm", "-o", "/dev/full", code=4).err)

    def test_an_unknown_processor_is_an_error(self):
        self.assertIn("z80", self.emit("asm", "--cpu", "z80", code=2).err)

    def test_the_environment_shows_stages(self):
        shown = self.emit("stats", env={"WEFT_DUMP": "prepare,optimise", "WEFT_VERIFY": "1"}).err
        self.assertIn("kernel 'scale' after prepare:\nweft 1\n", shown)
        self.assertIn("kernel 'scale' after optimise:\n; ModuleID", shown)
        self.assertNotIn("after lower", shown)
        everything = self.emit("stats", env={"WEFT_DUMP": "all"}).err
        for stage in ("prepare", "lower", "split", "optimise"):
            self.assertIn(f"kernel 'scale' after {stage}:", everything)
        self.assertIn("'parse' is none of prepare, ", self.emit("stats", env={"WEFT_DUMP": "parse"}).err)


class ShaderFiles(Case):
    ARGUMENTS = ["--arg", "in=@x.npy", "--arg", "out=zeros:f32:100", "--arg", "factor=-0.3", "--dispatch", 100]

    def setUp(self):
        super().setUp()
        self.write("scale.weft", SCALE)
        self.write("x.npy", npy("<f4", "f", [i * 1.1 for i in range(100)]))

    def test_a_compiled_shader_gives_the_same_results(self):
        self.weftc("run", "scale.weft", *self.ARGUMENTS, "--save", "out=expected.npy")
        for cpu in ("native", "x86-64-v3"):
            self.weftc("compile", "scale.weft", "--emit", "shader", "--cpu", cpu, "--width", 8, "-o", "scale.shader")
            self.weftc("run", "scale.shader", *self.ARGUMENTS, "--save", "out=out.npy")
            self.assertEqual(self.read("out.npy"), self.read("expected.npy"))

    def test_what_cannot_be_done_with_one(self):
        self.weftc("compile", "scale.weft", "--emit", "shader", "-o", "scale.shader")
        self.assertIn("is compiled already", self.weftc("run", "scale.shader", "--width", 8, *self.ARGUMENTS, code=2).err)
        self.assertIn("not compiled shader files", self.weftc("run", "scale.shader", "--interp", *self.ARGUMENTS, code=1).err)
        content = self.read("scale.shader")
        self.write("short.shader", content[:-10])
        self.assertIn("truncated", self.weftc("run", "short.shader", *self.ARGUMENTS, code=1).err)
        self.write("damaged.shader", content[:200] + b"x" + content[201:])
        self.assertIn("its checksum is wrong", self.weftc("run", "damaged.shader", *self.ARGUMENTS, code=1).err)


class Options(Case):
    def fill(self, *arguments, **options):
        self.write("fill.weft", SPECIALISED)
        return self.weftc("run", "fill.weft", "--arg", "out=zeros:u32:4", "--dispatch", 4, "--print", "out", *arguments,
                          **options)

    def test_kernels_are_chosen_by_name(self):
        self.assertIn("choose one by --kernel: fill, nothing", self.fill(code=2).err)
        self.assertIn("has no kernel 'other'; it has: fill, nothing", self.fill("--kernel", "other", code=2).err)
        self.assertEqual(self.fill("--kernel", "nothing").out, "out = 0 0 0 0\n")

    def test_specialisation_constants(self):
        for form in ([], ["--interp"]):
            self.assertEqual(self.fill("--kernel", "fill", *form).out, "out = 0 3 6 9\n")
            self.assertEqual(self.fill("--kernel", "fill", "--spec", "step=5", *form).out, "out = 0 5 10 15\n")
            self.assertEqual(self.fill("--kernel", "fill", "--spec", "7=1", *form).out, "out = 0 1 2 3\n")
        self.assertIn("there are: step (id 7)", self.fill("--kernel", "fill", "--spec", "other=1", code=2).err)
        self.fill("--kernel", "fill", "--spec", "step=x", code=2)
        self.fill("--kernel", "fill", "--spec", "step", code=2)


class Dumped(Case):
    def test_an_application_s_kernels_run_to_the_same_results(self):
        subprocess.run([TEST_GRIDS, "grid: affine*"], check=True, capture_output=True, cwd=self.folder,
                       env={**os.environ, "WEFT_DUMP_KERNELS": str(self.folder / "kernels")})
        files = list((self.folder / "kernels").iterdir())
        self.assertEqual(len(files), 1, files)
        self.assertTrue(files[0].name.startswith("rows-") and files[0].suffix == ".weft")
        self.write("in.npy", npy("<u4", "I", [i * 3 for i in range(20 * 13)]))
        self.weftc("run", files[0], "--arg", "param_0=@in.npy", "--arg", "param_1=zeros::260", "--dispatch", "20,13",
                   "--save", "param_1=out.npy")
        self.assertEqual(read_npy(self.read("out.npy"), "I")[2], [i * 6 + i // 20 % 8 for i in range(260)])


if __name__ == "__main__":
    main()
