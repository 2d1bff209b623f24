"""What the tests of weftc share: running it, and array files without NumPy."""

import ast
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

WEFTC, TEST_GRIDS = sys.argv[1:3]
ROOT = pathlib.Path(__file__).resolve().parents[2]

SCALE = """weft 1
kernel @scale(%in: buffer<f32>, %out: buffer<f32>, %factor: f32) block(64) {
  %x = read %in[dispatch_id.x]
  %y = mul %x, %factor
  write %out[dispatch_id.x], %y
}
"""


class Result:
    def __init__(self, process):
        self.code, self.out, self.err = process.returncode, process.stdout, process.stderr


class Case(unittest.TestCase):
    """A test with a folder of its own, in which weftc runs."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="weftc-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    def read(self, name):
        return (self.folder / name).read_bytes()

    def weftc(self, *arguments, code=0, stdin="", env=None, stdout=subprocess.PIPE):
        """Runs weftc, which must end with this exit code (or one of these), and with no signal."""
        process = subprocess.run([WEFTC, *map(str, arguments)], cwd=self.folder, input=stdin, stdout=stdout,
                                 stderr=subprocess.PIPE, text=True, timeout=120, env={**os.environ, **(env or {})})
        codes = code if isinstance(code, tuple) else (code,)
        self.assertIn(process.returncode, codes, f"{process.stdout}{process.stderr}")
        return Result(process)


def npy(descr, letter, values, shape=None, fortran=False, version=1, extra=""):
    """The bytes of an array file; `letter` is struct's for one value."""
    shape = (len(values),) if shape is None else shape
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, {extra}}}"
    length = struct.calcsize("<H" if version == 1 else "<I")
    header += " " * (-(6 + 2 + length + len(header) + 1) % 64) + "\n"
    head = b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(header))
    return head + header.encode() + struct.pack(f"<{len(values)}{letter}", *values)


def read_npy(data, letter):
    """(descr, shape, values) of an array file of version 1."""
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    (length,) = struct.unpack("<H", data[8:10])
    assert (10 + length) % 64 == 0
    header = ast.literal_eval(data[10:10 + length].decode())
    assert header["fortran_order"] is False
    body = data[10 + length:]
    return header["descr"], header["shape"], list(struct.unpack(f"<{len(body) // struct.calcsize(letter)}{letter}", body))


def main():
    unittest.main(argv=sys.argv[:1], verbosity=1)
