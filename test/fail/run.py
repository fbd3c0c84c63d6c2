#!/usr/bin/env python3
"""Checks that programs which must not compile do not, for the right reason, and that their nearest twins do.

Each case is a short C++ file with one mistake:

    // expect: <text that the compiler's output must contain>      one or more; every one must appear
    // expect(g++): <text>                                         the same for one compiler: g++, clang++ or nvcc
    // only: nvcc, <reason>                                        other compilers skip the case, and say why
    // flags: -DNAME ...                                           definitions for this case
    #ifdef MUSTER_MISTAKE
      the mistake
    #else
      the twin: the nearest thing that is right
    #endif

With the mistake the compiler must refuse (a crash does not count) and say the text; it shows no source lines, so the file cannot match itself.
Mistakes are compiled several in one source first: a case is settled there by an error that names its file and says its text. The others are compiled alone.
Without it every case compiles, all of one compiler and the same flags in one source, with warnings as errors. So each case keeps its names in a namespace
of its own.
"""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77  # ctest's SKIP_RETURN_CODE

WARNINGS = ["-Wall", "-Wextra", "-Werror"]


@dataclasses.dataclass
class Compiler:
    kind: str
    path: str
    includes: list

    def command(self, arguments):
        include_flags = [f"-I{folder}" for folder in self.includes]
        return [self.path, "-std=c++20", *include_flags, *arguments]

    def mistake_commands(self, source, flags):
        """In order of cost; the next is tried where one accepts the source. nvcc's host pass sees what its device pass does not."""
        if self.kind == "nvcc":
            common = ["-DMUSTER_MISTAKE", *flags, "-x", "cu", "-arch=sm_90", "-Xcudafe", "--brief_diagnostics", "-o", os.devnull]
            return [self.command([*common, "-ptx", source]), self.command([*common, "-c", source])]
        quiet = {"g++": ["-fno-diagnostics-show-caret"], "clang++": ["-fno-caret-diagnostics", "-ferror-limit=0"]}[self.kind]
        return [self.command(["-DMUSTER_MISTAKE", *flags, "-fsyntax-only", *quiet, source])]

    def twin_command(self, source, flags):
        if self.kind == "nvcc":
            host = "-Xcompiler=" + ",".join(WARNINGS)
            return self.command([*flags, "-x", "cu", "-arch=sm_90", "-Werror", "all-warnings", host, "-c", "-o", os.devnull, source])
        return self.command([*flags, *WARNINGS, "-c", "-o", os.devnull, source])


@dataclasses.dataclass
class Case:
    path: pathlib.Path
    expected: list
    only: str = ""
    reason: str = ""
    flags: tuple = ()


class BadCase(Exception):
    pass


def read_case(path, kind):
    text = path.read_text(encoding="utf-8")
    case = Case(path, [])
    for line in text.splitlines():
        if not line.startswith("//"):
            if line.strip():
                break
            continue
        expect = re.fullmatch(r"// expect(?:\(([^)]+)\))?: (.+)", line)
        only = re.fullmatch(r"// only: ([^,]+), (.+)", line)
        flags = re.fullmatch(r"// flags:((?: -D\w+(?:=\w+)?)+)", line)
        if expect:
            if expect[1] not in (None, "g++", "clang++", "nvcc"):
                raise BadCase(f"expect({expect[1]}): the compilers are g++, clang++ and nvcc")
            if expect[1] in (None, kind):
                case.expected.append(expect[2].strip())
        elif only:
            case.only, case.reason = only[1].strip(), only[2].strip()
        elif flags:
            case.flags = tuple(flags[1].split())
        elif re.match(r"//\s*(expect|only|flags)\S*:", line):
            raise BadCase(f"cannot read '{line}'")
    if "MUSTER_MISTAKE" not in text:
        raise BadCase("has no mistake: nothing depends on MUSTER_MISTAKE")
    if not case.expected and case.only in ("", kind):
        raise BadCase(f"says no text to expect from {kind}: the first lines want '// expect: ...'")
    return case


def run(command, seconds):
    environment = dict(os.environ, LC_ALL="C", LANG="C")
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment,
                              timeout=seconds, check=False)
    except subprocess.TimeoutExpired as late:
        return None, (late.output or b"").decode(errors="replace")
    return done.returncode, done.stdout.decode(errors="replace")


BROKEN = re.compile(
    r"internal (compiler )?error|segmentation fault|died due to signal|PLEASE submit a (full )?bug report"
    r"|no such file or directory|file not found|cannot open source file|unrecogni[sz]ed (command|option)|unknown (argument|option)", re.IGNORECASE)


TOGETHER = 16  # mistakes in one source: nvcc gives up after 100 errors

HEADING = {"nvcc": re.compile(r"\(\d+\): (error|warning|remark)"), "g++": re.compile(r": (fatal )?error: "), "clang++": re.compile(r": (fatal )?error: ")}
NOTE = re.compile(r": (note|warning): ")


def diagnostics(output, kind):
    """The compiler's errors, each with all lines that belong to it."""
    blocks = []
    context = []  # g++ and clang++ say before an error where they are, and say it once for several errors; nvcc says it afterwards
    fresh = False
    for line in output.splitlines():
        if HEADING[kind].search(line):
            blocks.append([line] if kind == "nvcc" else [*context, line])
            fresh = False
        elif kind == "nvcc" or NOTE.search(line):
            if blocks:
                blocks[-1].append(line)
        else:
            context = [*context, line] if fresh else [line]
            fresh = True
    return ["\n".join(block) for block in blocks]


