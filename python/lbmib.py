# Copyright (c) 2026, The lbmib authors. BSD 3-Clause License.
"""lbmib from Python: runs cases and reads what they leave.

    import lbmib
    run = lbmib.run("cylinder.toml", {"reference.reynolds": 40}, out="re40.out")
    run.summary["bodies"]["cylinder"]["cd_mean"]
    run.forces["cd"]                        # a table: pandas.DataFrame, or numpy where pandas is missing
    run.fields[-1]["velocity"]              # numpy, [z, y, x, component], in U

This file is all of it. It needs Python 3.11 and numpy, h5py for fields and surfaces, and the
program `lbmib`; pandas makes tables DataFrames, xarray makes fields Datasets. Numbers are in
the case's reference units, lengths in L, velocities in U, times in L/U; where the case has
scales, tables have columns in SI besides (`fx_N`) and fields know their factors (`Field.si`).
"""

from __future__ import annotations

import base64
import contextlib
import csv
import html
import importlib
import io
import json
import math
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

__all__ = [
    "run", "load", "check", "sweep", "load_sweep", "Run", "Sweep", "Check", "Series", "Field", "Levels", "Box", "Surface", "Table",
    "Error", "InternalError", "CaseError", "Diverged", "InputOutputError", "Killed", "Interrupted", "NotARun", "Damaged", "MissingModule",
]

# ---------------------------------------------------------------- errors


class _Told:
    """What an error of the program tells: `message`, `code` (its exit code, None where it did not
    end by itself), and `run`, the Run as far as it came, None where it did not begin."""

    def __init__(self, message: str, code: int | None = None, run: Run | Sweep | None = None):
        super().__init__(message)
        self.message, self.code, self.run = message, code, run


class Error(_Told, Exception):
    """Base of the errors of this module, but for Interrupted."""


class InternalError(Error):
    """Exit code 1: a fault of the program."""


class CaseError(Error):
    """Exit code 2: the case or the command line was refused; nothing was written."""


class Diverged(Error):
    """Exit code 3: the flow diverged, or a body left the domain or its grid. `run` has what was written until then."""


class InputOutputError(Error):
    """Exit code 4: reading or writing failed."""


class Killed(Error):
    """The program was ended by a signal that it does not catch, as where memory ran out."""


class Interrupted(_Told, KeyboardInterrupt):
    """Exit code 130: interrupted, after a checkpoint was written: `run(…, resume=True)` goes on. It
    is a KeyboardInterrupt, which `except Exception` lets pass, so that Ctrl-C ends a loop of runs."""


class NotARun(Error):
    """A directory, or what is no directory, that holds no run (or no sweep)."""


class Damaged(Error):
    """A file of a run that cannot be read: cut short, changed, or removed."""


class MissingModule(Error, ImportError):
    """A module of Python that is needed for this and is not installed."""


_ERRORS = {1: InternalError, 2: CaseError, 3: Diverged, 4: InputOutputError, 130: Interrupted}

# ---------------------------------------------------------------- the program


def _program(binary: str | os.PathLike | None) -> str:
    """The program: `binary`, or what the environment variable LBMIB names, or `lbmib` in PATH, or
    bin/lbmib of the tree that this file is in."""
    asked = os.fspath(binary) if binary is not None else os.environ.get("LBMIB") or None
    found = shutil.which(asked or "lbmib")
    if found is None and asked is None:
        found = shutil.which(Path(__file__).resolve().parent.parent / "bin" / "lbmib")
    if found is None:
        raise Error(f"the program {asked or 'lbmib'} is not there, or may not be executed: build it with \"make build\", and put it into PATH, "
                    "name it by the environment variable LBMIB, or give binary=PATH")
    return os.path.abspath(found)


_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")


def _toml(value: Any) -> str:
    """The value as TOML on one line."""
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else ("nan" if math.isnan(value) else "inf" if value > 0 else "-inf")
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(os.fspath(value), ensure_ascii=False).replace("\x7f", "\\u007f") # escapes of JSON are those of TOML
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{k if re.fullmatch('[A-Za-z0-9_-]+', k) else json.dumps(k)} = {_toml(v)}" for k, v in value.items()) + " }"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(_toml, value)) + "]"
    raise CaseError(f"{value!r} is a {type(value).__name__}, which TOML does not have: use bool, int, float, str, lists and dicts of them", 2)


