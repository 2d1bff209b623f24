"""check, fmt, ops, env, help and exit codes."""

import json
import os
import unittest

from weftc import ROOT, SCALE, Case, main

BROKEN = """weft 1
kernel @broken(%out: buffer<f32>) block(1) {
  %n = thread_id.x
  write %out[0], %n
  nonsense %n
}
"""


class Check(Case):
    def test_a_good_file_says_nothing(self):
        result = self.weftc("check", self.write("a.weft", SCALE))
        self.assertEqual(result.out + result.err, "")

    def test_every_mistake_has_line_column_and_caret(self):
        result = self.weftc("check", self.write("a.weft", BROKEN), code=1)
        self.assertIn("a.weft:4:18: error: ", result.err)
        self.assertIn("    4 |   write %out[0], %n\n      |                  ^~\n", result.err)
        self.assertIn("a.weft:5:3: error: ", result.err)
        self.assertTrue(result.err.endswith("2 errors\n"), result.err)

    def test_mistakes_of_several_files_are_counted_together(self):
        self.write("a.weft", BROKEN)
        self.write("b.weft", BROKEN)
        self.assertTrue(self.weftc("check", "a.weft", "b.weft", code=1).err.endswith("4 errors\n"))

    def test_json_has_the_same(self):
        found = json.loads(self.weftc("check", "--json", self.write("a.weft", BROKEN), code=1).out)
        self.assertEqual([(d["file"], d["line"], d["severity"]) for d in found],
                         [("a.weft", 4, "error"), ("a.weft", 5, "error")])
        self.assertEqual(json.loads(self.weftc("check", "--json", self.write("b.weft", SCALE)).out), [])

    def test_bytes_that_are_no_text_are_a_mistake_like_others(self):
        self.write("a.weft", b"weft 1\nkernel @k() block(1) { \xff\x80 }\n")
        self.assertEqual(json.loads(self.weftc("check", "--json", "a.weft", code=1).out)[0]["line"], 2)

    def test_standard_input(self):
        self.assertIn("<stdin>:4:18: error: ", self.weftc("check", "-", stdin=BROKEN, code=1).err)

    def test_files_of_the_text_tests(self):
        for path in sorted((ROOT / "tests/text/run").rglob("*.weft")):
            self.weftc("check", path)
        for path in sorted((ROOT / "tests/text/errors").rglob("*.weft")):
            self.weftc("check", path, code=1)


class Fmt(Case):
    def test_one_layout(self):
        untidy = "weft   1\n\n\n; scales\nkernel @k( %out :buffer < f32 > ,%n:u32 )block( 8 ){ ; here\n" \
                 "%c=lt %n,3\nif %c{\nwrite %out[ 0 ],-1.0\n  }else {\n}\n\n\n}\n\n"
        tidy = "weft 1\n\n; scales\nkernel @k(%out: buffer<f32>, %n: u32) block(8) {  ; here\n" \
               "  %c = lt %n, 3\n  if %c {\n    write %out[0], -1.0\n  } else {\n  }\n\n}\n"
        self.assertEqual(self.weftc("fmt", self.write("a.weft", untidy)).out, tidy)

    def test_formatting_twice_changes_nothing_more_and_keeps_the_meaning(self):
        for path in sorted((ROOT / "tests/text").rglob("*.weft")):
            if "errors" in path.parts:
                continue
            once = self.weftc("fmt", path).out
            self.assertEqual(self.weftc("fmt", "-", stdin=once).out, once, path)
            squeeze = lambda text: "".join(text.split())
            self.assertEqual(squeeze(once), squeeze(path.read_text()), path)

    def test_check_and_in_place(self):
        self.write("a.weft", SCALE.replace("  %", "%"))
        self.assertIn("a.weft: error: is not formatted", self.weftc("fmt", "--check", "a.weft", code=1).err)
        self.weftc("fmt", "-i", "a.weft")
        self.assertEqual(self.read("a.weft").decode(), SCALE)
        self.weftc("fmt", "--check", "a.weft")

    def test_a_broken_file_is_left_alone(self):
        self.write("a.weft", BROKEN)
        self.assertIn("2 errors", self.weftc("fmt", "-i", "a.weft", code=1).err)
        self.assertEqual(self.read("a.weft").decode(), BROKEN)

    def test_standard_input_cannot_be_written_back(self):
        self.weftc("fmt", "-i", "-", stdin=SCALE, code=2)