def judge_together(compiler, attempt, cases, folder, seconds):
    """The cases that an error settles when all are compiled in one source by one of the mistake_commands: {path: what the compiler says of it}."""
    together = pathlib.Path(folder) / f"mistakes_of_{cases[0].path.name}"
    together.write_text("".join(f'#include "{case.path}"\n' for case in cases), encoding="utf-8")
    code, output = run(compiler.mistake_commands(str(together), cases[0].flags)[attempt], seconds)
    if code is None or code <= 0 or code > 128 or BROKEN.search(output):
        return {}
    settled = {}
    blocks = diagnostics(output, compiler.kind)
    for case in cases:
        named = re.compile(re.escape(str(case.path)) + r"(?![\w.])")
        own = "\n".join(block for block in blocks if named.search(block))
        if own and all(text in own for text in case.expected):
            settled[case.path] = own
    return settled


def settle(compiler, cases, pool, seconds):
    """judge_together on all cases, some at a time; what one command leaves open, by the next. Each twice: of two mistakes that instantiate the same, one is told."""
    settled = {}
    for attempt in [attempt for attempt in range(len(compiler.mistake_commands("", ()))) for _ in range(2)]:
        groups = []
        for flags in sorted({case.flags for case in cases}):
            alike = [case for case in cases if case.flags == flags and case.path not in settled]
            groups += [alike[i:i + TOGETHER] for i in range(0, len(alike), TOGETHER)]
        with tempfile.TemporaryDirectory() as folder:
            judged = pool.map(lambda group: judge_together(compiler, attempt, group, folder, seconds) if len(group) > 1 else {}, groups)
            for result in judged:
                settled.update(result)
    return settled


def judge(compiler, case, seconds):
    """What is wrong with a case, or nothing; and the compiler's output."""
    for command in compiler.mistake_commands(str(case.path), case.flags):
        code, output = run(command, seconds)
        if code is None:
            return f"the compiler did not end within {seconds} s", output
        broken = BROKEN.search(output)
        if broken or code < 0 or code > 128:
            return f"the compiler broke down instead of refusing ({broken[0] if broken else f'exit code {code}'})", output
        if code != 0:
            break
    else:
        return "the mistake compiles", output
    absent = [text for text in case.expected if text not in output]
    if absent:
        return "refused, but not with the text " + " nor ".join(f"'{text}'" for text in absent), output
    return "", output


def compile_twins(compiler, cases, folder, seconds):
    """All twins of the same flags in one source; where that fails, each alone, to name the guilty. Returns (name, output) of each that fails."""
    failed = []
    for flags in sorted({case.flags for case in cases}):
        failed += compile_twins_together(compiler, [case for case in cases if case.flags == flags], flags, folder, seconds)
    return failed


def compile_twins_together(compiler, cases, flags, folder, seconds):
    together = pathlib.Path(folder) / "twins.cpp"
    together.write_text("".join(f'#include "{case.path}"\n' for case in cases), encoding="utf-8")
    code, output = run(compiler.twin_command(str(together), flags), seconds)
    if code == 0:
        return []
    alone = [(case.path.stem, *run(compiler.twin_command(str(case.path), flags), seconds)) for case in cases]
    return [(name, text) for name, code, text in alone if code != 0] or [("all twins in one source", output)]


def shorten(output, lines=25):
    kept = output.splitlines()
    tail = [f"... {len(kept) - lines} more lines"] if len(kept) > lines else []
    return "\n".join(f"      | {line}" for line in kept[:lines] + tail)


def main():
    parser = argparse.ArgumentParser(description="Compile-fail tests: exit code and text of each mistake, and its compiling twin.")
    parser.add_argument("--kind", required=True, choices=["g++", "clang++", "nvcc"])
    parser.add_argument("--compiler", required=True, help="path; empty where there is none, which skips everything with a message")
    parser.add_argument("--include", action="append", default=[], help="an include folder")
    parser.add_argument("--at-least", type=int, default=1, help="fail with fewer cases than this")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--seconds", type=int, default=180, help="time limit of one compilation")
    parser.add_argument("--verbose", action="store_true", help="show what the compiler said in every case")
    parser.add_argument("cases", nargs="*", type=pathlib.Path)
    options = parser.parse_args()

    if not options.compiler:
        print(f"skipped: no {options.kind} was found, so its messages are not checked here")
        return SKIPPED

    compiler = Compiler(options.kind, options.compiler, options.include)
    failures = 0
    cases = []
    for path in sorted(options.cases):
        try:
            case = read_case(path.resolve(), options.kind)
        except (BadCase, OSError, UnicodeDecodeError) as error:
            failures += 1
            print(f"FAIL  {path.stem}: {error}")
            continue
        if case.only not in ("", options.kind):
            print(f"skip  {case.path.stem}: only {case.only}, {case.reason}")
            continue
        cases.append(case)
    if len(options.cases) < options.at_least:
        failures += 1
        print(f"FAIL  {len(options.cases)} cases, expected at least {options.at_least}")

    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        twins = pool.submit(compile_twins, compiler, cases, folder, options.seconds * 2)  # takes the longest, so it begins
        settled = settle(compiler, cases, pool, options.seconds)
        judgements = pool.map(lambda case: ("", settled[case.path]) if case.path in settled else judge(compiler, case, options.seconds), cases)
        for case, (reason, output) in zip(cases, judgements):
            print(f"FAIL  {case.path.stem}: {reason}" if reason else f"ok    {case.path.stem}", flush=True)
            if reason or options.verbose:
                print(shorten(output), flush=True)
            failures += bool(reason)
        guilty = twins.result()

    for name, output in guilty:
        print(f"FAIL  {name}: the twin does not compile\n{shorten(output)}")
    failures += len(guilty)
    if cases and not guilty:
        print(f"ok    the twins of all {len(cases)} cases compile, with warnings as errors")

    print(f"{options.kind}: {len(cases)} cases run, {failures} failures; {len(settled)} mistakes were settled together")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
