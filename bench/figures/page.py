"""The report as one HTML page that needs nothing else."""

import os
from html import escape

from figures import cells as shapes
from figures import goals, plots

STYLE = """
body { font: 15px/1.5 system-ui, Helvetica, Arial, sans-serif; color: #1a1a1a; background: #fff; max-width: 1080px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin-bottom: .2rem } h2 { margin-top: 2.4rem; border-bottom: 1px solid #e3e5e8 } .note { color: #5f6368 }
.tiles { display: flex; flex-wrap: wrap; gap: 12px } .tile { border: 1px solid #e3e5e8; border-radius: 8px; padding: .6rem 1rem }
.tile b { display: block; font-size: 1.5rem }
.scroll { overflow-x: auto } svg { max-width: 100%; height: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .2rem .7rem; border-bottom: 1px solid #e3e5e8; text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left } td.left, th.left { text-align: left }
td.wrap { text-align: left; white-space: normal } .loss { color: #b3261e; font-weight: 600 } .best { font-weight: 600 }
"""


def _table(head, rows, left=(), wrap=()):
    def line(tag, row):
        kinds = (" class=wrap" if i in wrap and tag == "td" else " class=left" if i in left or i in wrap else "" for i in range(len(row)))
        return "<tr>" + "".join(f"<{tag}{kind}>{cell}</{tag}>" for kind, cell in zip(kinds, row)) + "</tr>"
    return f'<div class=scroll><table><thead>{line("th", head)}</thead><tbody>{"".join(line("td", row) for row in rows)}</tbody></table></div>'


def _figure(value, digits=3):
    return "" if value is None else f"{value:.{digits}f}"


def _cell(cell):
    rows = f", {cell.rows} row" + ("s" if cell.rows > 1 else "") if cell.rows else ""
    condition = f", {shapes.CONDITIONS[cell.condition]}" if cell.condition else ""
    return f"{cell.type}{rows}, {cell.columns} columns{condition}"


def _tiles(all_results, lost, missed):
    compared = [cell for cell, results in all_results.cells.items() if any(goals.ratio(results, peer) for peer in all_results.peers() if peer != "muster")]
    beyond = {cell for cell, _, ratio in lost if ratio < 1 - goals.NOISE}
    tiles = [(f"{len(compared)}", "shapes compared"), (f"{len(compared) - len(beyond)}", f"at or over every peer, within {goals.NOISE:.0%}"),
             (f"{len(beyond)}", "lost to a peer"), (f"{len(missed)}", "goals missed")]
    return "<div class=tiles>" + "".join(f"<div class=tile><b>{number}</b>{text}</div>" for number, text in tiles) + "</div>"


def _losses(all_results, lost):
    if not lost:
        return "<p>None: nowhere is a peer faster.</p>"
    rows = []
    for cell, peer, ratio in lost:
        own, other = all_results.cells[cell]["muster"], all_results.cells[cell][peer]
        verdict = "within noise" if ratio >= 1 - goals.NOISE else "<span class=loss>lost</span>"
        name = escape(shapes.PEERS[peer]) + ("" if other.seconds else " (another run)")
        rows.append((_cell(cell), name, _figure(own.of_copy), _figure(other.of_copy), f"{ratio:.3f}", verdict))
    return _table(("shape", "peer", "muster, of copy", "peer, of copy", "peer's time over muster's", ""), rows, (0, 1, 5))


def _missed(missed):
    if not missed:
        return "<p>None of those that were measured.</p>"
    return _table(("shape", "goal", "wanted", "found"), [(_cell(cell), escape(text), _figure(wanted, 2), f"{found:.3g}") for cell, text, wanted, found in missed], (0, 1))


def _measurements(all_results):
    peers = all_results.peers()
    rows = []
    for cell, results in all_results.cells.items():
        copy = results.get("copy")
        best = max((r.of_copy for r in results.values() if r.of_copy and not r.wrong and r is not copy), default=0)
        row = [_cell(cell), _figure(copy.seconds * 1e6, 2) if copy and copy.seconds else ""]
        for peer in peers:
            result = results.get(peer)
            if result is None or result.of_copy is None:
                row.append("–" if result is None else f'<span title="{escape(result.left_out or "")}">left out</span>')
                continue
            error = f'error {result.error:.1e}' if result.error is not None else "another run"
            kind = "loss" if result.wrong else "best" if result.of_copy == best else ""
            row.append(f'<span class="{kind}" title="{error}">{result.of_copy:.3f}{" wrong" if result.wrong else ""}</span>')
        own = results.get("muster")
        row.append(f"{own.error:.1e}" if own is not None and own.error is not None else "")
        rows.append(row)
    return _table(["shape", "copy, µs", *(escape(shapes.PEERS[peer]) for peer in peers), "muster's error"], rows)


