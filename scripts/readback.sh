#!/usr/bin/env bash
# Runs a small plate across a stream and reads what it left with h5py and VTK: every file of
# both series, the same numbers through both readers, and numbers that agree
# with the case and with forces.csv. Then the same on nested grids: fields on their cells
# against the image on the finest nodes. The program is built with the race detector,
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
cat "$work/case.toml" - >"$work/refined.toml" <<'END'
[[refine]]
around = "plate"
margin = [0.8, 1.5, 0.8, 0.8]
level  = 2
END
(cd "$work" && ./lbmib run case.toml --quiet && ./lbmib run refined.toml --quiet &&
	./lbmib run refined.toml --quiet --out nested.out --set output.fields.format=amr)

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
        both_sides = name == "pressure_coefficient" and kind == b"PolyData"  # of a plate, which has no C_p of its own
        assert np.isnan(a).all() if both_sides else np.isfinite(a).all(), (path, name)
        if data is None:
            continue
        seen = vtk_to_numpy(data.GetPointData().GetArray(name))
        assert np.array_equal(seen.ravel(), a.ravel(), equal_nan=True), (path, name)
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

# Nested grids: a coarse cell has the mean of the image's nodes in it, which are linear there; the finest the image's bits.
def nested(image, path):
    points = h5py.File(image)["VTKHDF/PointData"]
    root = h5py.File(path)["VTKHDF"]
    assert root.attrs["Type"] == b"OverlappingAMR", root.attrs["Type"]
    levels = sorted(k for k in root if k.startswith("Level"))
    assert levels == ["Level0", "Level1", "Level2"], levels
    boxes = [root[k]["AMRBox"][0] for k in levels]
    finest = boxes[-1]
    for level, (name, box) in enumerate(zip(levels, boxes)):
        width = 2 ** (2 - level)
        i0, i1, j0, j1, k0, k1 = box
        nx, ny, nz = i1 - i0 + 1, j1 - j0 + 1, k1 - k0 + 1
        j, i = np.meshgrid(np.arange(j0, j1 + 1), np.arange(i0, i1 + 1), indexing="ij")
        hidden = np.zeros((ny, nx), bool) # under the next level
        if level < 2:
            a, b, c, d = boxes[level + 1][:4] // 2
            hidden = (i >= a) & (i <= b) & (j >= c) & (j <= d)
        for q in "velocity", "density", "vorticity":
            cells = root[name]["CellData"][q][...].reshape((nz, ny, nx) + ((3,) if q == "velocity" else ()))
            assert (cells == cells[0]).all(), "layers are equal"
            part = points[q][0][j0 * width:(j1 + 1) * width, i0 * width:(i1 + 1) * width].astype("f8")
            mean = part.reshape((ny, width, nx, width) + part.shape[2:]).mean((1, 3))
            off = abs(cells[0] - mean)
            if q == "vorticity": # of coarse cells by their own differences: second order both
                assert width == 1 and off.max() == 0 or np.median(off[~hidden]) < 0.01, (level, q, np.median(off[~hidden]))
            else: # hidden cells have the means of finer ones, too
                assert off.max() < 1e-6, (level, q, off.max())
    assert (root["Level2"].attrs["Spacing"][:2] == 0.1).all() and np.allclose(root.attrs["Origin"][:2], 0), "in L"
    if vtkVersion().GetVTKMajorVersion() * 100 + vtkVersion().GetVTKMinorVersion() < 902:
        return "h5py reads nested grids"
    r = vtkHDFReader()
    r.SetFileName(path)
    r.SetMaximumLevelsToReadByDefaultForAMR(0)
    r.Update()
    amr = r.GetOutputDataObject(0)
    for level, name in enumerate(levels):
        grid = amr.GetDataSet(level, 0).GetCellData()
        for q in "velocity", "density", "vorticity":
            assert np.array_equal(vtk_to_numpy(grid.GetArray(q)), root[name]["CellData"][q][...]), (level, q)
    return "h5py and VTK read nested grids"

base = os.path.dirname(run)
run = os.path.join(base, "refined.out")
for path, t in series("fields.vtkhdf.series"):
    said = nested(path, path.replace("refined.out", "nested.out"))
print(said + ", which hold the image")
END
