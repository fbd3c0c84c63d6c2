#!/usr/bin/env python3
"""Tests of the compile-fail runner itself: it must refuse every way in which a case can be wrong."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

RUNNER = pathlib.Path(__file__).with_name("run.py")
KIND = sys.argv.pop(1) if len(sys.argv) > 1 else "g++"
COMPILER = sys.argv.pop(1) if len(sys.argv) > 1 else KIND

GOOD = """// expect: width is a power of two
namespace good {
template <int Width> struct tile { static_assert((Width & (Width - 1)) == 0, "width is a power of two"); };
#ifdef MUSTER_MISTAKE
tile<3> t;
#else
tile<4> t;
#endif
}
"""


def run(sources, *options, compiler=COMPILER):
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, text in sources.items():
            path = pathlib.Path(folder) / f"{name}.cpp"
            path.write_text(text, encoding="utf-8")
            paths.append(str(path))
        done = subprocess.run([sys.executable, str(RUNNER), "--kind", KIND, "--compiler", compiler, *options, *paths],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


class Runner(unittest.TestCase):
    def expect(self, code, text, *arguments, **keywords):
        got, output = run(*arguments, **keywords)
        self.assertEqual(got, code, output)
        self.assertIn(text, output)

    def test_accepts_a_good_case(self):
        self.expect(0, "1 cases run, 0 failures", {"good": GOOD})

    def test_refuses_a_mistake_that_compiles(self):
        self.expect(1, "the mistake compiles", {"bad": GOOD.replace("tile<3>", "tile<8>")})

    def test_refuses_another_text(self):
        self.expect(1, "not with the text 'width is odd'", {"bad": GOOD.replace("// expect: width is a power of two", "// expect: width is odd")})

    def test_wants_every_text(self):
        self.expect(1, "not with the text 'width is odd'", {"bad": GOOD.replace("namespace", "// expect: width is odd\nnamespace", 1)})

    def test_does_not_take_the_source_line_for_a_message(self):
        self.expect(1, "not with the text 'tile<3> t;'", {"bad": GOOD.replace("// expect: width is a power of two", "// expect: tile<3> t;")})

    def test_refuses_a_twin_that_does_not_compile(self):
        self.expect(1, "the twin does not compile", {"good": GOOD, "bad": GOOD.replace("tile<4>", "tile<5>").replace("good", "bad")})

    def test_refuses_a_twin_with_warnings(self):
        self.expect(1, "the twin does not compile", {"bad": GOOD.replace("tile<4> t;", "inline int f(int unused) { return 0; }")})

    def test_refuses_a_case_without_text(self):
        self.expect(1, "says no text to expect", {"bad": GOOD.split("\n", 1)[1]})

    def test_refuses_a_case_without_mistake(self):
        self.expect(1, "has no mistake", {"bad": "// expect: x\n"})

    def test_refuses_a_misspelt_expectation(self):
        self.expect(1, "cannot read", {"bad": GOOD.replace("// expect:", "// expects:")})

    def test_refuses_too_few_cases(self):
        self.expect(1, "expected at least 2", {"good": GOOD}, "--at-least", "2")

    def test_does_not_take_a_missing_header_for_a_refusal(self):
        self.expect(1, "broke down", {"bad": "// expect: error\n#ifdef MUSTER_MISTAKE\n#include <no/such/header>\n#endif\n"})

    def test_does_not_take_a_crash_for_a_refusal(self):
        with tempfile.TemporaryDirectory() as folder:
            crashing = pathlib.Path(folder) / "crashing"
            crashing.write_text('#!/bin/sh\necho "width is a power of two"\nkill -SEGV $$\n', encoding="utf-8")
            crashing.chmod(0o755)
            self.expect(1, "broke down", {"bad": GOOD}, compiler=str(crashing))

    def test_heeds_texts_of_its_own_compiler_only(self):
        self.expect(0, "0 failures", {"good": GOOD.replace("namespace", "// expect(nvcc): something else\nnamespace", 1)})
        self.expect(1, "not with the text", {"bad": GOOD.replace("namespace", f"// expect({KIND}): something else\nnamespace", 1)})

    def test_compiles_with_the_flags_of_the_case(self):
        strict = GOOD.replace("template", "#ifndef STRICT\n#error not strict\n#endif\ntemplate", 1).replace("good", "strict")
        self.expect(1, "the twin does not compile", {"strict": strict})
        self.expect(0, "2 cases run, 0 failures", {"strict": "// flags: -DSTRICT\n" + strict, "good": GOOD})
        self.expect(1, "cannot read", {"strict": "// flags: -O2\n" + strict})

    def test_judges_each_mistake_by_itself_beside_others(self):
        other = GOOD.replace("good", "other").replace("a power of two", "eight")
        self.expect(0, "2 mistakes were settled together", {"good": GOOD, "other": other})
        self.expect(1, "FAIL  bad: the mistake compiles", {"good": GOOD, "bad": other.replace("tile<3>", "tile<8>")})
        self.expect(1, "FAIL  bad: refused, but not with the text 'width is a power of two'", {"good": GOOD, "bad": other.replace("is eight", "is a power of two", 1)})

    def test_skips_with_a_message(self):
        self.expect(0, "skip  other: only nvcc, it has the library", {"other": "// only: nvcc, it has the library\n" + GOOD, "good": GOOD})
        self.expect(77, f"skipped: no {KIND} was found", {"good": GOOD}, compiler="")


if __name__ == "__main__":
    unittest.main()
