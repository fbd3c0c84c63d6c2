"""The plots of row softmax: the fraction of a copy over the number of columns, how many times as fast as each peer muster is on few rows, and muster's fraction of a copy
under conditions that one would not wish for."""

from figures import cells as shapes
from figures import goals, svg

COLOURS = {"muster": "#d1360f", "torch": "#1f5fa8", "torch_compile": "#45b0e6", "torch_compile_max_autotune": "#b25fb0", "triton": "#1c8c5c", "oneflow": "#8a8d91"}
MARKERS = {"muster": "circle", "torch": "square", "torch_compile": "triangle", "torch_compile_max_autotune": "wedge", "triton": "diamond", "oneflow": "circle"}
TYPE_COLOURS = {"f32": "#d1360f", "f16": "#1f5fa8", "bf16": "#1c8c5c"}
TYPE_MARKERS = {"f32": "circle", "f16": "square", "bf16": "triangle"}
WIDTH, LINES_HEIGHT, BARS_HEIGHT = 1080, 360, 320


def _label(peer):
    return shapes.PEERS[peer] + (" (another run)" if peer == "oneflow" else "")


def _series(all_results, peers, values_of):
    return [svg.Series(_label(peer), COLOURS[peer], values_of(peer), MARKERS[peer], peer == "oneflow", peer == "muster") for peer in peers]


def _value(all_results, cell, peer):
    result = all_results.cells.get(cell, {}).get(peer)
    return result.of_copy if result is not None and not result.wrong else None


def of_copy(all_results, types, width=WIDTH, height=LINES_HEIGHT):
    """One plot below the other, a type each, with one legend on top; None if there is nothing to draw."""
    columns = [n for n in shapes.COLUMNS if any(shapes.Cell(type, n) in all_results.cells for type in types)]
    if not columns:
        return None
    peers = all_results.peers()
    parts, used = svg.legend(_series(all_results, peers, lambda peer: []), svg.LEFT + 6, 20, width - svg.LEFT - svg.RIGHT)
    y = used + 16
    for type in types:
        cells = [shapes.Cell(type, n) for n in columns]
        if not any(cell in all_results.cells for cell in cells):
            continue
        series = _series(all_results, peers, lambda peer: [_value(all_results, cell, peer) for cell in cells])
        parts += svg.moved(svg.lines(f"Softmax of rows, {type}", "speed as a fraction of a copy of the same bytes, over the number of columns; black bars: the goal",
                                     [str(n) for n in columns], series, [goals.wanted_of_copy(cell) for cell in cells], width, height), y)
        y += height
    return svg.picture(parts, width, y)


def _short(columns):
    return f"{columns >> 20}M" if columns % (1 << 20) == 0 else f"{columns >> 10}K" if columns % 1024 == 0 else str(columns)


def few_rows(all_results, types, width=WIDTH, height=BARS_HEIGHT):
    """The same for the shapes of few rows."""
    peers = [peer for peer in all_results.peers() if peer not in ("muster", "oneflow")]
    cells = [cell for cell in shapes.all_cells() if cell.rows and cell.type in types and cell in all_results.cells]
    if not cells or not peers:
        return None
    parts, used = svg.legend(_series(all_results, peers, lambda peer: []), svg.LEFT + 6, 20, width - svg.LEFT - svg.RIGHT, bars=True)
    y = used + 16
    for type in types:
        of_type = [cell for cell in cells if cell.type == type]
        if not of_type:
            continue
        groups = [(f"{rows} row" + ("s" if rows > 1 else ""),
                   [(_short(cell.columns), i) for i, cell in enumerate(of_type) if cell.rows == rows]) for rows in shapes.FEW_ROWS]
        groups = [group for group in groups if group[1]]
        series = _series(all_results, peers, lambda peer: [goals.ratio(all_results.cells[cell], peer) for cell in of_type])
        parts += svg.moved(svg.ratio_bars(f"Few rows, {type}",
                                          "the peer's time over muster's: above 1, muster is faster; ×: not measured", groups, series, width, height), y)
        y += height
    return svg.picture(parts, width, y)


def robustness(all_results, width=WIDTH, height=LINES_HEIGHT):
    """muster's fraction of a copy, a condition below the other and a line for each type."""
    def series(columns, condition):
        cells_of = lambda type: [shapes.Cell(type, n, 0, condition) for n in columns]
        return [svg.Series(type, TYPE_COLOURS[type], [_value(all_results, cell, "muster") for cell in cells_of(type)], TYPE_MARKERS[type], False, False) for type in shapes.TYPES]

    measured = {condition: sorted({cell.columns for cell in all_results.cells if cell.condition == condition}) for condition in shapes.CONDITIONS}
    if not any(measured.values()):
        return None
    parts, used = svg.legend(series([], ""), svg.LEFT + 6, 20, width - svg.LEFT - svg.RIGHT)
    y = used + 16
    for condition, columns in measured.items():
        if columns:
            parts += svg.moved(svg.lines(f"Softmax of rows, {shapes.CONDITIONS[condition]}", "speed as a fraction of a copy of the same shape; black bars: the goal",
                                         [str(n) for n in columns], series(columns, condition), [goals.ROBUSTNESS_GOAL] * len(columns), width, height), y)
            y += height
    return svg.picture(parts, width, y)