def _keys(*given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Dotted keys and their values. Two underscores stand for a dot; a mapping under a key without
    a dot is a table of the case, whose keys are set one by one."""
    keys: dict[str, Any] = {}
    for mapping in given:
        for key, value in (mapping or {}).items():
            key = key.replace("__", ".")
            if isinstance(value, Mapping) and "." not in key:
                keys.update({f"{key}.{k.replace('__', '.')}": v for k, v in value.items()})
            else:
                keys[key] = value
    return keys


def _sets(*given: Mapping[str, Any] | None) -> list[str]:
    return [f"--set={key}={_toml(value)}" for key, value in _keys(*given).items()]


def _file(path: str | os.PathLike) -> str:
    """The path as an argument, which no flag is mistaken for."""
    text = os.fspath(path)
    return os.path.join(".", text) if text.startswith("-") else text


def _execute(arguments: list[str], progress: Any, binary: Any) -> tuple[int, str, str]:
    """Runs the program: its exit code (below 0: ended by a signal), standard output, and what it
    says in the end. An interrupt is handed on to it, and it ends by itself after a checkpoint."""
    show = _shower(progress)
    process = subprocess.Popen([_program(binary), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               encoding="utf-8", errors="replace", process_group=0) # a group of its own: Ctrl-C of the terminal reaches it once, from here
    lines: queue.Queue[str | None] = queue.Queue()
    printed: list[str] = []

    def read_messages() -> None:
        for line in process.stderr:
            lines.put(line.rstrip("\n"))
        lines.put(None)

    readers = [threading.Thread(target=read_messages, daemon=True), threading.Thread(target=lambda: printed.append(process.stdout.read()), daemon=True)]
    for r in readers:
        r.start()

    def finish() -> int:
        code = process.wait()
        for r in readers:
            r.join()
        process.stdout.close()
        process.stderr.close()
        return code

    said: list[str] = []
    interrupted = False
    while True:
        try:
            if (line := lines.get()) is None:
                break
            said.append(line)
            del said[:-1000]
            show(line)
        except KeyboardInterrupt:
            interrupted = True
            process.send_signal(signal.SIGINT)
        except BaseException: # of show
            process.terminate()
            finish()
            raise
    code = finish()
    show(None)
    if interrupted and code == 0: # it had come to its end
        raise KeyboardInterrupt
    return code, "".join(printed), _message(said)


def _message(said: list[str]) -> str:
    """What the program says in the end: from the last "lbmib: " on."""
    starts = [i for i, line in enumerate(said) if line.startswith("lbmib: ")]
    return "\n".join(said[starts[-1]:] if starts else said[-20:]).removeprefix("lbmib: ").strip()


def _fail(code: int, message: str, run: Run | Sweep | None) -> NoReturn:
    if code == -signal.SIGINT:
        raise Interrupted(message or "interrupted before it had begun", None, run)
    if code < 0:
        name = signal.Signals(-code).name if -code in list(signal.Signals) else f"signal {-code}"
        raise Killed(f"the program was ended by {name}: {message or 'without a word'}", None, run)
    kind = _ERRORS.get(code, Error)
    raise kind(message or f"the program ended with code {code}, without a word", code, run)


def _stranger(printed: str, binary: Any) -> str:
    return f"the program ended well and told no directory of results; it printed {printed[:200]!r}: is {_program(binary)} lbmib?"


_PROGRESS = re.compile(r"\s*\d+ %  t ")


def _shower(progress: bool | Callable[[str], None] | None) -> Callable[[str | None], None]:
    """What shows a line of the program, None at the end."""
    if callable(progress):
        return lambda line: None if line is None else progress(line)
    if progress is None:
        shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
        if getattr(shell, "kernel", None) is not None:
            return _InNotebook()
        progress = hasattr(sys.stderr, "isatty") and sys.stderr.isatty()
    if not progress:
        return lambda line: None
    terminal = sys.stderr.isatty()

    def show(line: str | None) -> None:
        if line is None:
            sys.stderr.write("\n" if terminal else "")
        elif terminal and _PROGRESS.match(line):
            sys.stderr.write("\r" + line[:shutil.get_terminal_size().columns - 1] + "\x1b[K")
        else:
            sys.stderr.write(("\r\x1b[K" if terminal else "") + line + "\n")
        sys.stderr.flush()

    return show


class _InNotebook:
    """Shows the last line of the progress in a notebook, in one place."""

    def __init__(self) -> None:
        self.handle = None

    def __call__(self, line: str | None) -> None:
        if line is None or not _PROGRESS.match(line):
            return
        from IPython.display import display

        shown = {"text/plain": line}
        if self.handle is None:
            self.handle = display(shown, raw=True, display_id=True)
        else:
            self.handle.update(shown, raw=True)


def run(case: str | os.PathLike, set: Mapping[str, Any] | None = None, *, out: str | os.PathLike | None = None, time: float | None = None,
        steps: int | None = None, threads: int | None = None, backend: str | None = None, refine: str | None = None, resume: bool = False,
        overwrite: bool = False, progress: bool | Callable[[str], None] | None = None, binary: str | os.PathLike | None = None, **keys: Any) -> Run:
    """Runs a case file (or the manifest.json of an earlier run) and returns the Run.

    set, keys   override keys of the case, by dotted names in a mapping or, with two underscores
                for a dot, as arguments: run("c.toml", {"reference.reynolds": 40}) is run("c.toml",
                reference__reynolds=40) and run("c.toml", reference={"reynolds": 40}). A value is
                set as a whole: {"domain.boundary.left": {"type": "outflow"}} replaces the face
    out         the directory of results; the case's where it is left out
    time, steps where the run ends, in L/U or steps, instead of the case's
    resume      goes on from the last good checkpoint in the directory; overwrite replaces an earlier run
    progress    True writes the lines of the program to standard error, a function gets each,
                False shows none; left out, notebooks and terminals show them
    binary      the program, else what LBMIB names, lbmib in PATH, or bin/lbmib of this tree

    Raises CaseError, Diverged, InputOutputError, InternalError, Killed or, after a checkpoint,
    Interrupted, each with what the program said; `run` of the last ones holds what was written.
    Ctrl-C interrupts the run, a second one ends it without a checkpoint.
    """
    arguments = ["run", _file(case), "--json", *_sets(set, keys)]
    for name, value in {"out": out, "time": time, "steps": steps, "threads": threads, "backend": backend, "refine": refine}.items():
        if value is not None:
            arguments.append(f"--{name}={os.fspath(value) if name == 'out' else value}")
    arguments += ["--resume"] * resume + ["--overwrite"] * overwrite
    code, printed, message = _execute(arguments, progress, binary)
    directory = None
    with contextlib.suppress(ValueError, AttributeError):
        directory = json.loads(printed).get("directory")
    result = None
    if code != 2 and (directory or out) is not None:
        with contextlib.suppress(NotARun, Damaged):
            result = load(directory or out)
    if code != 0:
        _fail(code, message, result)
    if result is None:
        raise Error(_stranger(printed, binary), code)
    return result


def check(case: str | os.PathLike, set: Mapping[str, Any] | None = None, *, binary: str | os.PathLike | None = None, **keys: Any) -> Check:
    """What `lbmib check` says of a case, as the document of its --json; nothing is run. A case that
    is refused is none that raises: its `verdict` is "refused", and its `errors` say why."""
    code, printed, message = _execute(["check", _file(case), "--json", *_sets(set, keys)], False, binary)
    try:
        return Check(json.loads(printed))
    except (ValueError, TypeError):
        _fail(code or 1, message, None)


def sweep(case: str | os.PathLike, over: Mapping[str, Sequence], set: Mapping[str, Any] | None = None, *, out: str | os.PathLike | None = None,
          threads: int | None = None, refine: str | None = None, overwrite: bool = False, progress: bool | Callable[[str], None] | None = None,
          binary: str | os.PathLike | None = None, **keys: Any) -> Sweep:
    """Runs a case for every combination of values, sweep("c.toml", {"reference.reynolds": [20, 40]}),
    and returns the Sweep. It goes on where an earlier one was interrupted. The rest is as of run."""
    arguments = ["sweep", _file(case), "--json", *_sets(set, keys)]
    for key, values in over.items():
        words = [v if isinstance(v, str) and _BARE.fullmatch(v) else _toml(v) for v in values]
        arguments.append(f"--over={key.replace('__', '.')}={','.join(words)}")
    for name, value in {"out": out, "threads": threads, "refine": refine}.items():
        if value is not None:
            arguments.append(f"--{name}={os.fspath(value) if name == 'out' else value}")
    code, printed, message = _execute(arguments + ["--overwrite"] * overwrite, progress, binary)
    directory = out
    with contextlib.suppress(ValueError, LookupError, TypeError):
        directory = Path(json.loads(printed)["runs"][0]["directory"]).parent
    result = None
    if code != 2 and directory is not None:
        with contextlib.suppress(NotARun, Damaged):
            result = load_sweep(directory)
    if code != 0:
        _fail(code, message, result)
    if result is None:
        raise Error(_stranger(printed, binary), code)
    return result


# ---------------------------------------------------------------- tables


def _optional(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


class Table(np.ndarray):
    """A table where pandas is not installed: a structured array, whose columns are taken by name as
    those of a DataFrame, table["cd"]; `columns` names them, and `attrs["units"]` has their units."""

    def __array_finalize__(self, of: Any) -> None:
        self.attrs = getattr(of, "attrs", {"units": {}})

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            if key not in self.dtype.names:
                raise KeyError(f"{key}: there is no such column, but {', '.join(self.dtype.names)}")
            return np.asarray(self)[key]
        return super().__getitem__(key)

    @property
    def columns(self) -> tuple[str, ...]:
        return self.dtype.names or ()

    def _repr_html_(self) -> str:
        rows = list(range(len(self))) if len(self) <= 10 else [*range(5), None, *range(len(self) - 5, len(self))]
        body = [["…"] * len(self.columns) if i is None else [_shown(v) for v in np.asarray(self)[i]] for i in rows]
        return _html_table(list(self.columns), body) + f"<p>{len(self)} rows × {len(self.columns)} columns</p>"


_NAMES = {"body", "probe", "section", "port", "run", "status", "note", "error", "quantity"} # columns of words, whatever they look like
_COUNTS = {"step", "steps", "ellipsoids", "cells", "nodes"}

# Units of columns in reference units, {d} the dimensions of space.
_UNITS = {name: unit for names, unit in {
    "t time": "L/U", "step steps ellipsoids cells nodes": "1",
    "s x y z r cell_free_layer extent_x extent_y extent_z tip_x tip_y tip_z gap gap_min recirculation recirculation_length": "L",
    "u v w ux uy uz u_mean v_mean w_mean speed speed_held vx vy vz v_rms speed_max tip_vx tip_vy tip_vz slip_max slip_granted": "U",
    "spin wx wy wz spin_x spin_y spin_z": "U/L", "angle rx ry rz inclination tread": "rad", "rho": "rho", "p p_mean": "rho U^2", "body_force": "U^2/L",
    "flow_rate wall_flow_rate flow_rate_mean": "U L^{d-1}", "area": "L^{d-1}",
    "start_fx start_fy start_fz end_fx end_fy end_fz hold_fx hold_fy hold_fz tension_max": "rho U^2 L^{d-1}", "start_moment end_moment": "rho U^2 L^{d}",
    "fx fy fz cv_fx cv_fy cv_fz outer_fx outer_fy outer_fz": "rho U^2 L^{d-1}/2", "tx ty tz": "rho U^2 L^{d}/2",
    "energy energy_membrane energy_bending energy_area energy_volume energy_stretching energy_kinetic contact_energy kinetic_energy": "rho U^2 L^{d}",
    "curvature_max": "1/L", "wall_seconds": "s",
    "cd cl cs deformation area_drift volume_drift strain_max hematocrit discharge_hematocrit fahraeus_ratio relative_viscosity order_x order_y order_z "
    "area_drift_max volume_drift_max cd_mean cd_amplitude cl_mean cl_amplitude cl_rms strouhal along_mean cd_error cd_interval force_gap": "1",
}.items() for name in names.split()}
_UNITS |= {f"{side}_{end}_{axis}": "L" for side in ("left", "right") for end in ("bottom", "top") for axis in "xyz"} # corners of sheets


def _si_unit(suffix: str) -> str:
    """The unit that ends the name of a column or key in SI: "N_m_per_m" is N m/m."""
    text = re.sub(r"(?<=[a-z])(\d)", r"^\1", "1/" + suffix[4:] if suffix.startswith("per_") else suffix.replace("_per_", "/"))
    return text.replace("_", " ")


_SI = re.compile(r"(per_)?[A-Za-z]{1,2}\d?(_(per_)?[A-Za-z]{1,2}\d?)*")


def _in_space(unit: str, dimensions: int) -> str:
    return unit.replace("L^{d-1}", "L" if dimensions == 2 else "L^2").replace("L^{d}", f"L^{dimensions}")


def _units(columns: Sequence[str], dimensions: int) -> dict[str, str]:
    """The units of columns, as far as they are known: of those in SI by the ends of their names."""
    units: dict[str, str] = {}
    for name in columns:
        last = name.split(".")[-1]
        if last in _UNITS:
            units[name] = _in_space(_UNITS[last], dimensions)
        elif base := next((c for c in columns if name.startswith(c + "_") and c.split(".")[-1] in _UNITS and _SI.fullmatch(name[len(c) + 1:])), None):
            units[name] = _si_unit(name[len(base) + 1:])
    return units


def _read_table(path: Path, dimensions: int) -> Any:
    """The table of a CSV file. A last line without an end, which a run that was killed leaves, is left out."""
    text = _text(path)
    whole = text[:text.rfind("\n") + 1]
    rows = [row for row in csv.reader(io.StringIO(whole)) if row]
    if not rows:
        raise Damaged(f"{path}: has no line with the names of its columns: it is no table of lbmib, or was cut short")
    header, rows = rows[0], rows[1:]
    for number, row in enumerate(rows, 2):
        if len(row) != len(header):
            raise Damaged(f"{path}:{number}: has {len(row)} values, the columns are {len(header)}: the file was changed or cut")
    columns = {}
    for i, name in enumerate(header):
        columns[name] = _column(name.split(".")[-1], [row[i] for row in rows])
    units = _units(header, dimensions)
    pandas = _optional("pandas")
    if pandas is not None:
        table = pandas.DataFrame(columns)
        table.attrs["units"] = units
        return table
    array = np.empty(len(rows), [(name, c.dtype if c.dtype.kind != "O" else f"U{max(map(len, c), default=1) or 1}") for name, c in columns.items()]).view(Table)
    for name, c in columns.items():
        np.asarray(array)[name] = c
    array.attrs = {"units": units}
    return array


def _column(name: str, values: list[str]) -> np.ndarray:
    if name not in _NAMES:
        with contextlib.suppress(ValueError):
            if name in _COUNTS and all(values):
                return np.array([int(v) for v in values], np.int64)
            return np.array([float(v) if v else math.nan for v in values], float)
    return np.array(values, object)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as e:
        raise Damaged(f"{path}: cannot be read: {e.strerror}: was it moved or removed?") from e
    except UnicodeDecodeError as e:
        raise Damaged(f"{path}: is no text: {e.reason} at byte {e.start}: the file was changed") from e


def _json(path: Path) -> Any:
    try:
        return json.loads(_text(path))
    except ValueError as e:
        raise Damaged(f"{path}: is no whole JSON document: {e}: it was cut short or changed") from e


# ---------------------------------------------------------------- fields and surfaces


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """The group VTKHDF of a file."""
    h5py = _optional("h5py")
    if h5py is None:
        raise MissingModule('fields and surfaces are read with the module h5py, which is not installed: "pip install h5py", "conda install h5py" or '
                            '"apt-get install python3-h5py"; tables and summaries do without')
    if not path.is_file():
        raise Damaged(f"{path}: is not there, although the series lists it: was it moved or removed?")
    try:
        file = h5py.File(path, "r")
    except OSError as e:
        raise Damaged(f"{path}: is no whole HDF5 file ({e}): it was cut short or changed; the others of the series can be read") from e
    with file:
        if "VTKHDF" not in file:
            raise Damaged(f"{path}: has no group VTKHDF: it is not one of lbmib's")
        yield file["VTKHDF"]


def _attributes(of: Any) -> dict[str, Any]:
    """Attributes as Python has them: strings, and arrays of one number as that number."""
    found = {}
    for name, value in of.attrs.items():
        if isinstance(value, (np.ndarray, np.generic)) and value.size == 1:
            value = value.item()
        if isinstance(value, bytes):
            value = value.decode()
        found[name] = value
    return found


class _File:
    """What a file of arrays tells of itself."""

    path: Path
    attributes: dict[str, Any]  #: of the file: time in L/U, step, reynolds, and time_s, length_m, … where there are scales
    units: dict[str, str]  #: of every array in reference units, as "rho U^2"; "" where it has none
    si_units: dict[str, str]  #: of those that have one
    _factors: dict[str, float]

    def _describe(self, path: Path, root: Any, arrays: Mapping[str, Any]) -> None:
        self.path, self.attributes = path, _attributes(root)
        told = {name: _attributes(a) for name, a in arrays.items()}
        self.units = {name: a.get("unit", "") for name, a in told.items()}
        self.si_units = {name: a["si_unit"] for name, a in told.items() if "si_unit" in a}
        self._factors = {name: a["si_factor"] for name, a in told.items() if "si_factor" in a}

    @property
    def time(self) -> float:
        """In L/U; NaN where the file does not tell."""
        return float(self.attributes.get("time", math.nan))

    @property
    def step(self) -> int:
        """−1 where the file does not tell."""
        return int(self.attributes.get("step", -1))

    @property
    def names(self) -> list[str]:
        return list(self.units)

    def _dataset(self, group: Any, name: str) -> Any:
        if name not in self.units:
            raise KeyError(f"{name}: is not in {self.path.name}, which has {', '.join(self.units)}")
        return group[name]

    def _in_si(self, name: str, values: np.ndarray) -> np.ndarray:
        if name not in self._factors:
            raise Error(f"{name} of {self.path.name} has no SI unit: give the case reference.length and reference.speed, and density where mass enters")
        return np.asarray(values, float) * self._factors[name]

    def _attrs(self, name: str) -> dict[str, Any]:
        told: dict[str, Any] = {"units": self.units[name]} if self.units[name] else {}
        if name in self._factors:
            told |= {"si_units": self.si_units[name], "si_factor": self._factors[name]}
        return told


class _Data(_File, Mapping):
    """The arrays of a file by name, each read when it is asked for."""

    def si(self, name: str) -> np.ndarray:
        """The array in SI, float64, in `si_units[name]`."""
        return self._in_si(name, self[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.units)

    def __len__(self) -> int:
        return len(self.units)

    def __contains__(self, name: object) -> bool:
        return name in self.units


class Field(_Data):
    """Fields on a regular grid: field["velocity"] is numpy, [z, y, x, component], scalars are
    [z, y, x], float32, in `units`. z is one plane in 2D. x, y and z are the places of the nodes in L.
    Velocity always has three components; vorticity is the one along z in 2D, and three in 3D."""

    def __init__(self, path: Path, begins: Mapping[int, float] | None = None):
        """begins: along which axes (0: z, 1: y) the file may hold one plane twice, as readers of VTK need it, and where nodes begin."""
        with _opened(path) as root:
            self._describe(path, root, root["PointData"])
            extent = np.asarray(root.attrs["WholeExtent"])
            origin, spacing = np.asarray(root.attrs["Origin"], float), np.asarray(root.attrs["Spacing"], float)
        self.spacing = float(spacing[0])  #: of the nodes, in L
        size = extent[1::2] - extent[::2] + 1
        self._cut = tuple(a for a, least in (begins or {}).items() if size[2 - a] == 2 and origin[2 - a] < least - 1e-6 * spacing[2 - a])
        for a in self._cut: # the second of the planes is the one that is meant
            origin[2 - a] += spacing[2 - a]
            size[2 - a] = 1
        self.x, self.y, self.z = (origin[i] + spacing[i] * np.arange(size[i]) for i in range(3))
        self.shape = tuple(int(n) for n in size[::-1])  #: [z, y, x]

    def __getitem__(self, name: str) -> np.ndarray:
        with _opened(self.path) as root:
            data = self._dataset(root["PointData"], name)
            cut = tuple(slice(-1, None) if a in self._cut else slice(None) for a in range(3))
            return data[cut]

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top of the x–y plane in L, as of matplotlib's imshow(…, origin="lower")."""
        h = self.spacing / 2
        return (self.x[0] - h, self.x[-1] + h, self.y[0] - h, self.y[-1] + h)

    def plane(self, name: str, axis: str = "z", at: float | None = None) -> np.ndarray:
        """The plane of nodes across an axis that is nearest to `at` in L, the middle one where that is
        left out: [y, x] across z, [z, x] across y, [z, y] across x, and [.., component] of vectors."""
        if axis not in ("x", "y", "z"):
            raise ValueError(f"axis is {axis!r}: it must be x, y or z")
        places = getattr(self, axis)
        i = len(places) // 2 if at is None else int(np.argmin(abs(places - at)))
        return np.take(self[name], i, axis="zyx".index(axis))

    def dataset(self) -> Any:
        """An xarray.Dataset of dims z, y, x (in L) and component (x, y, z), with units in attrs."""
        xarray = _optional("xarray")
        if xarray is None:
            raise MissingModule('datasets are of the module xarray, which is not installed: "pip install xarray"; field["velocity"] is numpy without it')
        data = {}
        for name in self:
            a = self[name]
            data[name] = (("z", "y", "x", "component")[:a.ndim], a, self._attrs(name))
        coordinates: dict[str, Any] = {c: (c, getattr(self, c), {"units": "L"}) for c in "zyx"}
        if any(len(d[0]) == 4 for d in data.values()):
            coordinates["component"] = ["x", "y", "z"]
        coordinates["time"] = ((), self.time, {"units": "L/U"})
        return xarray.Dataset(data, coordinates, {k: v for k, v in self.attributes.items() if isinstance(v, (str, int, float))})

    def __repr__(self) -> str:
        return f"<lbmib.Field t = {self.time:g} L/U, [z, y, x] = {list(self.shape)}, {', '.join(self)}>"


class Box(Mapping):
    """A box of cells of one level of nested grids: box["velocity"] is [z, y, x, component] of its
    cells, x, y and z their centres in L, `spacing` their width, `covered` [z, y, x] tells which have
    finer ones in their place. z is one layer in 2D."""

    def __init__(self, of: Levels, level: int, first: int, bounds: np.ndarray, spacing: np.ndarray, origin: np.ndarray, planar: bool):
        self._of, self._first, self._planar = of, first, planar
        self.level, self.spacing = level, float(spacing[0])
        self._bounds = bounds # i0, i1, j0, j1, k0, k1, both ends in
        size = bounds[1::2] - bounds[::2] + 1
        self._stored = tuple(int(n) for n in size[::-1])
        self._cells = int(np.prod(size))
        centres = [origin[a] + spacing[a] * (np.arange(bounds[2 * a], bounds[2 * a + 1] + 1) + 0.5) for a in range(3)]
        self.x, self.y, self.z = centres
        if planar: # equal layers, which end where the plane is
            self.z = np.zeros(1)
        self.shape = (1, *self._stored[1:]) if planar else self._stored  #: [z, y, x]

    def __getitem__(self, name: str) -> np.ndarray:
        with _opened(self._of.path) as root:
            data = self._of._dataset(root[f"Level{self.level}/CellData"], name)
            a = data[self._first:self._first + self._cells]
        a = a.reshape(self._stored + a.shape[1:])
        return a[-1:] if self._planar else a

    def si(self, name: str) -> np.ndarray:
        """The array in SI, float64, in the `si_units` of the Levels."""
        return self._of._in_si(name, self[name])

    @property
    def covered(self) -> np.ndarray:
        mask = np.zeros(self.shape, bool)
        for box in self._of.level(self.level + 1):
            h = self.spacing / 2
            inside = [(getattr(self, a) > getattr(box, a)[0] - h) & (getattr(self, a) < getattr(box, a)[-1] + h) for a in "xy"]
            z = np.ones(1, bool) if self._planar else (self.z > box.z[0] - h) & (self.z < box.z[-1] + h)
            mask |= z[:, None, None] & inside[1][None, :, None] & inside[0][None, None, :]
        return mask

    def __iter__(self) -> Iterator[str]:
        return iter(self._of.units)

    def __len__(self) -> int:
        return len(self._of.units)

    def __repr__(self) -> str:
        return f"<lbmib.Box of level {self.level}, spacing {self.spacing:g} L, [z, y, x] = {list(self.shape)}>"


class Levels(_File):
    """Fields on the cells of nested grids (`output.fields.format = "amr"`): `boxes`, coarse before
    fine, `level(n)` those of a level, 0 the coarsest, `levels` how many levels there are."""

    def __init__(self, path: Path, planar: bool):
        with _opened(path) as root:
            names = sorted((k for k in root if k.startswith("Level")), key=lambda k: int(k[5:]))
            self._describe(path, root, root[names[0]]["CellData"])
            origin = np.asarray(root.attrs["Origin"], float)
            self.levels = len(names)
            self.boxes: list[Box] = []
            for level, name in enumerate(names):
                first = 0
                for bounds in np.asarray(root[name]["AMRBox"]):
                    box = Box(self, level, first, bounds, np.asarray(root[name].attrs["Spacing"], float), origin, planar)
                    first += box._cells
                    self.boxes.append(box)

    def level(self, n: int) -> list[Box]:
        return [b for b in self.boxes if b.level == n]

    def __repr__(self) -> str:
        return f"<lbmib.Levels t = {self.time:g} L/U, {self.levels} levels, {len(self.boxes)} boxes, {', '.join(self.names)}>"


class Surface(_Data):
    """Points with data: `points` [n, 3] in L, `triangles` [m, 3] and `lines`, of numbers of points
    (none of markers), and surface["traction"] [n, 3] or [n], float32, in `units`. `body` is the number
    of the body, in the order of the case. 2D has z = 0."""

    def __init__(self, path: Path):
        with _opened(path) as root:
            self._describe(path, root, root["PointData"])
            self.points = np.asarray(root["Points"], float)
            offsets, ends = np.asarray(root["Polygons/Offsets"]), np.asarray(root["Polygons/Connectivity"])
            if (np.diff(offsets) != 3).any():
                raise Damaged(f"{path}: has polygons that are no triangles: it is not one of lbmib's")
            self.triangles = ends.reshape(-1, 3)
            offsets, ends = np.asarray(root["Lines/Offsets"]), np.asarray(root["Lines/Connectivity"])
            self.lines = [ends[a:b] for a, b in zip(offsets[:-1], offsets[1:])]

    def __getitem__(self, name: str) -> np.ndarray:
        with _opened(self.path) as root:
            return self._dataset(root["PointData"], name)[...]

    def of(self, body: int) -> np.ndarray:
        """Which points are the body's, [n], bool."""
        return self["body"].astype(int) == body

    def __repr__(self) -> str:
        return f"<lbmib.Surface t = {self.time:g} L/U, {len(self.points)} points, {len(self.triangles)} triangles, {', '.join(self)}>"


class Voxels(_Data):
    """The nodes of the fluid in a vessel (`output.fields.format = "fluid"`): `points` [n, 3] in L,
    `voxels` [m, 8], the numbers of the points at the corners of each, and voxels["velocity"] [n, 3] or
    [n], float32, in `units`."""

    def __init__(self, path: Path):
        with _opened(path) as root:
            self._describe(path, root, root["PointData"])
            self.points = np.asarray(root["Points"], float)
            self.voxels = np.asarray(root["Connectivity"]).reshape(-1, 8)

    def __getitem__(self, name: str) -> np.ndarray:
        with _opened(self.path) as root:
            return self._dataset(root["PointData"], name)[...]

    def __repr__(self) -> str:
        return f"<lbmib.Voxels t = {self.time:g} L/U, {len(self.points)} points, {len(self.voxels)} voxels, {', '.join(self)}>"


class Series(Sequence):
    """Files over time: series[-1] is a Field, Levels, Voxels or Surface, `times` are in L/U, series.at(t) is the
    one nearest to a time, series[2:5] a shorter series. A file is read when it is asked for."""

    def __init__(self, entries: list[tuple[Path, float]], read: Callable[[Path], Any]):
        self._entries, self._read = entries, read

    @property
    def times(self) -> np.ndarray:
        return np.array([t for _, t in self._entries], float)

    @property
    def files(self) -> list[Path]:
        return [p for p, _ in self._entries]

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return Series(self._entries[i], self._read)
        return self._read(self._entries[i][0])

    def at(self, time: float) -> Any:
        if not self._entries:
            raise IndexError("the series is empty: nothing has been written yet")
        return self[int(np.argmin(abs(self.times - time)))]

    def dataset(self) -> Any:
        """An xarray.Dataset of all files, along time; of fields on images. It holds all of them in memory."""
        if not self._entries:
            raise Error("the series is empty: nothing has been written yet")
        parts = [f.dataset() for f in self]
        return importlib.import_module("xarray").concat(parts, "time", combine_attrs="drop_conflicts")

    def __repr__(self) -> str:
        return f"<lbmib.Series of {len(self)}" + (f", t = {self.times[0]:g} to {self.times[-1]:g} L/U>" if len(self) else ">")


class _Named(Mapping):
    """Things by name, each read when it is asked for."""

    def __init__(self, names: Sequence[str], read: Callable[[str], Any], what: str):
        self._names, self._read, self._what = list(names), read, what

    def __getitem__(self, name: str) -> Any:
        if name not in self._names:
            raise KeyError(f"{name}: there is no such {self._what}, but {', '.join(self._names) or 'none'}")
        return self._read(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<lbmib {self._what}s {', '.join(self._names) or '(none)'}>"


# ---------------------------------------------------------------- runs


class Run:
    """The directory of a run, as far as it is: finished, going on, interrupted or failed. Everything
    is read when it is asked for, and anew each time, so that a run that goes on can be watched.

    summary, manifest, case   dicts; case is the file as it was run, manifest["case"] has every default
    status                    "done", "steady", "diverged", "interrupted", …, "running"
    forces, probes, bodies, … the CSV tables that are there, by the names of their files (`tables`);
                              lines["NAME"] those of lines
    fields, markers           Series; also membranes and surfaces (of elastic and of rigid bodies), wall
    slices["NAME"], boxes["NAME"], means (a Field)
    checkpoints, plots, report paths
    """

    def __init__(self, directory: str | os.PathLike):
        self.directory = Path(directory)
        if not (self.directory / "manifest.json").is_file():
            raise NotARun(_not_a_run(self.directory))

    @property
    def manifest(self) -> dict[str, Any]:
        return _json(self.directory / "manifest.json")

    @property
    def summary(self) -> dict[str, Any]:
        """summary.json; {} where it is not written yet."""
        path = self.directory / "summary.json"
        return _json(path) if path.exists() else {}

    @property
    def case(self) -> dict[str, Any]:
        path = self.directory / "case-as-run.toml"
        try:
            return tomllib.loads(_text(path))
        except tomllib.TOMLDecodeError as e:
            raise Damaged(f"{path}: is no TOML: {e}: it was changed") from e

    @property
    def status(self) -> str:
        return self.manifest.get("status", "")

    @property
    def dimensions(self) -> int:
        """Of space: 2 or 3."""
        return 2 if self.manifest.get("case", {}).get("domain", {}).get("lattice") == "D2Q9" else 3

    @property
    def tables(self) -> list[str]:
        return sorted(p.stem for p in self.directory.glob("*.csv"))

    def table(self, name: str) -> Any:
        """A table by the name of its file: pandas.DataFrame, or Table where pandas is not installed.
        attrs["units"] has the units of its columns."""
        if name not in self.tables:
            raise KeyError(f"{name}: there is no {name}.csv in {self.directory}, but {', '.join(self.tables) or 'no table'}: outputs are asked for in the case's [output]")
        return _read_table(self.directory / f"{name}.csv", self.dimensions)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and "directory" in self.__dict__:
            if name in self.tables:
                return self.table(name)
            raise AttributeError(f"{name}: the run in {self.directory} has no such table; it has {', '.join(self.tables) or 'none'}: outputs are asked for in the case's [output]")
        raise AttributeError(name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.tables]

    @property
    def lines(self) -> Mapping[str, Any]:
        folder = self.directory / "lines"
        return _Named(sorted(p.stem for p in folder.glob("*.csv")), lambda name: _read_table(folder / f"{name}.csv", self.dimensions), "line")

    @property
    def series(self) -> Mapping[str, Series]:
        """All series by the names of their files: "fields", "markers", "cells", "slices/NAME", …"""
        end = ".vtkhdf.series"
        found = [p for p in [*self.directory.glob("*" + end), *self.directory.glob("*/*" + end)] if p.is_file()]
        return _Named(sorted(p.relative_to(self.directory).as_posix().removesuffix(end) for p in found), self._series, "series")

    def _series(self, name: str) -> Series:
        path = self.directory / f"{name}.vtkhdf.series"
        if not path.exists():
            return Series([], lambda p: None)
        listed = _json(path)
        try:
            entries = [(path.parent / e["name"], float(e["time"])) for e in listed["files"]]
        except (KeyError, TypeError, ValueError) as e:
            raise Damaged(f"{path}: is no series of files: it was changed") from e
        return Series(entries, lambda p: _read(p, self, name))

    def _group(self, folder: str) -> Mapping[str, Series]:
        names = [n.removeprefix(folder + "/") for n in self.series if n.startswith(folder + "/")]
        return _Named(names, lambda name: self._series(f"{folder}/{name}"), folder.rstrip("s") if folder != "boxes" else "box")

    @property
    def fields(self) -> Series:
        return self._series("fields")

    @property
    def markers(self) -> Series:
        return self._series("markers")

    @property
    def membranes(self) -> Series:
        return self._series("cells")

    @property
    def surfaces(self) -> Series:
        return self._series("surfaces")

    @property
    def wall(self) -> Series:
        return self._series("wall")

    @property
    def slices(self) -> Mapping[str, Series]:
        return self._group("slices")

    @property
    def boxes(self) -> Mapping[str, Series]:
        return self._group("boxes")

    @property
    def means(self) -> Field:
        """Means and variances, as velocity_mean and velocity_variance."""
        path = self.directory / "fields" / "means.vtkhdf"
        if not path.exists():
            raise Error(f"the run in {self.directory} has no means: they are asked for by output.means in the case, and written from its time `from` on")
        return _read(path, self, "fields")

    @property
    def checkpoints(self) -> list[tuple[int, Path]]:
        """Steps and files, the latest last."""
        return sorted((int(p.stem), p) for p in (self.directory / "checkpoint").glob("*.ckpt") if p.stem.isdigit())

    @property
    def plots(self) -> dict[str, Path]:
        return {p.stem: p for p in sorted((self.directory / "plots").glob("*.png"))}

    @property
    def report(self) -> Path:
        return self.directory / "report.html"

    def _flat(self, name: str) -> dict[int, float]:
        """Along which axes (0: z, 1: y) files of a series may hold one plane twice, and where their nodes begin
        in L: the first of two equal planes is before that."""
        if self.dimensions == 2:
            return {0: math.inf}
        case = self.manifest.get("case", {})
        folder, _, which = name.partition("/")
        of = next((o for o in case.get("output", {}).get(folder, []) if o.get("name") == which), {}) if which else {}
        if folder == "slices":
            return {"zy".index(of["axis"]): math.inf} if of.get("axis", "x") in "zy" else {}
        least = of.get("min") or case.get("domain", {}).get("origin") or []
        return {a: least[2 - a] for a in (0, 1) if len(least) == 3 and isinstance(least[2 - a], (int, float))}

    def __repr__(self) -> str:
        return f"<lbmib.Run {self.directory}: {self.status}>"

    def _repr_html_(self) -> str:
        s = self.summary
        title = s.get("title") or s.get("case") or self.directory.name
        line = [self.status]
        if s:
            line += [f"{s.get('steps')} steps", f"t = {_shown(s.get('time'))} L/U", f"{s.get('nodes')} nodes", f"{_shown(s.get('mflups'))} MFLUPS while stepping"]
        parts = [f"<h4>{html.escape(str(title))}</h4><p>{html.escape(', '.join(line))} — <code>{html.escape(str(self.directory))}</code></p>"]
        if s.get("reason"):
            parts.append(f"<p><b>{html.escape(s['reason'])}</b></p>")
        rows = _results(s, self.dimensions)
        if rows:
            columns = 4 if any(r[3] for r in rows) else 3
            parts.append(_html_table(["of", "quantity", "value", "in SI"][:columns], [r[:columns] for r in rows]))
        if s.get("cautions"):
            parts.append("<ul>" + "".join(f"<li>{html.escape(c)}</li>" for c in s["cautions"]) + "</ul>")
        return "<div>" + "".join(parts) + _pictures(self.plots.values()) + "</div>"


def _read(path: Path, run: Run, name: str) -> Field | Levels | Voxels | Surface:
    with _opened(path) as root:
        kind = _attributes(root).get("Type")
    try:
        match kind:
            case "ImageData":
                return Field(path, run._flat(name))
            case "OverlappingAMR":
                return Levels(path, run.dimensions == 2)
            case "PolyData":
                return Surface(path)
            case "UnstructuredGrid":
                return Voxels(path)
    except (KeyError, OSError, ValueError) as e:
        raise Damaged(f"{path}: lacks a part of what a file of lbmib has ({e}): it was cut short or changed") from e
    raise Damaged(f"{path}: is of type {kind!r}, none of lbmib's")


def _not_a_run(directory: Path) -> str:
    if not directory.is_dir():
        return f"{directory}: is no directory: give that of a run, for instance cylinder.out"
    if (directory / "sweep.json").exists():
        return f"{directory}: is that of a sweep: use load_sweep"
    return f"{directory}: has no manifest.json: it is no directory of a run of lbmib, or its run has not begun yet"


def load(directory: str | os.PathLike) -> Run:
    """The run in a directory, as far as it is."""
    return Run(directory)


# ---------------------------------------------------------------- sweeps


class Sweep(Sequence):
    """A sweep: `table` has a row per run (pandas.DataFrame or Table), sweep[0] and sweep["reynolds=20"]
    are its Runs, `document` is sweep.json, `keys` are the keys that it goes over. Runs that have not
    begun are left out."""

    def __init__(self, directory: str | os.PathLike):
        self.directory = Path(directory)
        if not (self.directory / "sweep.json").is_file():
            raise NotARun(f"{self.directory}: has no sweep.json: it is no directory of a sweep of lbmib, or its first run goes on")
        self.document = _json(self.directory / "sweep.json")

    @property
    def keys(self) -> list[str]:
        return [o["key"] for o in self.document.get("over", [])]

    @property
    def table(self) -> Any:
        runs = self.runs
        return _read_table(self.directory / "sweep.csv", runs[0].dimensions if runs else 3)

    @property
    def names(self) -> list[str]:
        return [r["name"] for r in self.document.get("runs", []) if (self.directory / r["name"] / "manifest.json").is_file()]

    @property
    def runs(self) -> list[Run]:
        return [Run(self.directory / name) for name in self.names]

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, str):
            if i not in self.names:
                raise KeyError(f"{i}: there is no such run, but {', '.join(self.names)}")
            return Run(self.directory / i)
        return self.runs[i]

    def __repr__(self) -> str:
        return f"<lbmib.Sweep {self.directory}: {len(self)} runs over {', '.join(self.keys)}>"

    def _repr_html_(self) -> str:
        runs = self.document.get("runs", [])
        wanted = ["cd_mean", "cl_amplitude", "strouhal", "recirculation_length", "cd_error"]
        bodies = list(dict.fromkeys(b for r in runs for b in (r.get("summary") or {}).get("bodies", {})))[:3]
        columns = [(b, q) for b in bodies for q in wanted if any(_of(r, b, q) is not None for r in runs)]
        rows = [[*(_shown(r.get("values", {}).get(k)) for k in self.keys), str(r.get("status", "")), *(_shown(_of(r, b, q)) for b, q in columns)] for r in runs]
        head = [*self.keys, "status", *(f"{b}: {q}" for b, q in columns)]
        title = html.escape(f"Sweep of {self.document.get('case', '')} over {', '.join(self.keys)}")
        warnings = "".join(f"<li>{html.escape(w)}</li>" for w in self.document.get("warnings") or [])
        picture = self.directory / "sweep.png"
        return f"<div><h4>{title}</h4>{_html_table(head, rows)}<ul>{warnings}</ul>{_pictures([picture] if picture.exists() else [])}</div>"


def _of(run: Mapping, body: str, quantity: str) -> Any:
    return (run.get("summary") or {}).get("bodies", {}).get(body, {}).get(quantity)


def load_sweep(directory: str | os.PathLike) -> Sweep:
    """The sweep in a directory, as far as it is."""
    return Sweep(directory)


# ---------------------------------------------------------------- shown in notebooks


class Check(dict):
    """The document of `lbmib check --json`."""

    @property
    def verdict(self) -> str:
        """ "ok", "caution", "unsafe" or "refused"."""
        return self.get("verdict", "")

    def judged(self) -> list[tuple[str, Any, str, str]]:
        """What was judged: place in the document, value, verdict, reason ("" where it is ok)."""
        found: list[tuple[str, Any, str, str]] = []

        def walk(value: Any, place: str) -> None:
            if isinstance(value, Mapping):
                if place and value.get("verdict"):
                    found.append((place, value.get("value"), value["verdict"], value.get("reason", "")))
                for k, v in value.items():
                    walk(v, f"{place}.{k}" if place else k)
            elif isinstance(value, list):
                for i, v in enumerate(value):
                    walk(v, f"{place}.{v.get('name', i) if isinstance(v, Mapping) else i}")

        walk(self, "")
        return found

    def _repr_html_(self) -> str:
        title = html.escape(f"{self.get('title') or self.get('case') or self.get('file')}: {self.verdict}")
        if self.get("errors"):
            return f"<div><h4>{title}</h4><ul>" + "".join(f"<li><pre>{html.escape(e)}</pre></li>" for e in self["errors"]) + "</ul></div>"
        colours = {"ok": "#2e7d32", "caution": "#b26a00", "unsafe": "#c62828", "refused": "#c62828"}
        rows = [[p, _shown(v), _Raw(f'<b style="color:{colours.get(d, "inherit")}">{html.escape(d)}</b>'), r] for p, v, d, r in self.judged()]
        return f"<div><h4>{title}</h4>{_html_table(['what', 'value', 'verdict', 'why'], rows)}</div>"


class _Raw(str):
    """Text that is HTML."""


def _html_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    cell = lambda c: c if isinstance(c, _Raw) else html.escape(str(c))
    style = ' style="text-align:left;vertical-align:top;padding:1px 12px 1px 0"'
    lines = ["<tr>" + "".join(f"<th{style}>{cell(h)}</th>" for h in head) + "</tr>"]
    lines += ["<tr>" + "".join(f"<td{style}>{cell(c)}</td>" for c in row) + "</tr>" for row in rows]
    return "<table>" + "".join(lines) + "</table>"


def _shown(value: Any) -> str:
    """A value in a few digits."""
    if value is None:
        return ""
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(map(_shown, value)) + ")"
    if isinstance(value, (float, np.floating)):
        return "0" if value == 0 else f"{value:.4g}"
    return str(value)


# What is shown of a summary, with units.
_SHOWN = {
    "cd_mean": "", "cd_amplitude": "", "cl_mean": "", "cl_amplitude": "", "strouhal": "", "recirculation_length": "L", "cd_error": "", "force_mean": "rho U^2 L^{d-1}/2",
    "torque_mean": "rho U^2 L^{d}/2", "velocity_mean": "U", "spin_mean": "U/L", "motion_frequency": "U/L", "flow_rate_mean": "U L^{d-1}", "pressure_mean": "rho U^2",
}


def _results(summary: Mapping, dimensions: int) -> list[list[str]]:
    """Rows of a summary: of what, quantity, value with its unit, the same in SI."""
    rows = []
    for group in ("bodies", "sections", "probes", "ports"):
        for name, of in (summary.get(group) or {}).items():
            for key, unit in _SHOWN.items():
                value = of.get(key)
                if value is None:
                    continue
                si = next(((v, _si_unit(k[len(key) + 1:])) for k, v in (of.get("si") or {}).items() if k.startswith(key + "_")), None)
                rows.append([name, key, f"{_shown(value)} {_in_space(unit, dimensions)}".strip(), f"{_shown(si[0])} {si[1]}" if si else ""])
                name = ""
    return rows


def _pictures(paths: Any, most: int = 4, bytes_most: int = 2 << 20) -> str:
    """Pictures, each in the page itself."""
    shown = []
    for path in paths:
        if len(shown) < most and path.stat().st_size <= bytes_most:
            data = base64.b64encode(path.read_bytes()).decode()
            shown.append(f'<img alt="{html.escape(path.stem)}" title="{html.escape(path.stem)}" style="max-width:48%" src="data:image/png;base64,{data}">')
    return "".join(shown)
