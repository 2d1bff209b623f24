"""run: arguments, array files, results at every width, faults."""

import json
import random
import struct

from weftc import SCALE, Case, main, npy, read_npy

TYPES = {"bool": ("|b1", "?"), "i8": ("|i1", "b"), "i16": ("<i2", "h"), "i32": ("<i4", "i"), "i64": ("<i8", "q"),
         "u8": ("|u1", "B"), "u16": ("<u2", "H"), "u32": ("<u4", "I"), "u64": ("<u8", "Q"), "f16": ("<f2", "e"),
         "f32": ("<f4", "f"), "f64": ("<f8", "d")}

STRUCTS = """weft 1
struct P size 8 align 4 { id: u16 @0, x: f32 @4 }
kernel @structs(%in: buffer<P>, %out: buffer<vec<f32, 3>>, %bytes: byte_buffer, %m: mat<f32, 2, 2>, %p: P) block(4) {
  %e = read %in[dispatch_id.x]
  %id = cast f32 %e.id
  %v = make vec<f32, 3> %e.x, %id, %p.x
  write %out[dispatch_id.x], %v
  byte_write %bytes[dispatch_id.x], 7_u8
}
"""

ASSERTS = """weft 1
kernel @asserts(%out: buffer<u32>, %limit: u32) block(8) {
  %ok = lt dispatch_id.x, %limit
  assert %ok, "id < limit"
  write %out[dispatch_id.x], 1
}
"""


def copy_kernel(scalar):
    return f"""weft 1
kernel @copy(%in: buffer<{scalar}>, %out: buffer<{scalar}>) block(8) {{
  %x = read %in[dispatch_id.x]
  write %out[dispatch_id.x], %x
}}
"""


