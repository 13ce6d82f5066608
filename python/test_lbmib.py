"""Tests of lbmib.py against runs of the program, which the environment variable LBMIB names."""

import contextlib
import io
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import tomllib
import unittest
from pathlib import Path
from unittest import mock

import h5py
import nbformat
import numpy as np
import pandas
import xarray
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent
TREE = HERE.parent
sys.path.insert(0, str(HERE))
import lbmib  # noqa: E402

PLANE = """title = "Tiny <cylinder> & more"
[reference]
resolution = 8
velocity = 0.1
reynolds = 20
length = "1 cm"
speed = "1 cm/s"
density = "1000 kg/m^3"
[domain]
lattice = "D2Q9"
size = [6.0, 4.0]
initial = { type = "uniform", velocity = [1.0, 0.0] }
[domain.boundary]
left = { type = "velocity", value = [1.0, 0.0] }
right = { type = "outflow" }
bottom = { type = "free-slip" }
top = { type = "free-slip" }
[[body]]
name = "cylinder"
shape = { type = "circle", center = [2.0, 2.0], diameter = 1.0 }
[run]
time = 2.0
[output]
forces = { every = 0.1 }
"""
OUTPUTS = """fields = { every = 0.5, quantities = ["velocity", "density", "vorticity", "pressure"] }
checkpoint = { every = 1.0, keep = 2 }
probes = [ { name = "wake", at = [4.0, 2.0], every = 0.1 } ]
means = { from = 0.5, every = 0.1 }
boxes = [ { name = "near", min = [1.0, 1.0], max = [4.0, 3.0], every = 1.0 } ]
lines = [ { name = "across", from = [4.0, 0.0], to = [4.0, 4.0], points = 11, every = 1.0 } ]
sections = [ { name = "mid", axis = "x", at = 4.0, every = 1.0 } ]
"""
NESTED = """fields = { every = 0.5, format = "amr" }
[[refine]]
around = "cylinder"
margin = [0.8, 1.5, 0.8, 0.8]
level = 2
"""
CAPSULE = """[reference]
resolution = 4
velocity = 0.02
reynolds = 1
[domain]
lattice = "D3Q19"
size = [4.0, 4.0, 4.0]
initial = { type = "couette", velocity = [2.0, 0.0, 0.0], bottom = [-2.0, 0.0, 0.0] }
[domain.boundary]
bottom = { type = "moving-wall", value = [-2.0, 0.0, 0.0] }
top = { type = "moving-wall", value = [2.0, 0.0, 0.0] }
[[body]]
name = "capsule"
shape = { type = "sphere", center = [2.0, 2.0, 2.0], diameter = 2.0 }
motion = { type = "elastic", law = "neo-hookean", shear = 0.5, bending = 0.01, mesh = 162 }
[run]
time = 0.2
[output]
fields = { every = 0.1 }
slices = [ { name = "z", axis = "z", at = 2.0, every = 0.1 }, { name = "y", axis = "y", at = 1.0, every = 0.1 }, { name = "x", axis = "x", at = 1.0, every = 0.1 } ]
boxes = [ { name = "thin", min = [0.0, 0.0, 1.0], max = [4.0, 4.0, 1.2], every = 0.1 }, { name = "near", min = [0.0, 1.1, 1.1], max = [4.0, 1.4, 1.4], every = 0.1 }, { name = "top", min = [0.0, 0.0, 3.95], max = [4.0, 4.0, 4.0], every = 0.1 }, { name = "two", min = [0.0, 0.0, 1.0], max = [4.0, 4.0, 1.5], every = 0.1 } ]
cells = { every = 0.05 }
"""


@contextlib.contextmanager
def without(*names):
    """As if modules were not installed."""
    with mock.patch.dict(sys.modules, {name: None for name in names}):
        yield


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    return path


class Package(unittest.TestCase):
    def test_is_what_is_cited(self):
        project = tomllib.loads((HERE / "pyproject.toml").read_text())
        cited = re.search(r"^version: (\S+)$", (TREE / "CITATION.cff").read_text(), re.M)[1]
        self.assertEqual(project["project"]["version"], cited)
        self.assertEqual(project["tool"]["setuptools"]["py-modules"], ["lbmib"])


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="lbmib Strömung & Körper "))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        # A run writes beside its case's name into the working directory where out is left out.
        cls.enterClassContext(contextlib.chdir(cls.folder))

    def run_of(self, text, name, *args, **kw):
        return lbmib.run(write(self.folder / name / "case.toml", text), *args, out=self.folder / name / "out", threads=1, progress=False, **kw)


