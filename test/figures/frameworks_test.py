"""bench/frameworks.py where nothing can be measured: each wrong argument has its message, nothing is written, and results that were written stay whole."""

import contextlib
import io
import json
import os
import sys
import tempfile
import types
import unittest
import unittest.mock

sys.dont_write_bytecode = True
BENCH = sys.argv.pop(1)
sys.path.insert(0, BENCH)
import frameworks  # noqa: E402
from figures import result_file  # noqa: E402


class Frameworks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.library, self.out = os.path.join(self.folder, "library.so"), os.path.join(self.folder, "out.json")
        with open(self.library, "w", encoding="utf-8") as file:
            file.write("no library")

    def run_frameworks(self, *arguments, torch=None):
        """(exit status, what it said), where `import torch` gives this module, or fails."""
        said = io.StringIO()
        with contextlib.redirect_stderr(said), unittest.mock.patch.dict(sys.modules, {"torch": torch}):
            try:
                status = frameworks.main(arguments)
            except SystemExit as end:
                status = end.code
        return status, said.getvalue()

    def check(self, done, status, text):
        self.assertEqual(done[0], status, done[1])
        self.assertIn(text, done[1])
        self.assertFalse(os.path.exists(self.out))

    def test_wrong_arguments(self):
        usual = ("--library", self.library, "--out", self.out)
        self.check(self.run_frameworks(), 2, "--library")
        self.check(self.run_frameworks("--library", self.folder + "/none.so", "--out", self.out), 2, "there is no library")
        self.check(self.run_frameworks("--library", self.library, "--out", self.folder + "/none/out.json"), 2, "there is no folder")
        for elements in ("2^", "-4", "0", "many", "2^999"):
            self.check(self.run_frameworks(*usual, f"--elements={elements}"), 2, "no number of elements")
        self.check(self.run_frameworks(*usual, "--cells", "f32("), 2, "no regular expression")
        self.check(self.run_frameworks(*usual, "--cells", "f64"), 2, "found in no shape's name")
        self.check(self.run_frameworks(*usual, "--peers", "jax"), 2, "found in no peer's name")
        self.check(self.run_frameworks(*usual, "--repetitions", "0"), 2, "--repetitions")

    def test_without_pytorch_or_gpu_nothing_is_measured(self):
        usual = ("--library", self.library, "--out", self.out)
        self.check(self.run_frameworks(*usual), 77, "PyTorch is missing")
        self.check(self.run_frameworks(*usual, torch=types.SimpleNamespace(cuda=types.SimpleNamespace(is_available=lambda: False))), 77, "PyTorch sees no CUDA device")

    def test_results_are_whole_after_each_write(self):
        results = result_file.Writer(self.out, {"gpu": "one"})
        self.assertEqual(result_file.read(self.out), ({"gpu": "one"}, []))
        results.add("softmax/muster/f32/n:8", 12.5, 1, 11, {"of_copy": 0.5})
        results.leave_out("softmax/triton/f32/n:8", "left out: no time")
        results.flush()
        _, entries = result_file.read(self.out)
        self.assertEqual([entry["name"] for entry in entries], ["softmax/muster/f32/n:8", "softmax/triton/f32/n:8"])
        self.assertEqual((entries[0]["real_time"], entries[0]["time_unit"], entries[1]["error_message"]), (12.5, "ns", "left out: no time"))
        with self.assertRaises(TypeError):
            result_file.replace_file(self.out, json)  # no text: the old file stays
        self.assertEqual(len(result_file.read(self.out)[1]), 2)
        self.assertEqual(sorted(os.listdir(self.folder)), ["library.so", "out.json"])


if __name__ == "__main__":
    unittest.main()