class Run(Case):
    def scale(self, *arguments, **options):
        self.write("scale.weft", SCALE)
        return self.weftc("run", "scale.weft", *arguments, **options)

    def test_all_forms_give_the_same_file(self):
        self.write("x.npy", npy("<f4", "f", [i * 0.37 - 3 for i in range(1000)]))
        common = ["--arg", "in=@x.npy", "--arg", "out=zeros:f32:1000", "--arg", "factor=1.7", "--dispatch", "1000"]
        self.scale("--interp", *common, "--save", "out=interp.npy")
        descr, shape, values = read_npy(self.read("interp.npy"), "f")
        self.assertEqual((descr, shape), ("<f4", (1000,)))
        self.assertAlmostEqual(values[10], (10 * 0.37 - 3) * 1.7, places=5)
        for form in (["--width", 1], ["--width", 4], ["--width", 8], ["--width", 16], ["--width", 32],
                     ["--cpu", "x86-64-v3"], ["--effort", "minimal"], ["--threads", 1], ["--unchecked"]):
            self.scale(*form, *common, "--save", "out=out.npy")
            self.assertEqual(self.read("out.npy"), self.read("interp.npy"), form)

    def test_every_scalar_type_passes_through_files(self):
        for scalar, (descr, letter) in TYPES.items():
            values = [bool(i % 3 == 0) for i in range(9)] if letter == "?" else list(range(9))
            self.write("x.npy", npy(descr, letter, values))
            self.write("copy.weft", copy_kernel(scalar))
            self.weftc("run", "copy.weft", "--arg", "in=@x.npy", "--arg", f"out=zeros:{scalar}:9", "--dispatch", 9,
                       "--save", "out=y.npy")
            self.assertEqual(read_npy(self.read("y.npy"), letter), (descr, (9,), values), scalar)

    def test_header_versions_2_and_3(self):
        for version in (2, 3):
            self.write("x.npy", npy("<f4", "f", [1, 2], version=version))
            out = self.scale("--arg", "in=@x.npy", "--arg", "out=zeros::2", "--arg", "factor=3", "--dispatch", 2,
                             "--print", "out").out
            self.assertEqual(out, "out = 3.0 6.0\n")

    def test_generated_arrays(self):
        self.write("copy.weft", copy_kernel("vec<i16, 2>"))
        def printed(what):
            return self.weftc("run", "copy.weft", "--arg", f"in={what}", "--arg", "out=zeros::2", "--dispatch", 2,
                              "--print", "in").out
        self.assertEqual(printed("iota:vec<i16, 2>:2"), "in = (0, 1) (2, 3)\n")
        self.assertEqual(printed("iota:i16:4"), "in = (0, 1) (2, 3)\n")
        self.assertEqual(printed("fill::2:-7"), "in = (-7, -7) (-7, -7)\n")
        self.assertEqual(printed("random:i16:4:5"), printed("random::2:5"))
        self.assertNotEqual(printed("random:i16:4:5"), printed("random:i16:4:6"))

    def test_random_floats_are_below_one(self):
        for scalar in ("f16", "f32", "f64"):
            self.write("copy.weft", copy_kernel(scalar))
            self.weftc("run", "copy.weft", "--arg", f"in=random:{scalar}:5000", "--arg", "out=zeros::1", "--dispatch", 1,
                       "--save", "in=x.npy")
            values = read_npy(self.read("x.npy"), TYPES[scalar][1])[2]
            self.assertTrue(all(0 <= v < 1 for v in values))
            self.assertTrue(0.45 < sum(values) / len(values) < 0.55)

    def test_structs_vectors_and_bytes(self):
        self.write("structs.weft", STRUCTS)
        raw = b"".join(struct.pack("<HHf", i, 0xFFFF, i + 0.5) for i in range(3))
        self.write("p.raw", raw)
        self.write("one.raw", struct.pack("<HHf", 9, 0, 42))
        self.write("p.npy", npy("|u1", "B", list(raw), shape=(3, 8)))
        for source in ("p.raw", "p.npy"):
            self.weftc("run", "structs.weft", "--arg", f"in=@{source}", "--arg", "out=zeros:f32:9", "--arg",
                       "bytes=zeros:u32:1", "--arg", "m=1,2,3,4", "--arg", "p=@one.raw", "--dispatch", 3, "--save",
                       "out=y.npy", "--save", "bytes=b.npy", "--save", "in=copy.raw")
            self.assertEqual(read_npy(self.read("y.npy"), "f"),
                             ("<f4", (3, 3), [0.5, 0, 42, 1.5, 1, 42, 2.5, 2, 42]))
            self.assertEqual(read_npy(self.read("b.npy"), "B")[2], [7, 7, 7, 0])
            self.assertEqual(self.read("copy.raw"), raw)

    def test_each_repeat_starts_from_the_same_arguments(self):
        out = self.scale("--arg", "in=fill:f32:4:1", "--arg", "out=zeros:f32:4", "--arg", "factor=2", "--dispatch", 4,
                         "--repeat", 5, "--time", "--print", "in", "--print", "out:2").out
        self.assertTrue(out.startswith("in = 1.0 1.0 1.0 1.0\nout = 2.0 2.0 ...\nscale  4 lanes  compile "), out)
        self.assertIn("(least ", out)
        self.assertIn("GB/s", out)

    def test_json(self):
        found = json.loads(self.scale("--arg", "in=iota:f32:3", "--arg", "out=zeros:f32:3", "--arg", "factor=0.5",
                                      "--dispatch", 3, "--width", 8, "--print", "out", "--time", "--json").out)
        self.assertEqual(found["arrays"], {"out": ["0.0", "0.5", "1.0"]})
        self.assertEqual((found["kernel"], found["device"], found["pack_width"]), ("scale", "cpu", 8))
        self.assertEqual(found["run_ms"]["count"], 1)

    def test_blocks_and_zero_sizes(self):
        common = ["--arg", "in=fill:f32:100:1", "--arg", "out=zeros:f32:100", "--arg", "factor=2", "--print", "out:100"]
        self.assertEqual(self.scale("--blocks", 1, *common).out.count("2.0"), 64)
        self.assertEqual(self.scale("--dispatch", "0", *common).out.count("2.0"), 0)
        self.assertEqual(self.scale("--dispatch", "5,0,3", *common).out.count("2.0"), 0)

    def test_a_fault_is_told_with_its_place(self):
        self.write("asserts.weft", ASSERTS)
        for form in (["--interp"], ["--width", 1], ["--width", 16]):
            result = self.weftc("run", "asserts.weft", *form, "--arg", "out=zeros:u32:100", "--arg", "limit=99",
                                "--dispatch", 100, code=3)
            self.assertEqual(result.err, "weftc: error: kernel 'asserts' asserted: id < limit\n"
                                         "  at asserts.weft:4, block (12, 0, 0), lane (3, 0, 0)\n"
                                         "  dispatch of 100 lanes stopped; the device is still usable\n")

    def test_arguments_that_do_not_fit_are_usage_errors(self):
        good = {"in": "in=zeros:f32:4", "out": "out=zeros:f32:4", "factor": "factor=2"}
        self.write("i.npy", npy("<i4", "i", [1, 2]))
        self.write("shape.npy", npy("<f4", "f", [1] * 6, shape=(3, 2)))
        self.write("odd.raw", b"123")
        for name, what, message in (
                ("in", "in", "expected NAME=WHAT"), ("in", "in=@i.npy", "holds i32, expected f32 for f32"),
                ("in", "in=@odd.raw", "3 bytes, expected a multiple of 4 for f32"),
                ("in", "in=zeros:u32:4", "the type is u32, expected f32"), ("in", "in=zeros:f32", "expected zeros:TYPE:COUNT"),
                ("in", "in=zeros:f32:x", "the count 'x' is no whole number"), ("in", "in=5", "'5' is no array"),
                ("in", "in=fill:f32:4", "fill has 0 parts behind its count, expected 1"),
                ("in", "in=zeros:f32:99999999999999999999", "is no whole number"),
                ("in", "in=zeros:f32:9999999999999999999", "values are too many"),
                ("factor", "factor=x", "--arg factor=x: "), ("factor", "factor=1,2", "2 numbers, expected 1"),
                ("factor", "other=1", "has no argument 'other'")):
            given = {**good, name: what}
            arguments = [part for text in given.values() for part in ("--arg", text)]
            self.assertIn(message, self.scale(*arguments, "--dispatch", 4, code=2).err)
        self.assertIn("needs --arg factor=...", self.scale("--arg", good["in"], "--arg", good["out"], "--dispatch", 1, code=2).err)
        everything = [part for text in good.values() for part in ("--arg", text)]
        self.assertIn("is given twice", self.scale(*everything, "--arg", good["in"], "--dispatch", 1, code=2).err)
        self.assertIn("--dispatch X[,Y[,Z]]", self.scale(*everything, code=2).err)
        self.scale(*everything, "--dispatch", "4", "--blocks", "1", code=2)
        for size in ("x", "1,2,3,4", "1,", "-1"):
            self.scale(*everything, f"--dispatch={size}", code=2)
        self.assertIn("--blocks -1: expected X", self.scale(*everything, "--blocks=-1", code=2).err)
        self.assertIn("--print in:-1: expected NAME[:COUNT]",
                      self.scale(*everything, "--dispatch", 4, "--print", "in:-1", code=2).err)
        self.assertIn("below 2^32", self.scale(*everything, "--dispatch", 1 << 32, code=2).err)
        self.assertIn("no buffer of this name", self.scale(*everything, "--dispatch", 4, "--save", "factor=a.npy", code=2).err)
        self.write("copy.weft", copy_kernel("vec<f32, 3>"))
        self.assertIn("has shape (3, 2), expected the last dimensions to be (3)",
                      self.weftc("run", "copy.weft", "--arg", "in=@shape.npy", "--arg", "out=zeros::1", "--dispatch", 1,
                                 code=2).err)

    def test_array_files_that_are_wrong(self):
        good = npy("<f4", "f", [1, 2, 3])
        for content, message in (
                (b"", "is no .npy file"), (b"text", "is no .npy file"), (good[:9], "is truncated"),
                (good[:40], "truncated within its header"), (good[:-1], "is truncated: 11 bytes of elements, expected 12"),
                (good + b"x", "has 1 bytes behind its elements"),
                (npy(">f4", "f", [1, 2]), "big endian"), (npy("|O", "Q", [1]), "Python objects"),
                (npy("<c8", "Q", [1]), "'<c8' is not known"), (npy("<f4", "f", [1] * 4, shape=(2, 2), fortran=True), "Fortran order"),
                (npy("<f4", "f", [1], shape="(18446744073709551615, 8)"), "too large"),
                (good.replace(b"descr", b"dexcr"), "unknown key 'dexcr'"), (good.replace(b"'shape': (3,)", b"'shape': (3 )"), ""),
                (b"\x93NUMPY\x09\x00" + good[8:], "format version 9")):
            self.write("x.npy", content)
            result = self.scale("--arg", "in=@x.npy", "--arg", "out=zeros:f32:3", "--arg", "factor=2", "--dispatch", 3,
                                code=4 if message else 0)
            self.assertIn(message, result.err)

    def test_damaged_headers_never_crash(self):
        generator = random.Random(1)
        good = npy("<f4", "f", [1, 2, 3])
        for _ in range(60):
            damaged = bytearray(good)
            for _ in range(generator.randint(1, 4)):
                damaged[generator.randrange(90)] = generator.randrange(256)
            self.write("x.npy", bytes(damaged))
            self.scale("--interp", "--arg", "in=@x.npy", "--arg", "out=zeros:f32:3", "--arg", "factor=2", "--dispatch", 3,
                       code=(0, 2, 4))

    def test_a_full_disk_is_an_error(self):
        result = self.scale("--arg", "in=zeros:f32:4", "--arg", "out=zeros:f32:4", "--arg", "factor=1", "--dispatch", 4,
                            "--save", "out=/dev/full", code=4)
        self.assertIn("cannot write '/dev/full': No space left on device", result.err)

    def test_a_device_that_is_not_there(self):
        result = self.scale("--arg", "in=zeros:f32:4", "--dispatch", 4, env={"WEFT_DEVICE": "gpu"}, code=5)
        self.assertIn("there is no device 'gpu'; there are: cpu, interp", result.err)


if __name__ == "__main__":
    main()
