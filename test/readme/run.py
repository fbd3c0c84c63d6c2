#!/usr/bin/env python3
"""Checks that the README's C++ listings compile, and that its wrong lines give the errors that they promise.

A listing is a ```cpp block. It compiles as it stands, with warnings as errors; one without an #include after that of muster/muster.hpp, one with a __global__
kernel by nvcc alone. A wrong line is commented out and says its error:

    // the call;    // error: <text that the compiler's output must contain>   (<value, ...>; nvcc: Name=value, ...)

Switched on alone, it must be refused with that text, and with the numbers in parentheses as the compiler prints them: nvcc with their names.
"""

import argparse
import dataclasses
import importlib.util
import os
import pathlib
import re
import sys
import tempfile

specification = importlib.util.spec_from_file_location("fail_runner", pathlib.Path(__file__).parent.parent / "fail" / "run.py")
fail_runner = importlib.util.module_from_spec(specification)
sys.modules["fail_runner"] = fail_runner
specification.loader.exec_module(fail_runner)

WRONG_LINE = re.compile(r"(?P<indent>\s*)// (?P<code>.*;)\s+// error: (?P<text>.*?)(?:\s{2,}\((?P<values><[^>]*>); nvcc: (?P<numbers>\w+=[^)]*)\))?\s*")


@dataclasses.dataclass
class Listing:
    first_line: int
    lines: list

    @property
    def name(self):
        return f"the listing at line {self.first_line}"

    def wrong_lines(self):
        """(index, what it matches) of each; raises for one that cannot be read."""
        found = []
        for index, line in enumerate(self.lines):
            if "error:" in line:
                match = WRONG_LINE.fullmatch(line)
                if not match:
                    raise fail_runner.BadCase(f"line {self.first_line + index}: cannot read '{line.strip()}'")
                found.append((index, match))
        return found

    def source(self, switched_on=None):
        lines = list(self.lines)
        if switched_on is not None:
            index, match = switched_on
            lines[index] = match["indent"] + match["code"]
        includes = [] if any(line.startswith("#include") for line in lines) else ["#include <muster/muster.hpp>"]
        return "\n".join([*includes, *lines]) + "\n"


def listings_of(text):
    lines = text.splitlines()
    found = []
    for number, line in enumerate(lines):
        if line.strip() == "```cpp":
            end = next((n for n in range(number + 1, len(lines)) if lines[n].strip() == "```"), None)
            if end is None:
                raise fail_runner.BadCase(f"line {number + 1}: the block does not end")
            found.append(Listing(number + 2, lines[number + 1:end]))
    return found


def check(compiler, listing, folder, seconds):
    """Yields (what was checked, what is wrong with it or nothing, the compiler's output)."""
    source = pathlib.Path(folder) / "listing.cpp"
    source.write_text(listing.source(), encoding="utf-8")
    code, output = fail_runner.run(compiler.twin_command(str(source), []), seconds)
    yield listing.name, "" if code == 0 else "does not compile", output
    for wrong in listing.wrong_lines():
        index, match = wrong
        expected = [match["text"]]
        if match["numbers"]:
            expected += match["numbers"].split(", ") if compiler.kind == "nvcc" else [match["values"]]
        source.write_text(listing.source(wrong), encoding="utf-8")
        reason, output = fail_runner.judge(compiler, fail_runner.Case(source, expected), seconds)
        yield f"line {listing.first_line + index}, {match['code']}", reason, output


def main():
    parser = argparse.ArgumentParser(description="The README's C++ listings compile, and its wrong lines give the errors that they promise.")
    parser.add_argument("--kind", required=True, choices=["g++", "clang++", "nvcc"])
    parser.add_argument("--compiler", required=True, help="path; empty where there is none, which skips everything with a message")
    parser.add_argument("--include", action="append", default=[], help="an include folder")
    parser.add_argument("--seconds", type=int, default=180, help="time limit of one compilation")
    parser.add_argument("readme", type=pathlib.Path)
    options = parser.parse_args()

    if not options.compiler:
        print(f"skipped: no {options.kind} was found, so the README's listings are not compiled by it")
        return fail_runner.SKIPPED

    compiler = fail_runner.Compiler(options.kind, options.compiler, [os.path.abspath(folder) for folder in options.include])
    checked, failures, wrong_lines = 0, 0, 0
    try:
        listings = listings_of(options.readme.read_text(encoding="utf-8"))
        wrong_lines = sum(len(listing.wrong_lines()) for listing in listings)
        with tempfile.TemporaryDirectory() as folder:
            for listing in listings:
                if "__global__" in listing.source() and options.kind != "nvcc":
                    print(f"skip  {listing.name}: only nvcc, it has a __global__ kernel")
                    continue
                for what, reason, output in check(compiler, listing, folder, options.seconds):
                    checked += 1
                    failures += bool(reason)
                    print(f"FAIL  {what}: {reason}\n{fail_runner.shorten(output)}" if reason else f"ok    {what}", flush=True)
    except (fail_runner.BadCase, OSError, UnicodeDecodeError) as error:
        failures += 1
        print(f"FAIL  {options.readme.name}: {error}")
    if not wrong_lines and not failures:
        failures += 1
        print(f"FAIL  {options.readme.name}: has no listing with a wrong line, so nothing was checked")
    print(f"{options.kind}: {checked} listings and wrong lines checked, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
