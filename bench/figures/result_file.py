"""Files of results in the form of Google Benchmark's JSON: {"context": {...}, "benchmarks": [{"name": ..., "real_time": ..., counters}, ...]}."""

import json
import os
import tempfile


class BrokenFile(Exception):
    """A file that is not what it should be; the text says which and why."""


def replace_file(path, text):
    """Writes the whole file or, where that fails, nothing: the old one stays."""
    folder = os.path.dirname(os.path.abspath(path))
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".unfinished_")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


class Writer:
    """Results, written as they come: a run that is killed leaves a whole file of what it had."""

    def __init__(self, path, context):
        self._path, self._context, self._benchmarks = path, context, []
        self.flush()

    def add(self, name, nanoseconds, iterations, repetitions, counters):
        self._benchmarks.append({"name": name, "run_name": name, "run_type": "iteration", "repetitions": repetitions, "iterations": iterations,
                                 "real_time": nanoseconds, "cpu_time": 0.0, "time_unit": "ns", **counters})

    def leave_out(self, name, reason):
        self._benchmarks.append({"name": name, "run_name": name, "run_type": "iteration", "error_occurred": True, "error_message": reason})

    def flush(self):
        replace_file(self._path, json.dumps({"context": self._context, "benchmarks": self._benchmarks}, indent=1) + "\n")


def read(path):
    """(context, benchmarks) of a file. Raises BrokenFile."""
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except OSError as reason:
        raise BrokenFile(f"{path}: {reason.strerror}") from reason
    except ValueError as reason:
        raise BrokenFile(f"{path}: no JSON: {reason}") from reason
    if not isinstance(content, dict) or not isinstance(content.get("context"), dict) or not isinstance(content.get("benchmarks"), list):
        raise BrokenFile(f"{path}: no results in Google Benchmark's form: \"context\" or \"benchmarks\" is missing")
    for entry in content["benchmarks"]:
        if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
            raise BrokenFile(f"{path}: a result without a name")
        if entry.get("error_occurred"):
            continue
        for key in ("real_time", "of_copy"):
            if key in entry and not (isinstance(entry[key], (int, float)) and 0 < entry[key] < float("inf")):
                raise BrokenFile(f"{path}: {entry['name']}: {key} is no positive number: {entry[key]!r}")
    return content["context"], content["benchmarks"]
