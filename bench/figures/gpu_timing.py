"""Times of calls that take turns on one GPU, by CUDA events."""

import gc
import statistics

import torch

L2_BYTES_READ = 256 << 20  # several times what any L2 holds


class Capture:
    """A CUDA graph of one call on each pair of buffers in turn. What the calls return lives as long as the graph, so that each has memory of its own."""

    def __init__(self, call, pairs):
        self._graph, self.calls = torch.cuda.CUDAGraph(), len(pairs)
        stream = torch.cuda.Stream()
        torch.cuda.synchronize()
        collecting = gc.isenabled()
        gc.disable()  # what it frees could be device memory, which a capture forbids
        try:
            with torch.cuda.stream(stream):
                self._graph.capture_begin()
                try:
                    self._results = [call(x, y) for x, y in pairs]
                except BaseException:
                    try:
                        self._graph.capture_end()
                    except RuntimeError:
                        pass  # the reason is the first error
                    raise
                self._graph.capture_end()
        finally:
            if collecting:
                gc.enable()
        torch.cuda.synchronize()

    def replay(self):
        self._graph.replay()


def seconds_of_calls(calls, repetitions):
    """For each function the seconds of `repetitions` calls. Each runs twice in a row and the second time counts: what the one before it leaves unwritten in L2 would
    be on its time, and the launch is hidden behind the first."""
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    times = [[] for _ in calls]
    for _ in range(repetitions):
        for call, taken in zip(calls, times):
            call()
            begin.record()
            call()
            end.record()
            end.synchronize()
            taken.append(begin.elapsed_time(end) * 1e-3)
    return times


class CapturePair:
    """A call in a long graph, of every pair of buffers, and in a short one, of the first quarter of them: what they differ by are the later calls, without what a graph costs."""

    def __init__(self, call, pairs):
        if len(pairs) < 4:
            raise ValueError(f"{len(pairs)} pairs of buffers are too few for two graphs")
        self.long, self.short = Capture(call, pairs), Capture(call, pairs[:len(pairs) // 4])
        self.calls = self.long.calls - self.short.calls


def seconds_of_captures(captures, repetitions):
    """For each CapturePair the seconds of one of its calls, in each repetition. Other memory is read before each replay, so that no input lies in L2."""
    other = torch.zeros(L2_BYTES_READ // 4, device="cuda")
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)

    def seconds_of(graph):
        other.sum()
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) * 1e-3

    for capture in captures:
        capture.short.replay()
        capture.long.replay()
    times = [[] for _ in captures]
    for _ in range(repetitions):
        for capture, taken in zip(captures, times):
            taken.append((seconds_of(capture.long) - seconds_of(capture.short)) / capture.calls)
    return times


def median_and_spread(times):
    """The median, and by how much of it the middle half of the times spreads."""
    ordered = sorted(times)
    median = statistics.median(ordered)
    return median, (ordered[(3 * len(ordered) - 1) // 4] - ordered[len(ordered) // 4]) / median
