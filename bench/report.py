#!/usr/bin/env python3
"""One HTML page of plots and tables from results of row softmax: every loss, every goal missed, everything left out.

  python3 bench/report.py bench/results/softmax_h200.json bench/results/oneflow_of_copy.json -o report.html --plot bench/results/softmax_h200.svg

Files are merged shape by shape: a shape comes from the last file that has it, as a whole, so that its figures are of one run. A file whose context has "other_run" adds its
peers' fractions of their own copy to the shapes of the others. Ends with 2, and writes nothing, where a file is broken.
"""

import argparse
import os
import sys

from figures import cells, goals, page, plots, result_file


def main(argv):
    parser = argparse.ArgumentParser(prog="report.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", help="files of bench/frameworks.py or bench_softmax")
    parser.add_argument("-o", "--out", required=True, help="the page")
    parser.add_argument("--plot", help="also the plot of the README, as an SVG file")
    parser.add_argument("--plot-types", default="f32,f16", help="the types in it (%(default)s)")
    options = parser.parse_args(argv)
    types = options.plot_types.split(",")
    if not set(types) <= set(cells.TYPES):
        parser.error(f"--plot-types {options.plot_types}: only {', '.join(cells.TYPES)}")
    for path in filter(None, (options.out, options.plot)):
        if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
            parser.error(f"there is no folder for {path}")
    try:
        all_results = goals.collect(options.results)
        text = page.html(all_results)
        plot = plots.of_copy(all_results, types, 960, 330) if options.plot else None
        if options.plot and plot is None:
            raise result_file.BrokenFile(f"nothing to draw in {options.plot}: no shape of many rows of {options.plot_types}")
    except result_file.BrokenFile as reason:
        print(f"report.py: {reason}", file=sys.stderr)
        return 2
    try:
        result_file.replace_file(options.out, text)
        if plot is not None:
            result_file.replace_file(options.plot, plot + "\n")
    except OSError as reason:
        print(f"report.py: {reason.filename or options.out}: {reason.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
