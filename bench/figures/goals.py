"""What the results of all files say together: who was faster where, and which goals of row softmax were met."""

from __future__ import annotations

from dataclasses import dataclass, field

from figures import cells as shapes
from figures import result_file

NOISE = 0.02  # of a ratio of two times of one run
FEW_ROWS_GOAL = 1.5
MUCH_LONGER_THAN_LAUNCH = 3
ROBUSTNESS_GOAL = 0.9
CHOSEN = ""  # among muster's own ways, the one that its table chooses
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


@dataclass
class Result:
    """One peer in one cell. seconds is None where the figure comes from another run, of which only the fraction of its own copy can be compared."""

    seconds: float | None = None
    of_copy: float | None = None
    error: float | None = None
    wrong: bool = False
    multiprocessors_used: int | None = None
    left_out: str | None = None


@dataclass
class Results:
    cells: dict = field(default_factory=dict)           # Cell -> {peer: Result}
    empty_kernel: dict = field(default_factory=dict)    # Cell -> seconds, in the run that the cell comes from
    own_ways: dict = field(default_factory=dict)        # Cell -> {way: seconds}: what bench_softmax --all-shapes times beside the way that was chosen
    contexts: list = field(default_factory=list)
    multiprocessors: int = 0

    def peers(self):
        """Those that have a time anywhere, in the order in which they are shown."""
        seen = {peer for results in self.cells.values() for peer, result in results.items() if result.of_copy}
        return [peer for peer in shapes.PEERS if peer in seen and peer != "copy"]


def _of_file(benchmarks):
    """Cells, muster's own ways in them, and the seconds of an empty kernel."""
    cells, ways, empty = {}, {}, None
    for entry in benchmarks:
        if entry["name"] == "launch/empty_kernel":
            empty = entry.get("real_time", 0) * 1e-9
        parsed = shapes.parsed(entry["name"])
        if parsed is None:
            continue
        peer, cell = parsed
        if peer.startswith("muster:") and not entry.get("error_occurred"):
            ways.setdefault(cell, {})[peer.removeprefix("muster:")] = entry["real_time"] * UNITS[entry.get("time_unit", "ns")]
        if peer not in shapes.PEERS:
            continue
        if entry.get("error_occurred"):
            result = Result(left_out=entry.get("error_message", "failed"))
        else:
            result = Result(entry["real_time"] * UNITS[entry.get("time_unit", "ns")] if "real_time" in entry else None, entry.get("of_copy"), entry.get("error"), entry.get("wrong", False),
                            entry.get("multiprocessors_used"))
        cells.setdefault(cell, {})[peer] = result
    return cells, ways, empty


def collect(paths):
    """All files together. A cell comes from one run: the last file that has it replaces it as a whole. Files whose context says "other_run" only add their peers, and a cell
    with muster's own ways only adds those where another file has the cell. Raises BrokenFile."""
    all_results, others, of_ways = Results(), [], []
    for path in paths:
        context, benchmarks = result_file.read(path)
        all_results.contexts.append((path, context))
        cells, ways, empty = _of_file(benchmarks)
        if not cells:
            raise result_file.BrokenFile(f"{path}: no result of a row softmax")
        if "other_run" in context:
            others.append(cells)
            continue
        all_results.multiprocessors = int(context.get("gpu_multiprocessors", 0)) or all_results.multiprocessors
        for cell, results in cells.items():
            if cell in ways and "muster" in results:
                all_results.own_ways[cell] = {CHOSEN: results["muster"].seconds, **ways[cell]}
                of_ways.append((cell, results, empty))
                continue
            all_results.cells[cell] = results
            all_results.empty_kernel[cell] = empty
    for cell, results, empty in of_ways:
        if cell not in all_results.cells:
            all_results.cells[cell] = results
            all_results.empty_kernel[cell] = empty
    for cells in others:
        for cell, results in cells.items():
            if cell in all_results.cells:
                for peer, result in results.items():
                    all_results.cells[cell][peer] = Result(None, result.of_copy)
    order = {cell: i for i, cell in enumerate(shapes.all_cells())}
    all_results.cells = dict(sorted(all_results.cells.items(), key=lambda item: order.get(item[0], len(order))))
    return all_results


