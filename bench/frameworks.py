#!/usr/bin/env python3
"""Row softmax by muster, PyTorch, torch.compile and Triton beside a copy of the same bytes: on the same buffers, in one process, taking turns.

  cmake --build build/cuda --target bench_softmax_library
  python3 bench/frameworks.py --library build/cuda/bin/libmuster_softmax.so --out softmax.json

Times are medians over CUDA events. Where input and output are small, a call is a node of a CUDA graph that goes through many buffers, and other memory is read before
each replay, so that no input lies in L2; what a graph costs itself is taken off by a shorter one. Else a call is a launch behind another one. The error beside a time is
the largest of sampled rows against float64, relative to the largest result of its row. The output file is written anew after each shape; what was left out stands in it
with the reason. bench/report.py draws it.
torch.compile and Triton keep what they compile in TORCHINDUCTOR_CACHE_DIR and TRITON_CACHE_DIR: a second run is much shorter, and tunes what the first had no time for.
"""

import argparse
import datetime
import os
import platform
import re
import signal
import sys
import time
import warnings

from figures import cells as shapes
from figures import result_file

ALLOWED_ERROR = {"f32": 1e-5, "f16": 1e-2, "bf16": 1e-2}
SMALL_BYTES = 512 << 20  # input and output; a launch that moves more is longer than what it costs the host


def fail(text, status=2):
    print(f"frameworks.py: {text}", file=sys.stderr)
    sys.exit(status)


def elements_of(text):
    match = re.fullmatch(r"2\^([0-9]{1,2})|([0-9]+)", text)
    if match is None or not 1 <= (elements := 1 << int(match[1]) if match[1] else int(match[2])) <= 1 << 34:
        raise argparse.ArgumentTypeError(f"no number of elements: {text!r} (write 268435456 or 2^28)")
    return elements


def expression_of(text):
    try:
        return re.compile(text)
    except re.error as reason:
        raise argparse.ArgumentTypeError(f"no regular expression: {text!r}: {reason}") from None


