#!/usr/bin/env python3
"""Compares the machine code of muster's calls with that of hand-written intrinsics.

A source holds pairs of kernels, pair_NAME__muster and pair_NAME__hand (pairs.hpp), and after PAIR(NAME, ...) the counts that are known:

    PAIR(sum_f32_8, sum<float, 8>)  // shfl 3, setp 0

--level ptx   for each architecture, in muster's kernel: at most as many of shfl, vote, redux, bar.warp, bra, setp, match as in the hand-written one; exactly
              the known counts; every membermask a constant where the hand-written ones are; no local memory (as ptxas reports it).
--level sass  in muster's kernel: no MATCH, VOTEU, REDUX, BRA.DIV, WARPSYNC, CALL where the hand-written one has none. Where both have some, counts are shown
              only: ptxas decides anew in each kernel after which shuffle it checks convergence again, and differs by one or two either way. Needs nvdisasm or
              cuobjdump: on PATH, in the toolkit, or of the wheels nvidia-cuda-nvdisasm, nvidia-cuda-cuobjdump of this Python.

Both print a table. Exit code: 0 all hold, 1 some do not, 77 a tool is missing (said on stderr), 2 something else failed.
"""

import argparse
import collections
import dataclasses
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77  # ctest's SKIP_RETURN_CODE

PTX_LIMITS = ["shfl", "vote", "redux", "bar.warp", "bra", "setp", "match"]
SASS_ABSENT = ["MATCH", "VOTEU", "REDUX", "BRA.DIV", "WARPSYNC", "CALL"]
SASS_SHOWN = ["SHFL", "VOTE", "ISETP", "SEL", *SASS_ABSENT]


class CannotRun(Exception):
    pass