class Plane(Case):
    """Everything that a run in the plane leaves."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_ = cls.run_of(cls, PLANE + OUTPUTS, "Ebene 1")

    def test_documents(self):
        r = self.run_
        self.assertEqual((r.status, r.summary["status"], r.summary["steps"], r.dimensions), ("done", "done", 160, 2))
        self.assertEqual(r.manifest["exit_status"], 0)
        self.assertEqual(r.case["body"][0]["shape"]["diameter"], 1.0)
        self.assertEqual([s for s, _ in r.checkpoints], [80, 160])
        self.assertTrue(all(p.is_file() for _, p in r.checkpoints))
        self.assertIn("vorticity", r.plots)
        self.assertTrue(r.report.is_file())
        self.assertIn("done", repr(r))

    def test_tables(self):
        r = self.run_
        self.assertEqual(r.tables, ["forces", "probes", "sections"])
        self.assertIn("forces", dir(r))
        f = r.forces
        self.assertIsInstance(f, pandas.DataFrame)
        np.testing.assert_allclose(f["t"], np.arange(1, 21) * 0.1)
        self.assertEqual(f["step"].dtype, np.int64)
        self.assertEqual(set(f["body"]), {"cylinder"})
        # ½ρU²L = ½ · 1000 kg/m³ · (0.01 m/s)² · 0.01 m
        np.testing.assert_allclose(f["fx_N_per_m"], f["fx"] * 5e-4, rtol=1e-9)
        self.assertEqual([f.attrs["units"][c] for c in ("t", "fx", "tz", "cd", "fx_N_per_m", "tz_N_m_per_m", "t_s")],
                         ["L/U", "rho U^2 L/2", "rho U^2 L^2/2", "1", "N/m", "N m/m", "s"])
        self.assertEqual(len(r.lines["across"]), 22)
        with self.assertRaisesRegex(KeyError, "no such line, but across"):
            r.lines["along"]
        with self.assertRaisesRegex(AttributeError, "no such table; it has forces, probes, sections"):
            r.bodies
        with self.assertRaisesRegex(KeyError, "no bodies.csv"):
            r.table("bodies")

    def test_tables_without_pandas(self):
        with_pandas = {n: self.run_.table(n) for n in self.run_.tables}
        with without("pandas"):
            for name, frame in with_pandas.items():
                t = self.run_.table(name)
                self.assertIsInstance(t, lbmib.Table)
                self.assertEqual(list(t.columns), list(frame.columns))
                self.assertEqual(t.attrs, frame.attrs)
                for c in t.columns:
                    self.assertEqual(type(t[c]), np.ndarray)
                    np.testing.assert_array_equal(t[c], frame[c].to_numpy(), err_msg=c)
            f = self.run_.forces
            late = f[f["t"] > 1.05]
            self.assertEqual((len(late), late.attrs["units"]["t"]), (10, "L/U"))
            self.assertEqual(len(f[f["body"] == "cylinder"]), 20)
            with self.assertRaisesRegex(KeyError, "no such column, but t, step"):
                f["drag"]
            self.assertIn("20 rows", f._repr_html_())

    def test_fields(self):
        s = self.run_.fields
        np.testing.assert_allclose(s.times, [0.5, 1, 1.5, 2])
        f = s[-1]
        self.assertEqual((f.time, f.step, f.shape, f.attributes["reynolds"]), (2, 160, (1, 32, 48), 20))
        self.assertEqual(f.names, ["density", "pressure", "velocity", "vorticity"])
        with h5py.File(f.path) as file:
            for name in f:
                np.testing.assert_array_equal(f[name], file["VTKHDF/PointData"][name][1:])
        self.assertEqual((f["velocity"].shape, f["velocity"].dtype), ((1, 32, 48, 3), np.float32))
        np.testing.assert_allclose(f.x, (np.arange(48) + 0.5) / 8)
        np.testing.assert_allclose(f.y, (np.arange(32) + 0.5) / 8)
        self.assertEqual((list(f.z), f.extent), ([0], (0, 6, 0, 4)))
        # the velocity at the probe, between nodes
        probe = self.run_.probes
        i, j = [int(np.searchsorted(a, v)) for a, v in ((f.x, 4.0), (f.y, 2.0))]
        near = f["velocity"][0, j - 1:j + 1, i - 1:i + 1, 0].mean()
        self.assertAlmostEqual(float(near), float(np.asarray(probe["u"])[-1]), places=5)
        np.testing.assert_allclose(f.si("velocity"), f["velocity"] * 0.01, rtol=1e-6)
        self.assertEqual((f.units["pressure"], f.si_units["pressure"]), ("rho U^2", "Pa"))
        self.assertEqual(f.plane("vorticity").shape, (32, 48))
        self.assertEqual(f.plane("velocity", "x", 4.0).shape, (1, 32, 3))
        np.testing.assert_array_equal(f.plane("pressure", "y", 1.0), f["pressure"][:, 7])
        self.assertEqual((len(s[1:3]), s.at(1.4).time, s.at(9).time), (2, 1.5, 2))
        for wrong in (lambda: f["speed"], lambda: f.si("speed")):
            with self.assertRaisesRegex(KeyError, "which has density, pressure"):
                wrong()
        with self.assertRaisesRegex(ValueError, "must be x, y or z"):
            f.plane("density", "r")

    def test_datasets(self):
        d = self.run_.fields[0].dataset()
        self.assertIsInstance(d, xarray.Dataset)
        self.assertEqual(d["velocity"].dims, ("z", "y", "x", "component"))
        self.assertEqual((d["velocity"].attrs["units"], d["x"].attrs["units"], float(d["time"])), ("U", "L", 0.5))
        np.testing.assert_array_equal(d["velocity"].sel(component="x").isel(z=0), self.run_.fields[0].plane("velocity")[..., 0])
        whole = self.run_.fields.dataset()
        np.testing.assert_allclose(whole["time"], [0.5, 1, 1.5, 2])
        np.testing.assert_array_equal(whole["density"][-1], self.run_.fields[-1]["density"])
        with without("xarray"), self.assertRaisesRegex(lbmib.MissingModule, "pip install xarray"):
            self.run_.fields.dataset()

    def test_fields_without_h5py(self):
        with without("h5py"):
            self.assertEqual(len(self.run_.forces), 20)
            np.testing.assert_allclose(self.run_.fields.times[-1], 2)
            with self.assertRaisesRegex(lbmib.MissingModule, "apt-get install python3-h5py"):
                self.run_.fields[-1]

    def test_boxes_means_and_markers(self):
        r = self.run_
        box = r.boxes["near"][-1]
        self.assertEqual(box.shape, (1, 16, 24))
        np.testing.assert_array_equal(box["velocity"], r.fields[-1]["velocity"][:, 8:24, 8:32])
        np.testing.assert_allclose(box.x, r.fields[-1].x[8:32])
        self.assertEqual(r.means.names, ["density_mean", "density_variance", "velocity_mean", "velocity_variance"])
        m = r.markers[-1]
        self.assertEqual((m.points.shape, m.triangles.shape, m["traction"].shape, m.lines), ((25, 3), (0, 3), (25, 3), []))
        np.testing.assert_allclose(np.hypot(*(m.points[:, :2] - 2).T), 0.5)
        self.assertTrue(m.of(0).all())
        self.assertEqual(list(r.series), ["boxes/near", "fields", "markers"])
        self.assertEqual((len(r.surfaces), len(r.slices)), (0, 0))
        with self.assertRaisesRegex(IndexError, "empty"):
            r.surfaces.at(1)

    def test_html(self):
        h = self.run_._repr_html_()
        self.assertIn("Tiny &lt;cylinder&gt; &amp; more", h)
        self.assertNotIn("<cylinder>", h)
        self.assertRegex(h, r"cd_mean.*N/m.*data:image/png;base64")
        self.assertNotRegex(h, r"(src|href)=\"(?!data:)")

    def test_goes_on_and_is_replaced(self):
        case, out = self.folder / "Ebene 1" / "case.toml", self.folder / "longer"
        lbmib.run(case, out=out, threads=1, progress=False)
        with self.assertRaisesRegex(lbmib.CaseError, "holds an earlier run"):
            lbmib.run(case, out=out)
        r = lbmib.run(case, out=out, threads=1, time=2.5, resume=True, progress=False)
        self.assertEqual((r.summary["steps"], len(r.forces)), (200, 25))
        again = lbmib.run(out / "manifest.json", out=self.folder / "again", threads=1, progress=False)
        np.testing.assert_array_equal(again.forces["fx"], r.forces["fx"])
        r = lbmib.run(case, out=out, threads=1, steps=8, overwrite=True, progress=False, set={"output.means": {"from": 0.05, "every": 0.0125}})
        self.assertEqual(len(r.forces), 1)


class Kinds(Case):
    """Other kinds of tables, fields and surfaces."""

    def all_have_units(self, r):
        for name in r.tables:
            t = r.table(name)
            self.assertGreater(len(t), 0, name)
            self.assertEqual(set(t.columns) - set(t.attrs["units"]) - {"body", "port", "probe", "section"}, set(), name)
        return r

    def shipped(self, name, *args, **kw):
        return self.all_have_units(lbmib.run(TREE / "cases" / name, *args, out=self.folder / Path(name).stem, threads=1, progress=False, **kw))

    def test_levels(self):
        r = self.run_of(PLANE + NESTED, "levels", {"domain.size": [8.0, 6.0], "body.0.shape.center": [3.0, 3.0]}, steps=40)
        f = r.fields[-1]
        self.assertIsInstance(f, lbmib.Levels)
        self.assertEqual((f.levels, f.units["velocity"], f.si_units["velocity"]), (3, "U", "m/s"))
        for box, finer in zip(f.boxes, f.boxes[1:]):
            self.assertEqual(box.spacing, 2 * finer.spacing)
            coarse, fine = box["velocity"], finer["velocity"]
            self.assertEqual(coarse.shape, (*box.shape, 3))
            # covered cells have the means of those that cover them
            self.assertEqual(4 * box.covered.sum(), fine[..., 0].size)
            means = fine[0].reshape(fine.shape[1] // 2, 2, fine.shape[2] // 2, 2, 3).mean((1, 3))
            np.testing.assert_allclose(coarse[box.covered], means.reshape(-1, 3), atol=2e-6)
            np.testing.assert_allclose(box.x[box.covered.any((0, 1))], finer.x.reshape(-1, 2).mean(1))
        self.assertFalse(f.boxes[-1].covered.any())
        np.testing.assert_allclose(f.boxes[0].si("density"), f.boxes[0]["density"] * 1000.0, rtol=1e-6)
        self.assertEqual([b.level for b in f.level(1)], [1])
        with self.assertRaisesRegex(KeyError, "which has density"):
            f.boxes[0]["pressure"]

    def test_capsule(self):
        r = self.all_have_units(self.run_of(CAPSULE, "capsule"))
        self.assertEqual((r.dimensions, r.tables), (3, ["cells"]))
        f = r.fields[-1]
        self.assertEqual((f["velocity"].shape, f["vorticity"].shape), ((16, 16, 16, 3), (16, 16, 16, 3)))
        m = r.membranes[-1]
        self.assertEqual((m.points.shape, m.triangles.shape, m.names), ((162, 3), (320, 3), ["body", "curvature", "tension", "velocity"]))
        a, b, c = (m.points[m.triangles[:, i]] for i in range(3))
        volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6
        self.assertAlmostEqual(abs(volume), 4 / 3 * np.pi, delta=0.15)
        s = {n: r.slices[n][-1] for n in r.slices}
        self.assertEqual([s[n].shape for n in "xyz"], [(16, 16, 1), (16, 1, 16), (1, 16, 16)])
        np.testing.assert_allclose([s["z"].z[0], s["y"].y[0], s["x"].x[0]], [2, 1, 1])
        between = f["velocity"][7:9].mean(0) # z = 2 lies between nodes
        np.testing.assert_allclose(s["z"]["velocity"][0], between, atol=1e-6)
        self.assertEqual((r.boxes["thin"][-1].shape, r.boxes["two"][-1].shape), ((1, 16, 16), (2, 16, 16)))
        np.testing.assert_array_equal(r.boxes["thin"][-1]["velocity"], f["velocity"][4:5])
        np.testing.assert_array_equal(r.boxes["two"][-1]["velocity"], f["velocity"][4:6])
        np.testing.assert_allclose(r.boxes["thin"][-1].z, f.z[4:5])
        np.testing.assert_array_equal(r.boxes["near"][-1]["velocity"], f["velocity"][4:6, 4:6])
        np.testing.assert_array_equal(r.boxes["top"][-1]["velocity"], f["velocity"][15:])
        thin = self.run_of(CAPSULE.split("[[body]]")[0] + "[run]\ntime = 0.1\n[output]\nfields = { every = 0.1 }\n", "layer", {"domain.size": [4.0, 4.0, 0.25]})
        self.assertEqual((thin.fields[-1].shape, list(thin.fields[-1].z)), ((1, 16, 16), [0.125]))
        with self.assertRaisesRegex(lbmib.Error, "has no SI unit"):
            f.si("velocity")

    def test_free_body(self):
        r = self.shipped("templates/shear-ellipse.toml", {"reference.resolution": 8, "output.bodies.every": 0.01, "output.forces.every": 0.01}, steps=20)
        self.assertEqual(r.tables, ["bodies", "forces"])
        self.assertEqual(r.bodies.attrs["units"]["spin"], "U/L")

    def test_filament(self):
        r = self.shipped("flag.toml", {"reference.resolution": 8, "output.filaments.every": 0.01, "output.fields.every": 0.1}, steps=20)
        self.assertIn("filaments", r.tables)
        m = r.membranes[-1]
        self.assertEqual(len(m.lines), 1)
        self.assertEqual(sorted(m.lines[0]), list(range(len(m.points))))

    def test_sheet(self):
        r = self.shipped("flag3d.toml", {"reference.resolution": 6, "output.sheets.every": 0.005}, steps=10)
        self.assertIn("sheets", r.tables)

    def test_suspension(self):
        r = self.shipped("suspension.toml", {"output.suspension.every": 0.01}, steps=6)
        self.assertEqual(r.tables, ["suspension", "suspension_profile"])

    def test_held_flow(self):
        self.assertIn("flow", self.shipped("poiseuille.toml", {"domain": {"flow": {"axis": "x", "speed": 1.0}, "force": [0, 0]}, "output.flow.every": 0.1, "output.probes": []}, time=0.5).tables)

    def test_vessel(self):
        keys = {"reference.resolution": 8, "output.wall": {"every": 0.2, "from": 0.1}, "output.slices.0.every": 0.2, "port.0.ramp": 0.2, "output.ports.every": 0.1}
        r = self.shipped("stenosis.toml", keys, time=0.4)
        self.assertEqual(set(r.ports["port"]), {"inlet", "outlet1", "outlet2"})
        w = r.wall[-1]
        self.assertEqual(w["wall_shear_stress"].shape, (len(w.points), 3))
        self.assertLess(w.triangles.max(), len(w.points))
        self.assertEqual(r.slices["middle"][-1].shape[0], 1)
        keys |= {"output.fields": {"every": 0.1, "format": "fluid"}}
        r = lbmib.run(TREE / "cases" / "stenosis.toml", keys, out=self.folder / "fluid", threads=1, progress=False, time=0.2)
        v = r.fields[-1]
        self.assertEqual(v["velocity"].shape, (len(v.points), 3))
        self.assertEqual(v.voxels.shape[1], 8)
        self.assertLess(v.voxels.max(), len(v.points))
        sides = v.points[v.voxels[:, 7]] - v.points[v.voxels[:, 0]]
        self.assertLess(abs(sides - 1 / 8).max(), 1e-5)

    def test_stl_surface(self):
        keys = {"reference.resolution": 6, "output.surfaces.every": 0.2, "output.slices": [], "domain.size": [4, 4, 4], "body.0.shape.center": [2, 2, 2]}
        s = self.shipped("templates/stl.toml", keys, time=0.4).surfaces[-1]
        self.assertEqual((s.triangles.shape, s["pressure_coefficient"].shape), ((20, 3), (12,)))


class Ends(Case):
    """How runs end that do not end well."""

    def script(self, name, text):
        p = write(self.folder / name, "#!/bin/sh\n" + text + "\n")
        p.chmod(p.stat().st_mode | stat.S_IXUSR)
        return p

    def test_bad_case(self):
        with self.assertRaisesRegex(lbmib.CaseError, r"reference\.velocity=0\.3: 0\.3 gives Mach number") as e:
            self.run_of(PLANE, "bad", reference__velocity=0.3)
        self.assertEqual((e.exception.code, e.exception.run), (2, None))
        self.assertFalse((self.folder / "bad" / "out").exists())
        with self.assertRaisesRegex(lbmib.CaseError, "no such file"):
            lbmib.run("nothing.toml")
        with self.assertRaisesRegex(lbmib.CaseError, "no such file"):
            lbmib.run("--help")
        with self.assertRaisesRegex(lbmib.CaseError, "which TOML does not have"):
            lbmib.run("nothing.toml", {"run.time": object()})

    def test_diverged(self):
        with self.assertRaisesRegex(lbmib.Diverged, "the flow diverged by step .*\nlikely cause") as e:
            self.run_of(PLANE, "diverges", {"reference": {"velocity": 0.17, "reynolds": 1e5}, "run.time": 20})
        self.assertEqual((e.exception.code, e.exception.run.status, e.exception.run.summary["status"]), (3, "diverged", "diverged"))
        self.assertGreater(len(e.exception.run.forces), 2)
        self.assertIn("the flow diverged at node", e.exception.run._repr_html_())

    def test_cannot_write(self):
        write(self.folder / "file", "")
        with self.assertRaisesRegex(lbmib.InputOutputError, "not a directory") as e:
            lbmib.run(write(self.folder / "c.toml", PLANE), out=self.folder / "file" / "out")
        self.assertEqual(e.exception.code, 4)

    def test_internal_error_kill_and_silence(self):
        case = write(self.folder / "c.toml", PLANE)
        with self.assertRaisesRegex(lbmib.InternalError, "^internal error: oh\nplease report") as e:
            lbmib.run(case, binary=self.script("broken", "echo noise >&2; echo 'lbmib: internal error: oh' >&2; echo please report >&2; exit 1"))
        self.assertEqual(e.exception.code, 1)
        with self.assertRaisesRegex(lbmib.Killed, "SIGKILL") as e:
            lbmib.run(case, binary=self.script("killed", "kill -9 $$"))
        self.assertIsNone(e.exception.code)
        with self.assertRaisesRegex(lbmib.Error, "told no directory of results"):
            lbmib.run(case, binary=self.script("another", "echo hello"))
        with self.assertRaisesRegex(lbmib.Error, "code 7"):
            lbmib.run(case, binary=self.script("seven", "exit 7"))
        with self.assertRaisesRegex(lbmib.Error, "is not there.*make build"):
            lbmib.run(case, binary=self.folder / "nowhere")

    def test_interrupt(self):
        case, out = write(self.folder / "long" / "case.toml", PLANE), self.folder / "long" / "out"
        script = write(self.folder / "long" / "go.py", """import sys