def ratio(results, peer):
    """How many times as fast as the peer muster is in a cell; None where one of them has no right result."""
    own, other = results.get("muster"), results.get(peer)
    if own is None or other is None or own.wrong or other.wrong:
        return None
    if own.seconds and other.seconds:
        return other.seconds / own.seconds
    if own.of_copy and other.of_copy:
        return own.of_copy / other.of_copy
    return None


def losses(all_results):
    """(cell, peer, ratio) wherever a peer is faster, the largest loss first."""
    found = [(cell, peer, r) for cell, results in all_results.cells.items() for peer in all_results.peers()
             if peer != "muster" and (r := ratio(results, peer)) is not None and r < 1]
    return sorted(found, key=lambda loss: loss[2])


def better_ways(all_results):
    """(cell, way, ratio) where another of muster's own ways is faster than the one that its table chooses by more than noise, the largest first."""
    found = []
    for cell, ways in all_results.own_ways.items():
        best = min(ways, key=ways.get)
        if ways[CHOSEN] / ways[best] > 1 + NOISE:
            found.append((cell, best, ways[CHOSEN] / ways[best]))
    return sorted(found, key=lambda better: -better[2])


def wanted_of_copy(cell):
    """The fraction of a copy's speed that is the goal; None where there is none."""
    if cell.condition:
        return ROBUSTNESS_GOAL
    if cell.rows or cell.columns < 16:
        return None
    return 0.96 if cell.type == "f32" else 0.95 if cell.columns >= 256 else 0.90


def missed_goals(all_results):
    """(cell, the goal in words, wanted, found) of each goal that was measured and missed."""
    missed = []
    for cell, results in all_results.cells.items():
        own = results.get("muster")
        if own is None or own.of_copy is None:
            continue
        if own.wrong:
            missed.append((cell, "right results: error against float64", None, own.error))
        wanted = wanted_of_copy(cell)
        if wanted is not None and own.of_copy < wanted:
            missed.append((cell, "of a copy's speed", wanted, own.of_copy))
        even = of_copy_of_even_neighbour(all_results, cell)
        if even is not None and own.of_copy < 0.95 * even:
            missed.append((cell, "of its even neighbour's speed", 0.95, own.of_copy / even))
        for peer in all_results.peers():
            r = ratio(results, peer) if peer != "muster" else None
            if r is None:
                continue
            wanted = FEW_ROWS_GOAL if cell.rows and leaves_gpu_idle(all_results, cell, peer) else 1
            if r < wanted * (1 - NOISE):
                missed.append((cell, f"times the speed of {shapes.PEERS[peer]}", wanted, r))
    return missed


def of_copy_of_even_neighbour(all_results, cell):
    """muster's fraction of copy at the even number of columns next to an odd one."""
    if cell.columns % 2 == 0 or cell.rows or cell.condition:
        return None
    for columns in (cell.columns - 1, cell.columns + 1):
        own = all_results.cells.get(shapes.Cell(cell.type, columns), {}).get("muster")
        if own is not None and own.of_copy:
            return own.of_copy
    return None


def leaves_gpu_idle(all_results, cell, peer):
    """The peer is known to use fewer multiprocessors than there are, and its time is not that of a launch alone."""
    result, empty = all_results.cells[cell][peer], all_results.empty_kernel[cell]
    if result.multiprocessors_used is None or empty is None or result.seconds is None:
        return False
    return result.multiprocessors_used < all_results.multiprocessors and result.seconds > MUCH_LONGER_THAN_LAUNCH * empty


def gaps(all_results):
    """{reason: [(peer, cell)]} of everything that has no time: left out by the run, or never asked for."""
    found = {}
    for cell in shapes.all_cells():
        results = all_results.cells.get(cell)
        if results is None:
            found.setdefault("not measured: no file has this shape", []).append((None, cell))
            continue
        for peer in all_results.peers():
            if peer == "oneflow" and cell.rows:
                continue
            result = results.get(peer)
            if result is None:
                found.setdefault("not measured: the file has no result of this peer for the shape", []).append((peer, cell))
            elif result.left_out is not None:
                found.setdefault(result.left_out, []).append((peer, cell))
    return found
