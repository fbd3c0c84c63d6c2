"""The shapes that are measured, and how a result of one is named: softmax/PEER/f16/n:1024, softmax/PEER/f32/rows:4/n:32768 where the rows are few, and
softmax/PEER/f16/n:1024/offset:1 under a condition that one would not wish for."""

import re
from dataclasses import dataclass

TYPES = ("f32", "f16", "bf16")
COLUMNS = (8, 16, 32, 48, 63, 64, 100, 128, 192, 256, 512, 768, 1000, 1024, 1025, 1536, 2048, 2049, 4096, 4097, 8192, 8193, 16384, 32768, 50257, 65536, 128256,
           131072, 262144)
FEW_ROWS = (1, 4, 16, 132)
FEW_ROWS_COLUMNS = (4096, 32768, 128256, 1 << 20, 1 << 24)
QUICK = r"^(f32|f16)/n:(64|1000|1025|32768)$|^bf16/n:4097$|^f32/rows:(1|16)/n:(32768|1048576)$|^f16/rows:4/n:4096$"

# What bench_softmax --robustness measures.
CONDITIONS = {
    "offset:1": "base addresses + 1 element",
    "pad:1": "rows 1 element apart",
    "values:spread": "values from -80 to 80",
    "values:minus_infinity": "nothing but -inf",
    "log2_elements:32": "2^32 elements",
}

# In the order in which they are drawn and listed: what a name's peer stands for.
PEERS = {
    "muster": "muster",
    "torch": "PyTorch",
    "torch_compile": "torch.compile",
    "torch_compile_max_autotune": "torch.compile, max-autotune",
    "triton": "Triton, one program a row",
    "oneflow": "OneFlow",
    "copy": "copy",
}


@dataclass(frozen=True)
class Cell:
    """One shape of one type. rows 0: as many as the elements that were asked for; condition: one of CONDITIONS, or none."""

    type: str
    columns: int
    rows: int = 0
    condition: str = ""

    @property
    def name(self):
        rows = f"/rows:{self.rows}" if self.rows else ""
        return f"{self.type}{rows}/n:{self.columns}" + (f"/{self.condition}" if self.condition else "")

    @property
    def bytes_of_value(self):
        return 4 if self.type == "f32" else 2


def all_cells():
    return [cell for type in TYPES
            for cell in [Cell(type, columns) for columns in COLUMNS] + [Cell(type, columns, rows) for rows in FEW_ROWS for columns in FEW_ROWS_COLUMNS]]


# Google Benchmark appends how it ran; that is no part of a name here.
_NAME = re.compile(r"^softmax/(?P<peer>[^/]+)/(?P<type>f32|f16|bf16)(?:/rows:(?P<rows>[0-9]+))?/n:(?P<columns>[0-9]+)"
                   rf"(?:/(?P<condition>{'|'.join(CONDITIONS)}))?(?:/iterations:[0-9]+)?(?:/manual_time)?$")


def name_of(peer, cell):
    return f"softmax/{peer}/{cell.name}"


def parsed(name):
    """(peer, Cell) of a result's name, or None if it is none of these."""
    match = _NAME.match(name)
    if match is None:
        return None
    return match["peer"], Cell(match["type"], int(match["columns"]), int(match["rows"] or 0), match["condition"] or "")