def arguments(argv):
    parser = argparse.ArgumentParser(prog="frameworks.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True, help="bench_softmax_library's file")
    parser.add_argument("--out", required=True, help="the results, in Google Benchmark's JSON form")
    parser.add_argument("--elements", type=elements_of, help="of a matrix whose rows are not few (2^28)")
    parser.add_argument("--repetitions", type=int, help="of each call (11)")
    parser.add_argument("--cells", type=expression_of, help="only shapes in whose name, as f16/n:1024 or f32/rows:4/n:32768, this regular expression is found")
    parser.add_argument("--peers", type=expression_of, help="only these besides the copy, likewise")
    parser.add_argument("--autotune-seconds", type=float, default=120, help="for torch.compile's max-autotune in all, spread evenly over the shapes (%(default)s)")
    parser.add_argument("--autotune-cell-seconds", type=float, default=25, help="the same for one shape (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="a few shapes of 2^24 elements, to see that everything works: no figures to quote")
    options = parser.parse_args(argv)
    options.elements = options.elements or (1 << 24 if options.quick else 1 << 28)
    if options.repetitions is None:
        options.repetitions = 5 if options.quick else 11
    if options.repetitions < 1:
        fail("--repetitions must be at least 1")
    expression = options.cells or re.compile(shapes.QUICK if options.quick else "")
    options.chosen = [cell for cell in shapes.all_cells() if expression.search(cell.name) and (cell.rows or cell.columns <= options.elements)]
    measurable = [peer for peer in shapes.PEERS if peer not in ("copy", "oneflow")]
    if options.peers is not None and not any(options.peers.search(peer) for peer in measurable):
        fail(f"--peers {options.peers.pattern!r} is found in no peer's name: {', '.join(measurable)}")
    if not options.chosen:
        fail(f"--cells {expression.pattern!r} is found in no shape's name")
    if not os.path.isfile(options.library):
        fail(f"there is no library {options.library}: build it by `cmake --build build/cuda --target bench_softmax_library`")
    if not os.path.isdir(os.path.dirname(os.path.abspath(options.out))):
        fail(f"there is no folder for --out {options.out}")
    return options


def usable_torch():
    """PyTorch with a GPU; else ends with 77, as the other benchmarks do."""
    try:
        import torch
    except ImportError as reason:
        fail(f"PyTorch is missing ({reason}); nothing was measured", 77)
    if not torch.cuda.is_available():
        fail("PyTorch sees no CUDA device; nothing was measured", 77)
    return torch


def context_of(torch, library, options):
    gpu = torch.cuda.get_device_properties(0)
    cuda, cub = library.versions()
    context = {"date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "executable": "bench/frameworks.py", "gpu": gpu.name,
               "gpu_multiprocessors": gpu.multi_processor_count, "gpu_l2_bytes": gpu.L2_cache_size, "cuda_runtime": cuda, "cub_version": cub,
               "pytorch": torch.__version__, "pytorch_cuda": torch.version.cuda, "python": platform.python_version(), "elements": options.elements,
               "repetitions": options.repetitions}
    try:
        import triton
        context["triton"] = triton.__version__
    except ImportError:
        context["triton"] = "none"
    try:  # the driver's own version is not in PyTorch's interface; the kernel module tells it
        with open("/proc/driver/nvidia/version", encoding="ascii") as file:
            context["driver"] = re.search(r"[0-9]+\.[0-9]+(\.[0-9]+)?", file.readline())[0]
    except (OSError, TypeError):
        context["driver"] = "unknown"
    return context


class Memory:
    """One input and one output of a type, large enough for every shape that was asked for, of which shapes use a part; small ones several parts in turn."""

    def __init__(self, torch, options):
        self._torch, self._options = torch, options
        self._type, self._in, self._out = None, None, None
        self._l2 = torch.cuda.get_device_properties(0).L2_cache_size

    def _parts(self, cell):
        """Rows, how many pairs of buffers, and how many values from one to the next: copies are slow between addresses that are aligned less than what cudaMalloc gives."""
        rows = cell.rows or self._options.elements // cell.columns
        values = -(-rows * cell.columns // 256) * 256
        bytes = 2 * values * cell.bytes_of_value
        return rows, 1 if bytes > SMALL_BYTES else min(128, max(16, 2 * self._l2 // bytes)), values

    def pairs(self, cell):
        from figures.peers import TORCH_TYPES
        torch = self._torch
        if self._type != cell.type:
            self._type, self._in, self._out = cell.type, None, None
            torch.cuda.empty_cache()
            room = max(parts * values for same in self._options.chosen if same.type == cell.type for _, parts, values in [self._parts(same)])
            self._in = torch.empty(room, dtype=TORCH_TYPES[cell.type], device="cuda")
            torch.manual_seed(7)
            for part in self._in.split(1 << 28):
                part.normal_(0, 2)
            self._out = torch.empty_like(self._in)
        rows, parts, values = self._parts(cell)
        return [tuple(whole[i * values:][:rows * cell.columns].view(rows, cell.columns) for whole in (self._in, self._out)) for i in range(parts)]


def one_line(error):
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0][:300] if text else ''}"


def measure_cell(torch, cell, peers, pairs, options, results):
    """Times every peer that can do this cell. Returns whether muster was right, and a line for a person."""
    from figures import gpu_timing
    from figures.peers import LeftOut, begin_cell, error_of

    begin_cell()
    begun = time.monotonic()
    x, y = pairs[0]
    calls = []
    for peer in peers:
        try:
            function, counters = peer.of(cell, x, y)
            y.fill_(float("nan"))
            result = function(x, y)
            if peer.name != "copy":
                counters["error"] = error_of(x, result)
            del result
            calls.append((peer.name, function if len(pairs) == 1 else gpu_timing.CapturePair(function, pairs), counters))
        except LeftOut as reason:
            results.leave_out(shapes.name_of(peer.name, cell), f"left out: {reason}")
        except Exception as error:
            torch.cuda.synchronize()  # raises where the GPU itself is in error: then nothing more can be measured
            results.leave_out(shapes.name_of(peer.name, cell), one_line(error))
            print(f"{cell.name}: {peer.name} failed: {one_line(error)}", file=sys.stderr, flush=True)
    prepared = time.monotonic()
    functions = [call for _, call, _ in calls]
    if len(pairs) == 1:
        times = gpu_timing.seconds_of_calls([lambda call=call: call(x, y) for call in functions], options.repetitions)
    else:
        times = gpu_timing.seconds_of_captures(functions, options.repetitions)
    medians = {name: gpu_timing.median_and_spread(taken) for (name, _, _), taken in zip(calls, times)}
    copied = medians["copy"][0] if "copy" in medians else None
    bytes = 2 * x.numel() * x.element_size()
    text, right = [], all(peer.name != "muster" for peer in peers)
    for name, _, counters in calls:
        seconds, spread = medians[name]
        wrong = not counters.get("error", 0) <= ALLOWED_ERROR[cell.type]
        if wrong:
            counters["wrong"] = True
        elif name == "muster":
            right = True
        of_copy = {"of_copy": copied / seconds, "copy_gb_per_second": bytes / copied * 1e-9} if copied else {}
        results.add(shapes.name_of(name, cell), seconds * 1e9, len(pairs), options.repetitions,
                    {**of_copy, "gb_per_second": bytes / seconds * 1e-9, "spread": spread, "rows": x.shape[0], **counters})
        text.append(f"{name} {of_copy.get('of_copy', 0):.3f}{' WRONG' if wrong else ''}" if name != "copy" else f"copy {seconds * 1e3:.4f} ms")
    return right, f"{cell.name}: {', '.join(text)} (prepared in {prepared - begun:.1f} s, timed in {time.monotonic() - prepared:.1f} s)"


def main(argv):
    options = arguments(argv)
    torch = usable_torch()
    warnings.filterwarnings("ignore", module="torch")  # what its compiler could do better is no news here
    from figures import gpu_timing
    from figures.peers import Library, all_peers

    try:
        library = Library(options.library)
    except (OSError, AttributeError) as reason:
        fail(f"{options.library} is not bench_softmax_library: {reason}")
    peers = [peer for peer in all_peers(library, len(options.chosen), options.autotune_seconds, options.autotune_cell_seconds)
             if peer.name == "copy" or options.peers is None or options.peers.search(peer.name)]
    results = result_file.Writer(options.out, context_of(torch, library, options))

    empty = gpu_timing.CapturePair(lambda x, y: library.empty_kernel(), [(None, None)] * 128)
    seconds, spread = gpu_timing.median_and_spread(gpu_timing.seconds_of_captures([empty], 5 * options.repetitions)[0])
    results.add("launch/empty_kernel", seconds * 1e9, empty.calls, 5 * options.repetitions, {"spread": spread})
    print(f"empty kernel: {seconds * 1e6:.2f} us", file=sys.stderr, flush=True)

    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    memory, all_right = Memory(torch, options), True
    for number, cell in enumerate(options.chosen, 1):
        try:
            right, text = measure_cell(torch, cell, peers, memory.pairs(cell), options, results)
        finally:
            results.flush()
        all_right = all_right and right
        print(f"[{number}/{len(options.chosen)}] {text}", file=sys.stderr, flush=True)
        if cell.rows:
            torch.cuda.empty_cache()  # each graph has memory of its own
    return 0 if all_right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