sys.path.insert(0, sys.argv[1])
import lbmib
try:
    lbmib.run(sys.argv[2], out=sys.argv[3], time=1e5, threads=1, progress=lambda line: print("told", flush=True))
except Exception:
    print("an Exception")
except lbmib.Interrupted as e:
    print(e.code, e.run.status, e.message)
""")
        p = subprocess.Popen([sys.executable, script, HERE, case, out], stdout=subprocess.PIPE, text=True)
        self.addCleanup(p.kill)
        self.assertEqual(p.stdout.readline(), "told\n")
        until = time.monotonic() + 60
        while not (out / "forces.csv").exists() and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.3)
        p.send_signal(signal.SIGINT)
        said = p.communicate(timeout=60)[0]
        self.assertRegex(said, "130 interrupted interrupted at step .*checkpoint written")
        r = lbmib.load(out)
        self.assertEqual(r.status, "interrupted")
        steps = r.summary["steps"]
        self.assertEqual(r.checkpoints[-1][0], steps)
        r = lbmib.run(case, out=out, steps=steps + 8, resume=True, threads=1, progress=False)
        self.assertEqual((r.status, r.summary["steps"]), ("done", steps + 8))

    def test_progress(self):
        lines = []
        r = lbmib.run(write(self.folder / "c.toml", PLANE), {"run.time": 0.2}, out=self.folder / "p", threads=1, progress=lines.append)
        self.assertTrue(any(lbmib._PROGRESS.match(line) for line in lines), lines)
        self.assertTrue(any(line.startswith("caution: ") for line in lines), lines)
        self.assertEqual(r.status, "done")
        for progress, wanted in ((True, r"100 %  t 0\.20"), (False, r"\A\Z"), (None, r"\A\Z")):
            with contextlib.redirect_stderr(io.StringIO()) as shown:
                lbmib.run(self.folder / "c.toml", {"run.time": 0.2}, out=self.folder / "p", threads=1, progress=progress, overwrite=True)
            self.assertRegex(shown.getvalue(), wanted)

        class Terminal(io.StringIO):
            def isatty(self):
                return True

        with contextlib.redirect_stderr(Terminal()) as shown, mock.patch.dict(os.environ, {"COLUMNS": "21"}):
            lbmib.run(self.folder / "c.toml", {"run.time": 0.2}, out=self.folder / "p", threads=1, overwrite=True)
        self.assertRegex(shown.getvalue(), "(?s)caution: .*\r100 %  t 0.20/0.2 L/\x1b\\[K.*\n\\Z")

        def fails(line):
            raise RuntimeError("of mine")
        with self.assertRaisesRegex(RuntimeError, "of mine"):
            lbmib.run(self.folder / "c.toml", out=self.folder / "q", time=1e5, threads=1, progress=fails)


class Files(Case):
    """Directories and files that are not as they should be."""

    def test_not_a_run(self):
        (self.folder / "empty").mkdir()
        for path, said in (("empty", "no manifest.json"), ("nowhere", "is no directory"), (write(self.folder / "a.txt", ""), "is no directory")):
            with self.assertRaisesRegex(lbmib.NotARun, said):
                lbmib.load(path)
        with self.assertRaisesRegex(lbmib.NotARun, "no sweep.json"):
            lbmib.load_sweep("empty")

    def test_half_written(self):
        r = self.run_of(PLANE + OUTPUTS, "half", time=1.0, set={"output.means": {"from": 0.5, "every": 0.1}})
        forces = r.directory / "forces.csv"
        whole = forces.read_bytes()
        forces.write_bytes(whole[:-40]) # cut within the last line
        self.assertEqual(len(r.forces), 9)
        forces.write_bytes(whole[:20])
        with self.assertRaisesRegex(lbmib.Damaged, "no line with the names"):
            r.forces
        forces.write_bytes(whole.replace(b"cylinder,", b"", 1))
        with self.assertRaisesRegex(lbmib.Damaged, r"forces\.csv:2: has \d+ values"):
            r.forces
        header = whole[:whole.index(b"\n") + 1]
        forces.write_bytes(header)
        for block in ([], ["pandas"]):
            with without(*block):
                self.assertEqual((len(r.forces), "cd" in r.forces.columns), (0, True))
        forces.write_bytes(b"\xff\xfe" + whole)
        with self.assertRaisesRegex(lbmib.Damaged, "is no text"):
            r.forces
        last = r.fields.files[-1]
        data = last.read_bytes()
        last.write_bytes(data[:len(data) // 2])
        with self.assertRaisesRegex(lbmib.Damaged, "is no whole HDF5 file"):
            r.fields[-1]
        last.unlink()
        with self.assertRaisesRegex(lbmib.Damaged, "is not there, although"):
            r.fields[-1]
        self.assertEqual(r.fields[0].time, 0.5)
        with h5py.File(last, "w") as f:
            f["other"] = 1
        with self.assertRaisesRegex(lbmib.Damaged, "no group VTKHDF"):
            r.fields[-1]
        with h5py.File(last, "w") as f:
            f.create_group("VTKHDF").attrs["Type"] = np.bytes_(b"ImageData")
        with self.assertRaisesRegex(lbmib.Damaged, "lacks a part"):
            r.fields[-1]
        series = r.directory / "fields.vtkhdf.series"
        series.write_text('{"files": [{"name"')
        with self.assertRaisesRegex(lbmib.Damaged, "no whole JSON"):
            r.fields
        series.write_text('{"files": [3]}')
        with self.assertRaisesRegex(lbmib.Damaged, "no series of files"):
            r.fields
        (r.directory / "summary.json").unlink() # as before a run's end, or after it was killed
        self.assertEqual(r.summary, {})
        self.assertIn("done", r._repr_html_())
        (r.directory / "manifest.json").write_text("{")
        with self.assertRaisesRegex(lbmib.Damaged, "no whole JSON"):
            r.status

    def test_odd_paths_and_line_ends(self):
        case = write(self.folder / "-x 'ü\" $(HOME)" / "-Fall=1 é.toml", PLANE.replace("\n", "\r\n"))
        r = lbmib.run(case, {"run.time": 0.2}, out=case.parent / "--out=ß", threads=1, progress=False)
        self.assertEqual((r.status, len(r.forces)), ("done", 2))
        self.assertEqual(r.case["title"], "Tiny <cylinder> & more")
        self.assertEqual(tomllib.loads(case.read_text(encoding="utf-8"))["run"]["time"], 2.0)
        with contextlib.chdir(case.parent): # a name that looks like a flag
            r = lbmib.run("-Fall=1 é.toml", {"run.time": 0.2}, threads=1, progress=False)
            self.assertEqual((r.directory.name, r.status), ("-Fall=1 é.out", "done"))

    def test_values(self):
        for value, text in ((True, "true"), (3, "3"), (0.1, "0.1"), (1e-30, "1e-30"), (float("inf"), "inf"), ("a \"b\"\n\x7fé", '"a \\"b\\"\\n\\u007fé"'),
                            ([1, 2.5, "x"], '[1, 2.5, "x"]'), (np.float32(0.5), "0.5"), (np.arange(3), "[0, 1, 2]"), ((), "[]"), (np.bool_(True), "true")):
            self.assertEqual(lbmib._toml(value), text)
        value = {"type": "velocity", "value": [1.0, 0], "odd key": {"a": "\\"}}
        self.assertEqual(tomllib.loads("v = " + lbmib._toml(value))["v"], value)
        self.assertEqual(lbmib._sets({"reference": {"reynolds": 40}, "run__time": 1}, {"body__0__name": "b", "domain.boundary.left": {"type": "outflow"}}),
                         ["--set=reference.reynolds=40", "--set=run.time=1", '--set=body.0.name="b"', '--set=domain.boundary.left={ type = "outflow" }'])


class Sweeps(Case):
    def test_sweep(self):
        case = write(self.folder / "c.toml", PLANE + OUTPUTS)
        keys = {"run.time": 1.0}
        s = lbmib.sweep(case, {"reference.reynolds": [20, 40], "fluid__collision": ["bgk", "trt"]}, keys, out=self.folder / "s", threads=1, progress=False)
        self.assertEqual((len(s), s.keys), (4, ["reference.reynolds", "fluid.collision"]))
        t = s.table
        self.assertEqual(list(t["reference.reynolds"]), [20, 20, 40, 40])
        self.assertEqual(list(t["fluid.collision"]), ["bgk", "trt"] * 2)
        np.testing.assert_array_equal(t["cylinder.cd_mean"], [r.summary["bodies"]["cylinder"]["cd_mean"] for r in s])
        self.assertEqual((t.attrs["units"]["mid.flow_rate_mean"], t.attrs["units"]["wake.p_Pa"]), ("U L", "Pa"))
        with without("pandas"):
            plain = s.table
            for c in plain.columns:
                np.testing.assert_array_equal(plain[c], t[c].to_numpy(), err_msg=c)
        name = s.names[0]
        self.assertEqual((s[name].directory, s[-1].status, len(s[1:3])), (s[0].directory, "done", 2))
        with self.assertRaisesRegex(KeyError, "no such run, but"):
            s["reynolds=21"]
        h = s._repr_html_()
        self.assertRegex(h, "cylinder: cd_mean.*data:image/png;base64")
        # read from another folder, and after the folder was moved
        moved = self.folder / "elsewhere" / "s 2"
        moved.parent.mkdir()
        shutil.move(s.directory, moved)
        s = lbmib.load_sweep(moved)
        self.assertEqual((len(s), s[0].forces["t"].iloc[-1]), (4, 1.0))
        shutil.rmtree(moved / s.names[3]) # as one that has not begun
        self.assertEqual(len(s), 3)
        with self.assertRaisesRegex(lbmib.NotARun, "use load_sweep"):
            lbmib.load(moved)

    def test_default_directory(self):
        r = lbmib.run(write(self.folder / "first" / "c.toml", PLANE), {"run.time": 0.2}, out="first.out", threads=1, progress=False)
        s = lbmib.sweep(r.directory / "manifest.json", {"reference.reynolds": [20]}, threads=1, progress=False)
        self.assertEqual((s.directory, s[0].summary["time"]), (Path("case-as-run.sweep"), 0.2))
        with self.assertRaisesRegex(lbmib.Error, "told no directory"):
            lbmib.sweep("c.toml", {"reference.reynolds": [20]}, binary=shutil.which("true"))

    def test_failures(self):
        case = write(self.folder / "d.toml", PLANE)
        with self.assertRaisesRegex(lbmib.CaseError, "reference.reynolds"):
            lbmib.sweep(case, {"reference.reynolds": [-1]}, out=self.folder / "bad", progress=False)
        with self.assertRaises(lbmib.Diverged) as e:
            lbmib.sweep(case, {"reference.reynolds": [20, 1e5]}, {"reference.velocity": 0.17, "run.time": 10}, out=self.folder / "d", threads=1, progress=False)
        self.assertEqual([r.status for r in e.exception.run], ["done", "diverged"])
        self.assertEqual(list(e.exception.run.table["status"]), ["done", "diverged"])


class Checks(Case):
    def test_check(self):
        case = write(self.folder / "c.toml", PLANE)
        c = lbmib.check(case)
        self.assertEqual((c.verdict, c["domain"]["nodes"]), ("caution", [48, 32]))
        judged = {place: verdict for place, _, verdict, _ in c.judged()}
        self.assertEqual((judged["scales.mach"], judged["bodies.cylinder.diameter_nodes"]), ("caution", "caution"))
        h = c._repr_html_()
        self.assertRegex(h, "Tiny &lt;cylinder&gt; &amp; more: caution.*errors grow as Ma²")
        bad = lbmib.check(case, reference={"velocity": 0.5}, run__time="<b>")
        self.assertEqual(bad.verdict, "refused")
        self.assertGreaterEqual(len(bad["errors"]), 2)
        self.assertNotIn("<b>", bad._repr_html_())
        self.assertFalse(list(self.folder.glob("*.out")))
        missing = lbmib.check("nothing.toml")
        self.assertEqual(missing.verdict, "refused")
        self.assertIn("no such file", missing["errors"][0])
        with self.assertRaisesRegex(lbmib.Error, "is not there"):
            lbmib.check(case, binary="no-such-program")


class Documents(Case):
    def test_examples_of_the_documentation(self):
        text = "".join((TREE / page).read_text(encoding="utf-8") for page in ("docs/python.md", "README.md"))
        blocks = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
        self.assertGreater(len(blocks), 5)
        subprocess.run([lbmib._program(None), "new", "cylinder", "cylinder.toml"], check=True, capture_output=True)
        names: dict = {}
        with contextlib.redirect_stdout(io.StringIO()) as said:
            for block in blocks:
                exec(compile(block, block, "exec"), names)
        self.assertIn("reference.velocity=0.5: 0.5 gives Mach number", said.getvalue())

    def test_notebooks_run(self):
        for path in sorted((TREE / "docs" / "notebooks").glob("*.ipynb")):
            book = nbformat.read(path, 4)
            nbformat.validate(book)
            for cell in book.cells:
                if cell.cell_type == "code":
                    self.assertEqual((cell.outputs, cell.execution_count), ([], None), f"{path}: clear its outputs before it is committed")
            begin = time.monotonic()
            NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}).execute()
            pictures = sum("image/png" in o.get("data", {}) for c in book.cells for o in c.get("outputs", []))
            self.assertGreaterEqual(pictures, 3)
            shown = [o["data"]["text/plain"] for c in book.cells for o in c.get("outputs", []) if o.output_type == "display_data"]
            self.assertTrue(any("100 %  t 40.00" in text for text in shown), "the progress is shown in its place")
            pages = "".join(o["data"]["text/html"] for c in book.cells for o in c.get("outputs", []) if "text/html" in o.get("data", {}))
            self.assertRegex(pages, "(?s)grid_reynolds.*cd_mean.*Sweep of")
            print(f"{path.name}: {time.monotonic() - begin:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    unittest.main()
