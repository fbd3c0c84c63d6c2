"""Row softmax in Triton, fused, in the shape that its users write: a program holds a whole row in one power-of-two block and goes on to the next row."""

import torch
import triton
import triton.language as tl

LARGEST_BLOCK = 131072  # of two or four bytes; compiling larger ones takes minutes


@triton.jit
def softmax_rows(out, values, rows, columns, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = at < columns
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=STAGES):
        begin = row.to(tl.int64) * columns
        x = tl.load(values + begin + at, mask=inside, other=-float("inf")).to(tl.float32)
        e = tl.exp(x - tl.max(x, axis=0))
        tl.store(out + begin + at, (e / tl.sum(e, axis=0)).to(out.dtype.element_ty), mask=inside)


def warps_of(block):
    """As many threads as a row gives eight or sixteen values each, at least 4 warps and at most 32."""
    return min(max(block // 512, 4), 32)


def make_softmax(x, y):
    """A function (x, y) -> y for matrices of this shape and type, and how many multiprocessors it can keep busy. As many programs as registers and shared memory of the
    GPU take at once."""
    gpu = torch.cuda.get_device_properties(0)
    rows, columns = x.shape
    block = triton.next_power_of_2(columns)
    warps = warps_of(block)
    stages = max(1, min(4, 200_000 // (block * x.element_size())))
    compiled = softmax_rows.warmup(y, x, rows, columns, BLOCK=block, STAGES=stages, num_warps=warps, grid=(1,))
    compiled._init_handles()
    by_registers = gpu.regs_per_multiprocessor // (max(compiled.n_regs, 16) * 32 * warps)
    by_memory = gpu.shared_memory_per_multiprocessor // (compiled.metadata.shared + 1024)
    at_once = max(1, min(by_registers, by_memory, gpu.max_threads_per_multi_processor // (32 * warps)))
    programs = min(rows, gpu.multi_processor_count * at_once)

    def softmax(x, y):
        softmax_rows[(programs,)](y, x, rows, columns, BLOCK=block, STAGES=stages, num_warps=warps)
        return y

    return softmax, min(programs, gpu.multi_processor_count)
