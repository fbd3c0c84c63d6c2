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

    def test_what_a_graph_costs_is_on_no_call(self):
        gpu = GpuOfOneStream(seconds_of_call=2e-6, seconds_of_graph=15e-6)
        with unittest.mock.patch.dict(sys.modules, {"torch": gpu.torch()}):
            from figures import gpu_timing
            captures = [gpu_timing.CapturePair(lambda x, y: gpu.call(), [(None, None)] * parts) for parts in (16, 128)]
            self.assertEqual([capture.calls for capture in captures], [12, 96])
            for taken in gpu_timing.seconds_of_captures(captures, 3):
                self.assertEqual(len(taken), 3)
                for seconds in taken:
                    self.assertAlmostEqual(seconds, 2e-6, delta=1e-12)


class GpuOfOneStream:
    """As much of PyTorch as gpu_timing asks for, with a clock that a replay moves."""

    def __init__(self, seconds_of_call, seconds_of_graph):
        self._call, self._graph, self._now, self._captured = seconds_of_call, seconds_of_graph, 0.0, 0

    def call(self):
        self._captured += 1

    def torch(self):
        gpu = self

        class CUDAGraph:
            def capture_begin(self):
                gpu._captured = 0

            def capture_end(self):
                self._calls = gpu._captured

            def replay(self):
                gpu._now += gpu._graph + self._calls * gpu._call

        class Event:
            def __init__(self, enable_timing):
                assert enable_timing

            def record(self):
                self.at = gpu._now

            def synchronize(self):
                pass

            def elapsed_time(self, end):
                return (end.at - self.at) * 1e3

        def read_all():
            gpu._now += 1e-3

        cuda = types.SimpleNamespace(CUDAGraph=CUDAGraph, Event=Event, Stream=lambda: None, stream=lambda stream: contextlib.nullcontext(), synchronize=lambda: None)
        return types.SimpleNamespace(cuda=cuda, zeros=lambda count, device: types.SimpleNamespace(sum=read_all))


if __name__ == "__main__":
    unittest.main()
