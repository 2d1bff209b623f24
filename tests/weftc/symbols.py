"""Kernels in gdb and perf: names, lines, the files that perf reads. What needs a tool that is not there is skipped."""

import os
import pathlib
import re
import shutil
import struct
import subprocess
import unittest

from weftc import WEFTC, Case, main

# Line 8 is in the part after the barrier.
SHADE = """weft 1
kernel @shade(%in: buffer<f32>, %out: buffer<f32>) block(64) {
  %tile = shared array<f32, 64>
  %x = read %in[dispatch_id.x]
  store %tile[thread_id.x], %x
  barrier
  %y = load %tile[0]
  %z = add %x, %y
  write %out[dispatch_id.x], %z
}
"""
ARGUMENTS = ["--arg", "in=iota::100", "--arg", "out=zeros::100", "--dispatch", 100, "--threads", 1]


class Symbols(Case):
    def setUp(self):
        super().setUp()
        self.write("shade.weft", SHADE)
        self.environment = {"WEFT_CACHE_DIR": str(self.folder / "cache"), "WEFT_CACHE": "on"}

    def entries(self):
        return len(list((self.folder / "cache").rglob("*.weftobj")))


@unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
class Gdb(Symbols):
    def backtrace(self, *arguments, **environment):
        """The frames of a run that stops at line 8; nothing if it does not."""
        commands = ["set breakpoint pending on", "set confirm off", "set debuginfod enabled off", "break shade.weft:8", "run", "bt"]
        run = [WEFTC, "run", "shade.weft", *map(str, ARGUMENTS), *map(str, arguments)]
        process = subprocess.run(["gdb", "-q", "-nx", "-batch", *(a for c in commands for a in ("-ex", c)), "--args", *run],
                                 cwd=self.folder, capture_output=True, text=True, timeout=300,
                                 env={**os.environ, **self.environment, **environment})
        return re.findall(r"^#\d+ +(?:0x\w+ in )?(.*)$", process.stdout, re.M)

    def test_a_backtrace_names_kernel_and_line_in_every_form(self):
        for arguments in (["--form", "fission"], ["--form", "coroutines"], ["--width", 1], ["--effort", "minimal"]):
            with self.subTest(arguments):
                frames = self.backtrace(*arguments, WEFT_DEBUG_INFO="1")
                self.assertTrue(frames and re.match(r"shade[.\w]* \(.*\) at shade.weft:8$", frames[0]), frames[:3])
                self.assertTrue(any(re.match(r"shade \(.*\) at shade.weft:2$", frame) for frame in frames), frames[:4])
                self.assertTrue(any("run_blocks" in frame for frame in frames), "the frames below the kernel are found")

    def test_cached_kernels_have_them_too(self):
        self.assertTrue(self.backtrace(WEFT_DEBUG_INFO="1"))
        self.assertEqual(self.entries(), 1)
        self.assertRegex(self.backtrace(WEFT_DEBUG_INFO="1")[0], "shade.weft:8$")
        self.assertEqual(self.entries(), 1)

    def test_without_debug_information_there_are_no_lines(self):
        self.assertEqual(self.backtrace(), [])


class Objects(Symbols):
    def object(self, *arguments):
        self.weftc("compile", "shade.weft", "--emit", "obj", "-o", "k.o", *arguments)
        return self.read("k.o")

    def test_debug_information_is_made_when_it_is_asked_for(self):
        self.assertNotIn(b".debug_line", self.object())
        self.assertIn(b".debug_line", self.object("-g"))

    def test_it_is_part_of_the_cache_s_key(self):
        for value, count in (("0", 1), ("1", 2), ("0", 2), ("1", 2)):
            self.weftc("run", "shade.weft", *ARGUMENTS, env={**self.environment, "WEFT_DEBUG_INFO": value})
            self.assertEqual(self.entries(), count)

    def test_results_stay_the_same(self):
        for value in ("0", "1"):
            self.weftc("run", "shade.weft", *ARGUMENTS, "--save", f"out={value}.npy",
                       env={**self.environment, "WEFT_DEBUG_INFO": value})
        self.assertEqual(self.read("0.npy"), self.read("1.npy"))


class Perf(Symbols):
    def run_with(self, form, *arguments):
        """Runs the kernel; gives the file that perf would read, taken away from where it was written."""
        process = subprocess.Popen([WEFTC, "run", "shade.weft", *map(str, ARGUMENTS), *map(str, arguments)], cwd=self.folder,
                                   env={**os.environ, **self.environment, "WEFT_PERF": form}, stdout=subprocess.DEVNULL)
        self.assertEqual(process.wait(timeout=120), 0)
        path = pathlib.Path(f"/tmp/perf-{process.pid}.map" if form == "map" else f"/tmp/jit-{process.pid}.dump")
        if not path.exists():
            return None
        self.addCleanup(path.unlink)
        return path.read_bytes()

    def test_the_map_names_functions(self):
        for arguments in ([], ["--form", "coroutines"]):
            lines = self.run_with("map", *arguments).decode().splitlines()
            functions = [re.match(r"([0-9a-f]+) ([0-9a-f]+) (shade[.\w]*)$", line) for line in lines]
            self.assertTrue(functions and all(functions), lines)
            self.assertIn("shade", [function.group(3) for function in functions])
            self.assertTrue(all(int(function.group(2), 16) > 0 for function in functions))

    def records(self, dump):
        magic, version, size, machine = struct.unpack_from("<4I", dump)
        self.assertEqual((magic, version, size, machine), (0x4A695444, 1, 40, 62))
        at = size
        while at < len(dump):
            kind, length, _ = struct.unpack_from("<IIQ", dump, at)
            yield kind, dump[at + 16:at + length]
            at += length
        self.assertEqual(at, len(dump))

    def test_the_dump_holds_code_and_lines(self):
        for _ in ("compiled", "from the cache"):
            code, lines = {}, {}
            for kind, body in self.records(self.run_with("jitdump")):
                if kind == 0:
                    _, _, _, address, size, _ = struct.unpack_from("<IIQQQQ", body)
                    name, rest = body[40:].split(b"\0", 1)
                    self.assertEqual(len(rest), size)
                    code[name.decode()] = (address, size)
                else:
                    address, count = struct.unpack_from("<QQ", body)
                    body = body[16:]
                    for _ in range(count):
                        at, line, _ = struct.unpack_from("<QII", body)
                        file, body = body[16:].split(b"\0", 1)
                        lines.setdefault(address, []).append((at, line, file.decode()))
            address, size = code["shade"]
            self.assertTrue({4, 9} <= {line for _, line, _ in lines[address]}, lines)
            self.assertTrue(all(address <= at < address + size and file == "shade.weft" for at, _, file in lines[address]))
        self.assertEqual(self.entries(), 1)

    def test_nothing_is_written_by_default(self):
        self.assertIsNone(self.run_with("off"))


if __name__ == "__main__":
    main()
