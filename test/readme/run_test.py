#!/usr/bin/env python3
"""Tests of the README's runner itself: it must notice every way in which a listing can be wrong."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

RUNNER = pathlib.Path(__file__).with_name("run.py")
KIND = sys.argv.pop(1) if len(sys.argv) > 1 else "g++"
COMPILER = sys.argv.pop(1) if len(sys.argv) > 1 else KIND

GOOD = """# A library

```cpp
template <int Width> struct tile { static_assert((Width & (Width - 1)) == 0, "width is a power of two"); };
inline int width() {
  tile<4> const good{};
  // tile<3> const bad{};             // error: width is a power of two   (<3>; nvcc: Width=3)
  return sizeof good;
}
```
"""


def run(readme, compiler=COMPILER):
    with tempfile.TemporaryDirectory() as folder:
        header = pathlib.Path(folder) / "muster" / "muster.hpp"
        header.parent.mkdir()
        header.write_text("#pragma once\n", encoding="utf-8")
        path = pathlib.Path(folder) / "README.md"
        path.write_text(readme, encoding="utf-8")
        done = subprocess.run([sys.executable, str(RUNNER), "--kind", KIND, "--compiler", compiler, "--include", folder, str(path)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


class Runner(unittest.TestCase):
    def expect(self, code, text, readme, **keywords):
        got, output = run(readme, **keywords)
        self.assertEqual(got, code, output)
        self.assertIn(text, output)

    def test_accepts_a_good_listing(self):
        self.expect(0, "2 listings and wrong lines checked, 0 failures", GOOD)

    def test_refuses_a_listing_that_does_not_compile(self):
        self.expect(1, "the listing at line 4: does not compile", GOOD.replace("tile<4>", "tile<5>"))

    def test_refuses_a_listing_with_warnings(self):
        self.expect(1, "does not compile", GOOD.replace("sizeof good", "0"))

    def test_refuses_a_wrong_line_that_compiles(self):
        self.expect(1, "line 7, tile<8> const bad{};: the mistake compiles", GOOD.replace("tile<3>", "tile<8>"))

    def test_refuses_another_text(self):
        self.expect(1, "not with the text 'width is odd'", GOOD.replace("// error: width is a power of two", "// error: width is odd"))

    def test_refuses_other_numbers(self):
        number, wrong = ("'Width=4'", "Width=4") if KIND == "nvcc" else ("'<4>'", "<4>")
        self.expect(1, f"not with the text {number}", GOOD.replace("(<3>; nvcc: Width=3)", f"({wrong if KIND != 'nvcc' else '<3>'}; nvcc: Width=4)"))

    def test_refuses_a_wrong_line_that_it_cannot_read(self):
        self.expect(1, "cannot read", GOOD.replace("// error: width", "error: width"))

    def test_refuses_a_block_without_an_end(self):
        self.expect(1, "the block does not end", GOOD.rstrip().removesuffix("```"))

    def test_refuses_a_readme_without_wrong_lines(self):
        self.expect(1, "nothing was checked", GOOD.replace("```cpp", "```"))

    def test_leaves_kernels_of_cuda_to_nvcc(self):
        self.expect(0, "only nvcc, it has a __global__ kernel", GOOD + "\n```cpp\n__global__ void f() {}\n```\n")

    def test_skips_with_a_message(self):
        self.expect(77, f"skipped: no {KIND} was found", GOOD, compiler="")


if __name__ == "__main__":
    unittest.main()
