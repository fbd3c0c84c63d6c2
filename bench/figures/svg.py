"""Plots as SVG text, with Python alone: lines over named places, and bars of ratios on a logarithmic axis. Each mark tells its value when it is pointed at."""

import math
from dataclasses import dataclass
from html import escape

INK, GREY, GRID = "#1a1a1a", "#5f6368", "#e3e5e8"
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 58, 62  # margins of a plot
LARGEST_GAP = 3  # so many places in a row without a value end a line


@dataclass
class Series:
    label: str
    colour: str
    values: list            # one a place; None where there is none
    marker: str = "circle"
    dashed: bool = False
    strong: bool = False


def _number(value):
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _text(x, y, text, size=12, anchor="middle", colour=INK, weight="normal", turn=None):
    turned = f' transform="rotate({turn} {_number(x)} {_number(y)})"' if turn is not None else ""
    return f'<text x="{_number(x)}" y="{_number(y)}" font-size="{size}" text-anchor="{anchor}" fill="{colour}" font-weight="{weight}"{turned}>{escape(text)}</text>'


def _line(x0, y0, x1, y1, colour=GRID, width=1.0):
    return f'<line x1="{_number(x0)}" y1="{_number(y0)}" x2="{_number(x1)}" y2="{_number(y1)}" stroke="{colour}" stroke-width="{width}"/>'


def _polygon(points, colour, title=""):
    return f'<polygon points="{" ".join(f"{_number(x)},{_number(y)}" for x, y in points)}" fill="{colour}">{title}</polygon>'


def _marker(kind, x, y, r, colour, title=""):
    title = f"<title>{escape(title)}</title>" if title else ""
    if kind == "square":
        return _polygon([(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)], colour, title)
    if kind == "triangle":
        return _polygon([(x, y - 1.3 * r), (x + 1.2 * r, y + r), (x - 1.2 * r, y + r)], colour, title)
    if kind == "diamond":
        return _polygon([(x, y - 1.4 * r), (x + 1.4 * r, y), (x, y + 1.4 * r), (x - 1.4 * r, y)], colour, title)
    if kind == "wedge":
        return _polygon([(x - 1.2 * r, y - r), (x + 1.2 * r, y - r), (x, y + 1.3 * r)], colour, title)
    return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(r)}" fill="{colour}">{title}</circle>'


def picture(parts, width, height):
    """A whole SVG file or inline element around parts."""
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="system-ui, Helvetica, Arial, sans-serif">'
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>' + "\n".join(parts) + "</svg>")


def moved(parts, y):
    return [f'<g transform="translate(0 {y})">', *parts, "</g>"]


def legend(series, x, y, width, bars=False):
    """The series' names from x on, in as many lines as they need. Returns parts and the height."""
    parts, at, line = [], x, 0
    for each in series:
        needed = 44 + (8.6 if each.strong else 6.8) * len(each.label)
        if at + needed > x + width and at > x:
            at, line = x, line + 1
        middle = y + 20 * line
        if bars:
            parts.append(_polygon([(at, middle - 6), (at + 12, middle - 6), (at + 12, middle + 6), (at, middle + 6)], each.colour))
        else:
            parts.append(_stroke([(at - 6, middle), (at + 18, middle)], each))
            parts.append(_marker(each.marker, at + 6, middle, 4.2 if each.strong else 3.4, each.colour))
        parts.append(_text(at + (18 if bars else 24), middle + 4, each.label, 12.5, "start", weight="bold" if each.strong else "normal"))
        at += needed
    return parts, 20 * (line + 1)


def _stroke(points, series):
    dashes = ' stroke-dasharray="5 4"' if series.dashed else ""
    path = "M" + "L".join(f"{_number(x)} {_number(y)}" for x, y in points)
    return f'<path d="{path}" fill="none" stroke="{series.colour}" stroke-width="{2.6 if series.strong else 1.5}"{dashes} stroke-linejoin="round"/>'


