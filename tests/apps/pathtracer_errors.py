"""What can be wrong with the path tracer's input is a clear error, exit code 1, and no file is left behind."""

import pathlib
import subprocess
import sys
import tempfile

PROGRAM, SCENE = sys.argv[1], sys.argv[2]
TINY = ["--size", "8x8", "--samples", "1"]


def expect(message, *arguments):
    result = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    assert result.returncode != 0, f"{arguments}: no error"
    assert message in result.stderr + result.stdout, f"{arguments}: {result.stdout}{result.stderr}"


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "empty.obj").write_text("v 0 0 0\n")
    (folder / "flat.obj").write_text("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n")
    (folder / "outside.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n")
    picture = folder / "picture.png"
    expect("no such file", folder / "missing.obj", *TINY)
    expect("no faces", folder / "empty.obj", *TINY)
    expect("no faces", folder / "flat.obj", *TINY)
    expect("outside.obj", folder / "outside.obj", *TINY)
    expect("expected WIDTHxHEIGHT", SCENE, "--size", "8", "-o", picture)
    expect("expected WIDTHxHEIGHT", SCENE, "--size", "0x8", "-o", picture)
    expect("scheduler", SCENE, "--scheduler", "none")
    expect("width", SCENE, "--width", "3")
    expect("interp", SCENE, *TINY, "--device", "gpu")
    expect("unknown ending", SCENE, *TINY, "-o", folder / "picture.bmp")
    expect("No such file", SCENE, *TINY, "-o", folder / "nowhere" / "picture.png")
    assert not list(folder.glob("picture*")), list(folder.glob("picture*"))
print("1 passed, 0 failed")
