"""What can be wrong with the solver's input is a clear error and exit code 1; what is right is solved by all executions."""

import pathlib
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
EXECUTIONS = ["levels", "graph", "fused"]


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


def expect(message, *arguments):
    result = run(*arguments)
    assert result.returncode > 0, f"{arguments}: no error, or a crash"
    assert message in result.stderr + result.stdout, f"{arguments}: {result.stdout}{result.stderr}"


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    header = "%%MatrixMarket matrix coordinate real symmetric\n"
    (folder / "singular.mtx").write_text(header + "2 2 3\n1 1 1\n2 1 1\n2 2 1\n")
    (folder / "zero.mtx").write_text(header + "2 2 0\n")
    (folder / "one_zero.mtx").write_text(header + "1 1 1\n1 1 0\n")
    (folder / "large_values.mtx").write_text(header + "2 2 2\n1 1 1e308\n2 1 1e308\n")
    (folder / "empty_rows.mtx").write_text(header + "2000000000 2000000000 1\n1 1 1\n")
    (folder / "not_symmetric.mtx").write_text(header.replace("symmetric", "general") + "2 2 2\n1 2 1\n2 1 3\n")
    (folder / "noise.mtx").write_bytes(bytes(range(256)) * 8)
    (folder / "noise.m").write_bytes(bytes(range(256)) * 8)
    (folder / "folder.mtx").mkdir()
    (folder / "folder.m").mkdir()
    (folder / "broken.mtx").write_text(header + "2 2 1\n1 1 one\n")
    (folder / "good.mtx").write_text(header + "2 2 3\n1 1 2\n2 1 1\n2 2 -3\n")
    (folder / "broken.m").write_text("mpc.baseMVA = 100;\nmpc.bus = [\n1 2 3\n];\n")
    (folder / "grid.txt").write_text("")
    expect("expected a file or --lattice N")
    expect("cannot be read", folder / "missing.mtx")
    expect("unknown ending", folder / "grid.txt")
    expect("broken.mtx:3: error: ", folder / "broken.mtx")
    expect("broken.m:3: error: ", folder / "broken.m")
    expect("--copies is for grids", folder / "good.mtx", "--copies", 2)
    expect("the matrix is singular", folder / "singular.mtx")
    expect("the matrix is singular", folder / "zero.mtx")
    expect("the matrix is singular", folder / "one_zero.mtx")
    expect("scale the matrix", folder / "large_values.mtx")
    expect("empty_rows.mtx:2: error: the matrix is singular", folder / "empty_rows.mtx")
    expect("not_symmetric.mtx:3: error: the matrix is not symmetric", folder / "not_symmetric.mtx")
    expect("noise.mtx:1: error: ", folder / "noise.mtx")
    expect("noise.m: error: no number is assigned", folder / "noise.m")
    expect("folder.mtx: error: cannot be read", folder / "folder.mtx")
    expect("folder.m: error: cannot be read", folder / "folder.m")
    expect("can be solved for", "--lattice", 4096, "--copies", 1024)
    expect("execution", "--lattice", 4, "--execution", "none")
    for arguments in ([folder / "good.mtx"], ["--lattice", 12, "--copies", 2, "--reproducible"]):
        result = run(*arguments)
        assert result.returncode == 0, result.stdout + result.stderr
        assert result.stdout.count("residual") == len(EXECUTIONS), result.stdout
        assert all(f"\n{execution} " in result.stdout for execution in EXECUTIONS), result.stdout
print("1 passed, 0 failed")
