#!/usr/bin/env bash
# Runs a small plate across a stream and reads what it left with h5py and VTK: every file of
# both series, the same numbers through both readers, and numbers that agree
# with the case and with forces.csv. The program is built with the race detector,
# so that the whole of it is watched once.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -race -o "$work/lbmib" ./cmd/lbmib
cat >"$work/case.toml" <<'END'
[reference]
resolution = 10
velocity   = 0.1
reynolds   = 20
[domain]
lattice = "D2Q9"
size    = [10.0, 6.0]
initial = { type = "uniform", velocity = [1.0, 0.0] }
[domain.boundary]
left   = { type = "velocity", value = [1.0, 0.0] }
right  = { type = "outflow" }
bottom = { type = "free-slip" }
top    = { type = "free-slip" }
[[body]]
name  = "plate" # without fluid inside, whose momentum would count in its force
shape = { type = "line", points = [[3.0, 2.5], [3.0, 3.5]] }
[run]
time = 4.0
[output]
forces = { every = 1.0 }
fields = { every = 2.0, quantities = ["velocity", "density", "vorticity"] }
END
(cd "$work" && ./lbmib run case.toml --quiet)

/usr/bin/python3 - "$work/case.out" <<'END'
import csv, json, os, sys
import h5py, numpy as np
from vtkmodules.vtkCommonCore import vtkVersion
from vtkmodules.vtkIOHDF import vtkHDFReader
from vtkmodules.util.numpy_support import vtk_to_numpy

run = sys.argv[1]

def series(name):
    with open(os.path.join(run, name)) as f:
        s = json.load(f)
    assert s["file-series-version"] == "1.0", s
    assert [e["time"] for e in s["files"]] == [2.0, 4.0], s
    return [(os.path.join(run, e["name"]), e["time"]) for e in s["files"]]

# VTK reads PolyData from 9.3 on; before, h5py alone reads the markers.
reads_markers = vtkVersion().GetVTKMajorVersion() * 100 + vtkVersion().GetVTKMinorVersion() >= 903

def vtk(path):
    r = vtkHDFReader()
    r.SetFileName(path)
    r.Update()
    return r.GetOutput()

def arrays(path, data, kind):
    """The arrays of a file as h5py sees them, equal to what VTK sees in data."""
    with h5py.File(path) as f:
        g = f["VTKHDF"]
        assert g.attrs["Type"] == kind, g.attrs["Type"]
        out = {k: v[...] for k, v in g["PointData"].items()}
        points = g["Points"][...] if kind == b"PolyData" else None
    for name, a in out.items():
        assert np.isfinite(a).all(), (path, name)
        if data is None:
            continue
        seen = vtk_to_numpy(data.GetPointData().GetArray(name))
        assert np.array_equal(seen.ravel(), a.ravel()), (path, name)
    return out, points

forces = {float(r["t"]): r for r in csv.DictReader(open(os.path.join(run, "forces.csv")))}
assert sorted(forces) == [1, 2, 3, 4], sorted(forces)

for path, t in series("fields.vtkhdf.series"):
    data = vtk(path)
    out, _ = arrays(path, data, b"ImageData")
    assert data.GetDimensions()[:2] == (100, 60), data.GetDimensions()
    assert np.allclose(data.GetSpacing(), 0.1) and np.allclose(data.GetOrigin()[:2], 0.05), data.GetOrigin()
    assert sorted(out) == ["density", "velocity", "vorticity"], sorted(out)
    u, rho, w = out["velocity"][0], out["density"][0], out["vorticity"][0]
    assert u.shape == (60, 100, 3) and rho.shape == w.shape == (60, 100)
    assert abs(u[:, 0, 0].mean() - 1) < 0.02, "the inlet brings one U"
    assert abs(u[30, 30, 0]) < 0.5, "the plate holds the fluid back"
    assert abs(rho - 1).max() < 0.1, "nearly incompressible"
    assert w[36, 30] < -1 < 1 < w[24, 30], "shear layers turn clockwise above, against the clock below"

for path, t in series("markers.vtkhdf.series"):
    out, points = arrays(path, vtk(path) if reads_markers else None, b"PolyData")
    assert np.allclose(points[:, 0], 3) and np.allclose(abs(points[:, 1] - 3).max(), 0.5), "markers lie on the plate"
    traction = out["traction"][:, 0]
    drag = (traction.sum() - (traction[0] + traction[-1]) / 2) / 10 # a marker a node, half of one at the ends
    assert abs(drag / float(forces[t]["fx"]) - 1) < 1e-5, "traction sums to the force in forces.csv (f32)"
print(f"fields, markers and forces.csv agree; h5py {h5py.__version__} and VTK {vtkVersion().GetVTKVersion()} read the same")
END
