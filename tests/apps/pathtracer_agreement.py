"""The path tracer's three schedulers give the same picture and the same trace, byte for byte, at every pack width and
number of threads, and on the interpreter; and the persistent one keeps more than 4 MiB of frames at width 1."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM, SCENE = sys.argv[1], sys.argv[2]

# A mesh without materials: a tetrahedron over a square with a hole, all of odd sizes.
MESH = """v 0 0 0
v 1.7 0 0.1
v 0.6 1.9 0
v 0.7 0.5 1.3
v -2 -0.1 -2
v 3 -0.1 -2
v 3 -0.1 3
v -2 -0.1 3
f 1 3 2
f 1 2 4
f 2 3 4
f 3 1 4
f 8 7 6 5
"""


def run(folder, scene, name, *options, environment=None):
    picture, trace = folder / f"{name}.pfm", folder / f"{name}.trace"
    command = [PROGRAM, str(scene), "--size", "40x24", "--samples", "2", "-o", str(picture), "--trace", str(trace), *options]
    result = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(environment or {})})
    assert result.returncode == 0, f"{command}\n{result.stdout}{result.stderr}"
    return picture.read_bytes(), trace.read_bytes(), result.stdout + result.stderr


def check_agreement(folder, scene):
    picture, trace, _ = run(folder, scene, "reference", "--device", "interp")
    assert len(set(picture)) > 20, "the picture is empty"
    for scheduler in ("megakernel", "wavefront", "persistent"):
        for width in (1, 8, 16):
            for threads in (1, 2):
                options = ("--scheduler", scheduler, "--width", str(width), "--threads", str(threads))
                other_picture, other_trace, _ = run(folder, scene, "other", *options)
                assert other_picture == picture, f"{scene}: another picture with {options}"
                assert other_trace == trace, f"{scene}: another trace with {options}"


def check_frames(folder):
    options = ("--scheduler", "persistent", "--width", "1", "--threads", "1")
    _, _, output = run(folder, SCENE, "frames", *options, environment={"WEFT_LOG": "debug"})
    peaks = [int(n.replace(",", "")) for n in re.findall(r"high-water mark\D*([\d,]+) bytes", output)]
    assert peaks and max(peaks) > 4 << 20, f"high-water marks {peaks}\n{output[-2000:]}"


with tempfile.TemporaryDirectory() as name:
    temporary = pathlib.Path(name)
    mesh = temporary / "mesh.obj"
    mesh.write_text(MESH)
    check_agreement(temporary, SCENE)
    check_agreement(temporary, mesh)
    check_frames(temporary)
print("1 passed, 0 failed")