class Reference(Case):
    def test_ops(self):
        ops = json.loads(self.weftc("ops", "--json").out)
        table = (ROOT / "codegen/ir/ops.def").read_text()
        self.assertEqual(len(ops), table.count("\nWEFT_OP("))
        self.assertIn("x / 0 = x", self.weftc("ops", "div").out)
        self.assertIn(self.weftc("ops", "--markdown").out, (ROOT / "docs/ir.md").read_text())
        self.weftc("ops", "--markdown", "--json", code=2)

    def test_env(self):
        table = (ROOT / "runtime/support/env.def").read_text()
        variables = json.loads(self.weftc("env", "--json", env={"WEFT_WIDTH": "8"}).out)
        self.assertEqual(len(variables), table.count("\nWEFT_ENV("))
        self.assertEqual([v["value"] for v in variables if v["name"] == "WEFT_WIDTH"], ["8"])
        self.assertIn("WEFT_WIDTH = 4", self.weftc("env", env={"WEFT_WIDTH": "4"}).out)
        self.assertIn("warning: environment variable WEFT_WIDTH is '5'", self.weftc("env", env={"WEFT_WIDTH": "5"}).out)
        self.assertIn(self.weftc("env", "--markdown").out, (ROOT / "docs/environment.md").read_text())


class CommandLine(Case):
    def test_help(self):
        self.assertIn("Exit codes:", self.weftc("--help").out)
        for command in ("check", "compile", "run", "fmt", "ops", "env"):
            self.assertIn("Usage: weftc " + command, self.weftc(command, "--help").out)
        self.assertTrue(self.weftc("--version").out.startswith("weftc "))

    def test_wrong_command_lines_are_usage_errors(self):
        for arguments in ([], ["nonsense"], ["check"], ["run"], ["run", "a.weft", "--nonsense"],
                          ["run", "a.weft", "--width", "3"], ["compile", "a.weft", "--emit", "poetry"]):
            self.weftc(*arguments, code=2)

    def test_a_wrong_word_is_named_with_those_there_are(self):
        self.write("scale.weft", SCALE)
        for arguments, message in (
                (["nonsense"], "there is no command 'nonsense'; there are: check, "),
                (["cache", "nonsense"], "there is no command 'nonsense'; there are: info, "),
                (["compile", "scale.weft", "--emit", "3"], "--emit: '3' is none of asm, ir, "),
                (["compile", "scale.weft", "--width", "3"], "--width: '3' is none of auto, 1, 4, 8, 16, 32"),
                (["compile", "scale.weft", "--cpu", "abacus"], "--cpu: abacus not in {native,")):
            self.assertIn(message, self.weftc(*arguments, code=2).err)
        self.weftc("compile", "scale.weft", "--width", "auto")

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_output_that_cannot_be_written_is_a_file_error(self):
        for arguments in (["--help"], ["env"], ["ops"], ["ops", "--json"]):
            with open("/dev/full", "w") as full:
                self.assertIn("cannot write to standard output", self.weftc(*arguments, code=4, stdout=full).err)

    def test_files_that_cannot_be_read(self):
        for command in ("check", "fmt", "compile"):
            self.assertIn("cannot open 'none.weft': No such file", self.weftc(command, "none.weft", code=4).err)
        self.weftc("check", self.folder, code=4)


if __name__ == "__main__":
    main()