def lines(title, axis, places, series, goals, width, height, most=1.05):
    """Lines over places that lie equally far apart, from 0 to `most`. goals: a value a place or None, drawn as a bar across the place."""
    inner_width, inner_height = width - LEFT - RIGHT, height - TOP - BOTTOM
    step = inner_width / len(places)
    across = lambda i: LEFT + (i + 0.5) * step
    up = lambda value: TOP + inner_height * (1 - min(value, most) / most)
    parts = [_text(LEFT, TOP - 34, title, 15, "start", weight="bold"), _text(LEFT, TOP - 14, axis, 12, "start", GREY)]
    for tenth in range(0, 11, 2):
        parts += [_line(LEFT, up(tenth / 10), width - RIGHT, up(tenth / 10), GREY if tenth == 10 else GRID),
                  _text(LEFT - 8, up(tenth / 10) + 4, f"{tenth / 10:.1f}", 12, "end", GREY)]
    for i, place in enumerate(places):
        parts += [_line(across(i), TOP + inner_height, across(i), TOP + inner_height + 4, GREY),
                  _text(across(i) + 4, TOP + inner_height + 16, place, 11.5, "end", INK, turn=-45)]
        if goals[i] is not None:
            parts.append(_line(across(i) - 0.42 * step, up(goals[i]), across(i) + 0.42 * step, up(goals[i]), INK, 1.6))
    for each in sorted(series, key=lambda s: s.strong):
        run = []
        for i, value in enumerate(each.values):
            if value is not None:
                run.append(i)
            if len(run) > 1 and (i - run[-1] >= LARGEST_GAP or i == len(each.values) - 1):
                parts.append(_stroke([(across(k), up(each.values[k])) for k in run], each))
            if run and i - run[-1] >= LARGEST_GAP:
                run = []
        parts += [_marker(each.marker, across(i), up(value), 3.8 if each.strong else 3, each.colour, f"{each.label}, {places[i]}: {value:.3f}")
                  for i, value in enumerate(each.values) if value is not None]
    return parts


def ratio_bars(title, axis, groups, series, width, height):
    """groups: [(name, [(name, place)])]; each series has a ratio a place, drawn as a bar up or down from 1 on a logarithmic axis."""
    values = [v for each in series for v in each.values if v is not None]
    top, bottom = math.ceil(math.log2(max([2.0, *values]) * 1.02)), math.floor(math.log2(min([0.9, *values])))
    inner_width, inner_height = width - LEFT - RIGHT, height - TOP - BOTTOM
    up = lambda value: TOP + inner_height * (top - math.log2(value)) / (top - bottom)
    parts = [_text(LEFT, TOP - 34, title, 15, "start", weight="bold"), _text(LEFT, TOP - 14, axis, 12, "start", GREY)]
    for power in range(bottom, top + 1):
        parts += [_line(LEFT, up(2**power), width - RIGHT, up(2**power), GREY if power == 0 else GRID),
                  _text(LEFT - 8, up(2**power) + 4, _number(2.0**power), 12, "end", GREY)]
    place_width = inner_width / (sum(len(places) for _, places in groups) + 0.6 * (len(groups) - 1))
    bar = 0.86 * place_width / len(series)
    at = LEFT
    for name, places in groups:
        for label, place in places:
            for k, each in enumerate(series):
                value, x = each.values[place], at + 0.07 * place_width + k * bar
                if value is None:
                    parts.append(_text(x + bar / 2, up(1) - 3, "×", 10, colour=each.colour))
                    continue
                y0, y1 = sorted((up(1), up(value)))
                hint = f"<title>{escape(f'{each.label}, {name}, {label}: {value:.2f}')}</title>"
                parts.append(_polygon([(x, y0), (x + 0.92 * bar, y0), (x + 0.92 * bar, y1), (x, y1)], each.colour, hint))
            parts.append(_text(at + place_width / 2, TOP + inner_height + 16, label, 11.5))
            at += place_width
        parts.append(_text(at - len(places) * place_width / 2, TOP + inner_height + 36, name, 12.5, weight="bold"))
        at += 0.6 * place_width
    return parts
