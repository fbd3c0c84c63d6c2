"""Who computes a row softmax: each peer makes, for one shape, a function (x, y) that returns its result: y, or memory of its own where that is how it is used."""

import ctypes
import signal
import time

import torch

TORCH_TYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}


class LeftOut(Exception):
    """Why a peer is not measured in a cell."""


class Library:
    """muster's row softmax through bench_softmax_library."""

    def __init__(self, path):
        self._functions = ctypes.CDLL(path)
        text, pointer, number = ctypes.c_char_p, ctypes.c_void_p, ctypes.c_longlong
        self._functions.muster_softmax.argtypes = (text, pointer, pointer, number, number, number, number, pointer)
        self._functions.muster_empty_kernel.argtypes = (pointer,)
        self._functions.muster_error_text.restype = text

    def versions(self):
        cuda, cub = self._functions.muster_cuda_version(), self._functions.muster_cub_version()
        return f"{cuda // 1000}.{cuda % 1000 // 10}", f"{cub // 100000}.{cub // 100 % 1000}.{cub % 100}"

    def _check(self, status):
        if status:
            raise RuntimeError(self._functions.muster_error_text().decode())

    def softmax(self, type, x, y):
        self._check(self._functions.muster_softmax(type, x.data_ptr(), y.data_ptr(), x.shape[0], x.shape[1], 0, 0, torch.cuda.current_stream().cuda_stream))

    def empty_kernel(self):
        self._check(self._functions.muster_empty_kernel(torch.cuda.current_stream().cuda_stream))


class Peer:
    """name; of(cell, x, y): the function for this cell, compiled, and counters that say more of it. Raises LeftOut."""

    def __init__(self, name):
        self.name = name


class Copy(Peer):
    def of(self, cell, x, y):
        return (lambda x, y: y.copy_(x)), {}


class Muster(Peer):
    def __init__(self, name, library):
        super().__init__(name)
        self._library = library

    def of(self, cell, x, y):
        type = cell.type.encode()

        def softmax(x, y):
            self._library.softmax(type, x, y)
            return y

        return softmax, {}


class Eager(Peer):
    """torch.softmax: no row is shared by two blocks."""

    def of(self, cell, x, y):
        return (lambda x, y: torch.softmax(x, -1)), {"multiprocessors_used": min(x.shape[0], torch.cuda.get_device_properties(0).multi_processor_count)}


class TimeIsUp(BaseException):
    """Not an Exception: the compiler would take that for an error of its own and go on."""


def _stop(number, frame):
    raise TimeIsUp


class Compiled(Peer):
    """torch.compile for exactly this shape. seconds: what may be spent on all cells, spread evenly over them; seconds_of_cell: on one."""

    def __init__(self, name, function, mode=None, cells=1, seconds=None, seconds_of_cell=None):
        super().__init__(name)
        self._function, self._mode, self._cells = function, mode, cells
        self._seconds, self._seconds_of_cell = seconds, seconds_of_cell
        self._seen, self._spent = 0, 0.0

    def of(self, cell, x, y):
        self._seen += 1
        if self._seconds is not None and self._spent >= self._seconds * self._seen / self._cells:
            raise LeftOut(f"the time to tune was spent on cells before this one: {self._seconds:g} s for {self._cells} cells (--autotune-seconds)")
        compiled = torch.compile(self._function, mode=self._mode, fullgraph=True, dynamic=False)
        begun = time.monotonic()
        if self._seconds_of_cell is not None:
            signal.signal(signal.SIGALRM, _stop)
            signal.setitimer(signal.ITIMER_REAL, self._seconds_of_cell)
        try:
            compiled(x)
            torch.cuda.synchronize()
        except TimeIsUp:
            torch._dynamo.reset()
            raise LeftOut(f"tuning took more than {self._seconds_of_cell:g} s (--autotune-cell-seconds)") from None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self._spent += time.monotonic() - begun
        return (lambda x, y: compiled(x)), {"compile_seconds": round(time.monotonic() - begun, 3)}


class Triton(Peer):
    def of(self, cell, x, y):
        from figures import triton_softmax

        if cell.columns > triton_softmax.LARGEST_BLOCK:
            raise LeftOut(f"a program holds the whole row, and compiling blocks of more than {triton_softmax.LARGEST_BLOCK} values takes minutes")
        softmax, multiprocessors = triton_softmax.make_softmax(x, y)
        return softmax, {"multiprocessors_used": multiprocessors}


def all_peers(library, cells, autotune_seconds, autotune_cell_seconds):
    """In the order in which they take turns. Two functions for torch.compile, because it keeps what it compiled by the function's code."""
    return [Copy("copy"), Muster("muster", library), Eager("torch"), Compiled("torch_compile", lambda x: torch.softmax(x, -1)),
            Compiled("torch_compile_max_autotune", lambda x: torch.softmax(x, -1), "max-autotune-no-cudagraphs", cells, autotune_seconds, autotune_cell_seconds),
            Triton("triton")]


def begin_cell():
    """Forgets what torch.compile has compiled: after eight shapes of a function it would run that function as it is, without a word."""
    torch._dynamo.reset()


def error_of(x, result):
    """The largest error of sampled rows against float64, relative to the largest result of its row; enormous where a result is no number."""
    rows, columns = x.shape
    samples = min(rows, max(2, min(64, (1 << 19) // columns)))
    at = torch.linspace(0, rows - 1, samples, dtype=torch.float64).long().to(x.device)
    exponentials = x[at].double()
    exponentials = (exponentials - exponentials.amax(-1, keepdim=True)).exp_()
    sums = exponentials.sum(-1, keepdim=True)
    return (result[at].double() * sums - exponentials).abs_().nan_to_num_(nan=1e300).max().item()
