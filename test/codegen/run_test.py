#!/usr/bin/env python3
"""Checks that run.py catches what it is there for: pairs whose typed side is worse on purpose, one in each way, and one pair that is right.

    run_test.py --nvcc NVCC --include FOLDER --work FOLDER

Exit code: 0 all as expected, 1 not, 77 nvcc is missing.
"""

import argparse
import pathlib
import subprocess
import sys

SKIPPED = 77
RUNNER = pathlib.Path(__file__).with_name("run.py")

# Name, what `typed` does to v, what `hand` does, the comment after PAIR, the level that must object, and the text it must say; no text: nothing to object to.
CASES = [
    ("same", "v += __shfl_xor_sync(~0u, v, 1);", "v += __shfl_xor_sync(~0u, v, 1);", "shfl 1, setp 0", "ptx", ""),
    ("same_code", "v += __shfl_xor_sync(~0u, v, 1);", "v += __shfl_xor_sync(~0u, v, 1);", "", "sass", ""),
    ("one_shuffle_more", "v += __shfl_xor_sync(~0u, v, 1); v += __shfl_xor_sync(~0u, v, 2);", "v += __shfl_xor_sync(~0u, v, 1);", "", "ptx", "2 shfl, hand-written 1"),
    ("comparison", "if (int const t = __shfl_up_sync(~0u, v, 1); pairs::lane() > 0) v += t;", "v += __shfl_up_sync(~0u, v, 1);", "", "ptx", "1 setp, hand-written 0"),
    ("branch", "if (v > 3) __syncwarp(1); ", "if (v > 3) v = 1; __syncwarp(1);", "", "ptx", "1 bra, hand-written 0"),
    ("vote", "v = __any_sync(~0u, v);", "v = v > 0;", "", "ptx", "1 vote, hand-written 0"),
    ("known_count", "v += __shfl_xor_sync(~0u, v, 1);", "v += __shfl_xor_sync(~0u, v, 1);", "shfl 2", "ptx", "1 shfl, known to need 2"),
    ("computed_mask", "v += __shfl_xor_sync(255u << (pairs::lane() & 24), v, 1);", "v += __shfl_xor_sync(~0u, v, 1);", "", "ptx", "a membermask is computed at run time"),
    ("computed_asm_mask", 'asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, %1;" : "+r"(v) : "r"(v | 1));', "v += __shfl_xor_sync(~0u, v, 1);", "", "ptx",
     "a membermask is computed at run time"),
    ("local_memory", "int t[40]; for (int i = 0; i < 40; ++i) t[i] = v * i; v = t[v & 31] + t[v % 40];", "v += 1;", "", "ptx", "bytes of local memory"),
    ("convergence_check", "v += __shfl_xor_sync(255u << (pairs::lane() & 24), v, 1);", "v += __shfl_xor_sync(~0u, v, 1);", "", "sass", "hand-written 0"),
    ("match", "v = __match_any_sync(~0u, v);", "v += 1;", "", "sass", "1 MATCH, hand-written 0"),
    ("redux", "v = __reduce_add_sync(~0u, v);", "v += 1;", "", "sass", "1 REDUX, hand-written 0"),
]


def source_of(level):
    lines = ['#include "pairs.hpp"', "namespace pairs {"]
    pairs = []
    for name, typed, hand, comment, case_level, _ in CASES:
        if case_level != level:
            continue
        lines.append(f"struct {name} {{ using type = int;")
        lines.append(f"  static __device__ int typed(auto, int v) {{ {typed} return v; }}")
        lines.append(f"  static __device__ int hand(int v) {{ {hand} return v; }} }};")
        pairs.append(f"PAIR({name}, pairs::{name})" + (f"  // {comment}" if comment else ""))
    return "\n".join([*lines, "}", *pairs, ""])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nvcc", default="")
    parser.add_argument("--include", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, str(RUNNER), f"--nvcc={options.nvcc}", "--include", options.include, "--work", str(options.work), "--arch", "sm_90"]

    failures = []
    checked = 0
    for level in ["ptx", "sass"]:
        source = options.work / f"self_test_{level}.cu"
        source.write_text(source_of(level))
        result = subprocess.run([*command, "--level", level, str(source)], capture_output=True, text=True, check=False)
        if result.returncode == SKIPPED:
            print(result.stderr, file=sys.stderr, end="")
            if level == "ptx":
                return SKIPPED
            continue
        if result.returncode != 1:
            failures.append(f"{level}: exit code {result.returncode}, expected 1")
        for name, *_, case_level, text in CASES:
            if case_level != level:
                continue
            checked += 1
            said = [line for line in result.stdout.splitlines() if line.strip().startswith(f"{source.name} sm_90 {name}:")]
            if text and not any(text in line for line in said):
                failures.append(f"{level}: {name}: expected '{text}', got {said or 'no objection'}")
            if not text and said:
                failures.append(f"{level}: {name}: expected no objection, got {said}")
        if failures:
            print(result.stdout + result.stderr)

    broken = options.work / "self_test_broken.cu"
    for text, expected in [("int x = ;\n#define PAIR(...)\nPAIR(a, b)\n", "error"), ("// nothing\n", "no PAIR"), ("PAIR(a, b)  // shfl three\n", "is not an instruction")]:
        broken.write_text(text)
        checked += 1
        result = subprocess.run([*command, "--level", "ptx", str(broken)], capture_output=True, text=True, check=False)
        if result.returncode != 2 or expected not in result.stderr:
            failures.append(f"broken source: exit code {result.returncode}, expected 2 and '{expected}' in: {result.stderr}")
    for failure in failures:
        print(failure)
    print(f"{checked} cases, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