def _robustness(all_results):
    """A line for each condition and type: how many shapes, and the slowest of them."""
    rows = []
    for condition, text in shapes.CONDITIONS.items():
        for type in shapes.TYPES:
            measured = [(results["muster"].of_copy, cell.columns, results["muster"].error) for cell, results in all_results.cells.items()
                        if cell.condition == condition and cell.type == type and "muster" in results and results["muster"].of_copy]
            if measured:
                slowest = min(measured)
                rows.append((escape(text), type, len(measured), _figure(slowest[0]), slowest[1], f"{max(error or 0 for _, _, error in measured):.1e}"))
    if not rows:
        return "<p>Not measured: no file has results of bench_softmax --robustness.</p>"
    return _table(("condition", "type", "shapes", "slowest, of copy", "its columns", "largest error"), rows, (0, 1))


def _ways(all_results):
    if not all_results.own_ways:
        return "<p>Not measured: no file has results of bench_softmax --all-shapes.</p>"
    better = goals.better_ways(all_results)
    ways = sum(len(ways) - 1 for ways in all_results.own_ways.values())
    summary = f"<p>{ways} ways in {len(all_results.own_ways)} shapes; in {len(better)} of these another way is faster than the chosen one by more than {goals.NOISE:.0%}.</p>"
    rows = [(_cell(cell), escape(way), f"{ratio:.3f}") for cell, way, ratio in better]
    return summary + (_table(("shape", "faster way", "the chosen one's time over its"), rows, (0, 1)) if rows else "")


def _gaps(all_results):
    found = goals.gaps(all_results)
    if not found:
        return "<p>Nothing: every peer has a time in every shape.</p>"
    rows = []
    for reason, places in sorted(found.items()):
        of_peers = {}
        for peer, cell in places:
            of_peers.setdefault(peer, []).append(cell.name)
        for peer, names in of_peers.items():
            rows.append((escape(shapes.PEERS[peer]) if peer else "every peer", len(names), escape(reason), escape(", ".join(names))))
    return _table(("peer", "shapes", "reason", "which"), rows, wrap=(2, 3))


def _sources(all_results):
    parts = []
    for path, context in all_results.contexts:
        facts = "; ".join(f"{key} {value}" for key, value in context.items() if isinstance(value, (str, int, float)))
        parts.append(f"<li><b>{escape(os.path.basename(path))}</b>: {escape(facts)}</li>")
    return "<ul>" + "".join(parts) + "</ul>"


def html(all_results):
    lost, missed = goals.losses(all_results), goals.missed_goals(all_results)
    empty = next((seconds for seconds in all_results.empty_kernel.values() if seconds), None)
    runs = [context for _, context in all_results.contexts if "other_run" not in context]
    gpu = escape(", ".join(sorted({str(context.get("gpu", "an unnamed GPU")) for context in runs})))
    pictures = [plots.of_copy(all_results, shapes.TYPES), plots.few_rows(all_results, shapes.TYPES), plots.robustness(all_results)]
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Row softmax: muster and its peers</title><style>{STYLE}</style></head><body>
<h1>Row softmax: muster and its peers</h1>
<p class=note>{gpu}. Medians of calls that took turns on the same buffers in one process. Speed is given as the fraction of a copy of the same bytes in the same run; figures
marked “another run” are fractions of that run's own copy.{f" An empty kernel takes {empty * 1e6:.2f} µs." if empty else ""}</p>
{_tiles(all_results, lost, missed)}
<h2>Many rows</h2>
{pictures[0] or "<p>Not measured.</p>"}
<h2>Few rows</h2>
{pictures[1] or "<p>Not measured.</p>"}
<h2>Under conditions that one would not wish for</h2>
<p class=note>Fractions of a copy of the same shape, addresses and strides. The goal is {goals.ROBUSTNESS_GOAL} everywhere.</p>
{_robustness(all_results)}
{pictures[2] or ""}
<h2>Muster's own ways</h2>
<p class=note>Each shape that can hold a row, beside the one that muster's table chooses (bench_softmax --all-shapes).</p>
{_ways(all_results)}
<h2>Every loss</h2>
<p class=note>Each shape in which a peer's time is under muster's; within {goals.NOISE:.0%} it is noise.</p>
{_losses(all_results, lost)}
<h2>Goals missed</h2>
<p class=note>Many rows: f32 at 0.96 of a copy from 16 columns; f16 and bf16 at 0.90 from 16 and 0.95 from 256; an odd number of columns within 5 % of its even neighbour; no
peer faster. Few rows: no peer faster, and {goals.FEW_ROWS_GOAL} times as fast as a peer that leaves multiprocessors idle for more than
{goals.MUCH_LONGER_THAN_LAUNCH} times an empty kernel's time (known of PyTorch's and Triton's, which give a row to one block).</p>
{_missed(missed)}
<h2>All measurements</h2>
<p class=note>Fractions of a copy; the fastest of a shape is bold. Errors (pointed at; muster's in the last column) are the largest of sampled rows against float64, relative
to the largest result of their row.</p>
{_measurements(all_results)}
<h2>Not measured</h2>
{_gaps(all_results)}
<h2>Sources</h2>
{_sources(all_results)}
</body></html>
"""