def run(command):
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise CannotRun(f"{command[0]} does not start: {error}") from error
    if result.returncode != 0:
        raise CannotRun(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout + result.stderr


@dataclasses.dataclass
class Kernel:
    count: collections.Counter  # of each instruction, by its name up to the first, the second and the third dot: shfl, bar.warp, cp.async.cg
    masks: list  # of PTX: the membermask operands, each an integer or None where it is computed at run time
    local_bytes: int = 0
    registers: int = 0

    @property
    def total(self):
        return self.count["total"]


def read_statement(text):
    """The instruction's full name and its operands; the guard predicate is left out."""
    text = re.sub(r"^@!?\S+\s+", "", " ".join(text.split()))
    name, _, operands = text.partition(" ")
    return name.strip(), operands.strip()


def add_instruction(count, name):
    if not name or name.startswith("."):
        return
    parts = name.split(".")
    count["total"] += 1
    count[parts[0]] += 1
    for length in range(2, min(len(parts), 3) + 1):
        count[".".join(parts[:length])] += 1


def mask_operand(name, operands):
    """The membermask of a warp instruction, as it stands in PTX; None if the instruction has none."""
    if re.match(r"(shfl|vote|match|redux)\.sync|vote\.\S*sync", name):
        return operands.split(",")[-1].strip()
    return operands if name == "bar.warp.sync" else None


def block_at(text, start):
    """What stands between the brace at `start` and its partner."""
    depth = 0
    for brace in re.finditer(r"[{}]", text[start:]):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return text[start + 1 : start + brace.start()]
    raise CannotRun("PTX with unbalanced braces")


def parse_ptx(text):
    kernels = {}
    text = re.sub(r"//[^\n]*", "", text)
    for entry in re.finditer(r"\.entry\s+(\w+)\s*\([^)]*\)[^{]*", text):
        name, body = entry[1], block_at(text, entry.end())
        body = re.sub(r"(?m)^\s*\$?\w+:", "", body)
        count, masks, values, writes = collections.Counter(), [], {}, collections.Counter()
        for statement in body.split(";"):
            instruction, operands = read_statement(statement.lstrip("{} \t\n"))
            add_instruction(count, instruction)
            if re.match(r"mov\.[bus]32$", instruction):
                target, _, source = operands.partition(",")
                writes[target.strip()] += 1
                values[target.strip()] = source.strip()
            mask = mask_operand(instruction, operands)
            if mask is not None:
                masks.append(mask)
        kernels[name] = Kernel(count, [constant_of(mask, values, writes) for mask in masks])
    return kernels


def constant_of(operand, values, writes):
    """The value of an operand that is a number, or a register that a single mov sets to one."""
    for _ in range(4):
        if re.fullmatch(r"-?(0x[0-9a-fA-F]+|\d+)", operand):
            return int(operand, 0) & 0xFFFFFFFF
        if writes[operand] != 1:
            return None
        operand = values[operand]
    return None


def parse_resources(text, kernels):
    """ptxas -v: registers, stack and spills of each kernel."""
    for name, block in re.findall(r"Compiling entry function '(\w+)' for(.*?)(?=Compiling entry function|\Z)", text, re.DOTALL):
        if name not in kernels:
            continue
        kernels[name].local_bytes = sum(int(n) for n in re.findall(r"(\d+) bytes (?:stack frame|spill stores|spill loads)", block))
        found = re.search(r"Used (\d+) registers", block)
        kernels[name].registers = int(found[1]) if found else 0


def parse_sass(text):
    """What nvdisasm -c and cuobjdump -sass print."""
    kernels = {}
    current = None
    for line in text.splitlines():
        start = re.search(r"\.section\s+\.text\.(\w+)|Function : (\w+)", line)
        if start:
            current = kernels.setdefault(start[1] or start[2], Kernel(collections.Counter(), []))
        instruction = re.search(r"/\*[0-9a-f]{4,}\*/\s+(.*?)\s*;", line)
        if current and instruction:
            name, _ = read_statement(instruction[1])
            if name != "NOP":
                add_instruction(current.count, name)
    return kernels


def find_disassembler(nvcc):
    """nvdisasm or cuobjdump, and the option that makes it print machine code; None if there is neither."""
    folders = [pathlib.Path(nvcc).resolve().parent] if nvcc else []
    for entry in sys.path:
        folders += sorted(pathlib.Path(entry or ".").glob("nvidia/*/bin"))
    for tool, option in [("nvdisasm", "-c"), ("cuobjdump", "-sass")]:
        found = shutil.which(tool) or next((str(f / tool) for f in folders if os.access(f / tool, os.X_OK)), None)
        if found:
            return [found, option]
    return None


def compile_source(options, source, architecture):
    """PTX text, ptxas's report and the machine code's file; kept in the work folder under a key of everything they are made from."""
    command = [options.nvcc, "-std=c++20", f"-arch={architecture}", "-Werror", "all-warnings", f"-I{options.include}", f"-I{pathlib.Path(__file__).parent}", *options.flag]
    key = hashlib.sha256(" ".join(command).encode())
    headers = sorted(pathlib.Path(options.include).rglob("*.hpp")) + sorted(pathlib.Path(__file__).parent.glob("*.hpp"))
    for file in [source, *headers]:
        key.update(file.read_bytes())
    folder = pathlib.Path(options.work) / f"{source.stem}.{architecture}.{key.hexdigest()[:16]}"
    cubin, report = folder / "code.cubin", folder / "ptxas.txt"
    if not report.exists():
        for old in pathlib.Path(options.work).glob(f"{source.stem}.{architecture}.*"):
            shutil.rmtree(old, ignore_errors=True)
        folder.mkdir(parents=True)
        text = run([*command, "-cubin", "-Xptxas", "-v", "-keep", "-keep-dir", folder, "-o", cubin, source])
        report.write_text(text)
    ptx = next(folder.glob("*.ptx"))
    return ptx.read_text(), report.read_text(), cubin


def known_counts(source):
    """From the comments: {pair: {instruction: count}}, in the order of the file."""
    known = {}
    for name, comment in re.findall(r"(?m)^PAIR\((\w+),.*?\)(?:\s*//\s*(.*))?$", source.read_text()):
        known[name] = {}
        for item in filter(None, (part.strip() for part in comment.split(","))):
            found = re.fullmatch(r"([\w.]+) (\d+)", item)
            if not found:
                raise CannotRun(f"{source}: PAIR({name}, ...): '{item}' is not an instruction and a count")
            known[name][found[1]] = int(found[2])
    if not known:
        raise CannotRun(f"{source}: no PAIR(...) in it")
    return known


def pair_of(kernels, name, source):
    try:
        return kernels[f"pair_{name}__muster"], kernels[f"pair_{name}__hand"]
    except KeyError as missing:
        raise CannotRun(f"{source}: PAIR({name}, ...): kernel {missing} was not found in the compiled code") from missing


def ptx_violations(ours, hand, known):
    for instruction in PTX_LIMITS:
        if ours.count[instruction] > hand.count[instruction]:
            yield f"{ours.count[instruction]} {instruction}, hand-written {hand.count[instruction]}"
    for instruction, count in known.items():
        if ours.count[instruction] != count:
            yield f"{ours.count[instruction]} {instruction}, known to need {count}"
    if None in ours.masks and None not in hand.masks:
        yield "a membermask is computed at run time, hand-written all are constants"
    if ours.local_bytes > 0:
        yield f"{ours.local_bytes} bytes of local memory"


def sass_violations(ours, hand):
    for instruction in SASS_ABSENT:
        if ours.count[instruction] > 0 and hand.count[instruction] == 0:
            yield f"{ours.count[instruction]} {instruction}, hand-written 0"


def compare(options, source, architecture, disassembler, totals):
    """Prints a line for each pair, adds to the totals, and returns the violations as text."""
    known = known_counts(source)
    ptx_text, report, cubin = compile_source(options, source, architecture)
    shown = PTX_LIMITS
    if disassembler:
        kernels = parse_sass(run([*disassembler, cubin]))
        shown = SASS_SHOWN
    else:
        kernels = parse_ptx(ptx_text)
        parse_resources(report, kernels)
    print(f"\n{source.name} {architecture}: muster/hand-written")
    print(f"{'':28}{'all':>9}" + "".join(f"{instruction:>9}" for instruction in shown) + ("" if disassembler else f"{'regs':>9}"))
    violations = []
    for name, counts in known.items():
        ours, hand = pair_of(kernels, name, source)
        cells = [f"{ours.total}/{hand.total}"]
        cells += [f"{ours.count[i]}/{hand.count[i]}" if ours.count[i] or hand.count[i] else "." for i in shown]
        if not disassembler:
            cells.append(f"{ours.registers}/{hand.registers}")
        found = list(sass_violations(ours, hand) if disassembler else ptx_violations(ours, hand, counts))
        print(f"{name:28}" + "".join(f"{cell:>9}" for cell in cells) + (f"  <-- {'; '.join(found)}" if found else ""))
        violations += [f"{source.name} {architecture} {name}: {text}" for text in found]
        totals["muster"] += ours.total
        totals["hand"] += hand.total
    return violations


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", choices=["ptx", "sass"], required=True)
    parser.add_argument("--nvcc", default="", help="nvcc; empty: there is none, and the test is skipped")
    parser.add_argument("--include", required=True, help="the folder of muster's headers")
    parser.add_argument("--work", required=True, help="a folder for what is compiled")
    parser.add_argument("--arch", action="append", help="an architecture; may be repeated (default: sm_80 and sm_90)")
    parser.add_argument("--flag", action="append", default=[], help="a further flag for nvcc; may be repeated")
    parser.add_argument("sources", nargs="+", type=pathlib.Path)
    options = parser.parse_args()

    if not options.nvcc:
        print("skipped: there is no nvcc, so there is no device code to look at", file=sys.stderr)
        return SKIPPED
    disassembler = None
    if options.level == "sass":
        disassembler = find_disassembler(options.nvcc)
        if not disassembler:
            print("skipped: neither nvdisasm nor cuobjdump on PATH, beside nvcc or in this Python's wheels (pip install nvidia-cuda-nvdisasm)", file=sys.stderr)
            return SKIPPED
    violations = []
    pairs = 0
    totals = collections.Counter()
    for source in options.sources:
        for architecture in options.arch or ["sm_80", "sm_90"]:
            violations += compare(options, source, architecture, disassembler, totals)
            pairs += len(known_counts(source))
    print(f"\n{pairs} comparisons, {len(violations)} violations; {totals['muster']} instructions, hand-written {totals['hand']}")
    for violation in violations:
        print(f"  {violation}")
    return 1 if violations else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CannotRun as error:
        print(error, file=sys.stderr)
        sys.exit(2)
