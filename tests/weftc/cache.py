"""cache: one folder that many processes share, and what weftc tells of it."""

import concurrent.futures
import json
import stat

from weftc import SCALE, Case, main

RUN = ["--arg", "in=iota::3", "--arg", "out=zeros::3", "--arg", "factor=2", "--dispatch", 3, "--print", "out"]


class Cache(Case):
    def setUp(self):
        super().setUp()
        self.write("scale.weft", SCALE)
        self.env = {"WEFT_CACHE": "on", "WEFT_CACHE_DIR": str(self.folder / "cache"), "WEFT_LOG": "info"}

    def run_scale(self, *arguments, **env):
        """Whether the kernel came from the cache; what was logged."""
        result = self.weftc("run", "scale.weft", *RUN, *arguments, env={**self.env, **env})
        self.assertEqual(result.out, "out = 0.0 2.0 4.0\n")
        return "from the cache" in result.err, result.err

    def cache(self, *arguments, **options):
        return self.weftc("cache", *arguments, env=self.env, **options)

    def files(self):
        return sorted((self.folder / "cache").iterdir())

    def test_the_next_process_finds_a_kernel(self):
        self.assertFalse(self.run_scale()[0])
        self.assertTrue(self.run_scale()[0])
        self.assertFalse(self.run_scale("--width", 4)[0])
        self.assertFalse(self.run_scale(WEFT_CACHE="off")[0])

    def test_the_stages_are_logged(self):
        cold, warm = self.run_scale()[1], self.run_scale()[1]
        for stage in "look_up", "prepare", "lower", "optimise", "generate", "link", "store":
            self.assertIn(stage, cold)
            self.assertEqual(stage in ("look_up", "link"), stage in warm, warm)
        self.assertIn("link", self.run_scale(WEFT_LOG="warn", WEFT_TIME="1")[1])

    def test_many_processes_share_a_folder(self):
        widths = [1, 4, 8, 16, 32]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            runs = [pool.submit(self.run_scale, "--width", widths[i % 5], WEFT_LOG="warn", WEFT_CACHE_MIB="1")
                    for i in range(40)]
            for run in runs:
                self.assertEqual(run.result()[1], "")
        self.assertEqual(len(self.files()), 5)
        self.cache("verify")

    def test_many_processes_repair_a_damaged_file(self):
        self.run_scale()
        file, = self.files()
        whole = file.read_bytes()
        for damaged in b"", whole[:-1], whole[:1000] + b"x" + whole[1001:], b"\0" * len(whole):
            file.write_bytes(damaged)
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                list(pool.map(lambda _: self.run_scale(), range(8)))
            self.assertTrue(self.run_scale()[0])
            self.assertEqual(len(self.files()), 1)

    def test_a_full_or_read_only_disk_is_no_error(self):
        for place in "/dev/full", "/proc/weft", str(self.folder / "scale.weft"):
            from_cache, log = self.run_scale(WEFT_CACHE_DIR=place)
            self.assertFalse(from_cache)
            self.assertIn("shader cache", log)

    def test_info_list_verify_and_clear(self):
        self.assertIn("0 kernels", self.cache("info").out)
        self.run_scale()
        self.run_scale("--width", 8)
        info = json.loads(self.cache("info", "--json").out)
        self.assertEqual((info["kernels"], info["folder"]), (2, str(self.folder / "cache")))
        self.assertEqual(info["size_bytes"], sum(f.stat().st_size for f in self.files()))
        listed = json.loads(self.cache("list", "--json").out)
        self.assertEqual({(e["kernel"], e["pack_width"]) for e in listed}, {("scale", 16), ("scale", 8)})
        self.assertIn("scale (pack width 8)", self.cache("list").out)
        self.assertEqual(self.cache("verify").out, "")
        damaged = self.files()[0]
        damaged.write_bytes(damaged.read_bytes()[:-1])
        self.assertIn(f"{damaged.name}  not usable: it is truncated", self.cache("verify", code=4).out)
        self.assertEqual(self.cache("clear", "--damaged").out, "1 kernel removed\n")
        self.assertEqual(len(self.files()), 1)
        (self.folder / "cache" / "notes.txt").write_text("mine")
        self.assertEqual(json.loads(self.cache("clear", "--json").out), {"removed": 1, "not_removed": 0})
        self.assertEqual([f.name for f in self.files()], ["notes.txt"])
        other = self.weftc("cache", "info", "--dir", "elsewhere", env=self.env).out
        self.assertIn("elsewhere", other)

    def test_the_cache_is_where_the_environment_says(self):
        del self.env["WEFT_CACHE_DIR"]
        home = {"HOME": str(self.folder / "home"), "XDG_CACHE_HOME": ""}
        self.assertFalse(self.run_scale(**home)[0])
        self.assertEqual(len(list((self.folder / "home/.cache/weft").iterdir())), 1)
        home["XDG_CACHE_HOME"] = "relative"  # counts as unset
        self.assertTrue(self.run_scale(**home)[0])
        self.assertFalse(self.run_scale(HOME="", XDG_CACHE_HOME="")[0])

    def test_files_are_for_their_owner_to_write(self):
        self.run_scale()
        mode = self.files()[0].stat().st_mode
        self.assertEqual(mode & (stat.S_IWGRP | stat.S_IWOTH), 0)


main()
