"""Reads VTKHDF files back with h5py and with VTK and compares every bit.

usage: readback.py MANIFEST.json

The manifest lists files; for each the type, the points (size, origin, spacing
or coordinates) and the arrays with the raw bytes that were given to the writer.
Prints one line per file; the exit status tells whether all agreed.
"""
import json
import sys

import h5py
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkVersion
from vtkmodules.vtkIOHDF import vtkHDFReader


def expect(condition, *what):
    if not condition:
        raise AssertionError(" ".join(str(w) for w in what))


def same(got, want):
    """Bit for bit, so that NaN equals itself and 0 differs from -0."""
    return got.dtype == want.dtype and got.shape == want.shape and got.tobytes() == want.tobytes()


def plain(dataset):
    """No filter that a reader may lack."""
    expect(set(dataset._filters) <= {"shuffle", "gzip"}, dataset.name, "filters", dataset._filters)


def raw_array(a, shape):
    if a["components"] > 1:
        shape = shape + (a["components"],)
    return np.fromfile(a["raw"], dtype=a["dtype"]).reshape(shape)


def check_image(path, want):
    nx, ny, nz = want["size"]
    # An axis y or z with one point is stored twice, the second time at its place.
    layers = [2 if n == 1 else n for n in (nz, ny)]
    origin = [o - h if n == 1 and i > 0 else o
              for i, (n, o, h) in enumerate(zip(want["size"], want["origin"], want["spacing"]))]
    extent = [0, nx - 1, 0, layers[1] - 1, 0, layers[0] - 1]
    arrays = {}
    for a in want["arrays"] or []:
        given = raw_array(a, (nz, ny, nx))
        shape = (layers[0], layers[1], nx) + given.shape[3:]
        arrays[a["name"]] = np.ascontiguousarray(np.broadcast_to(given, shape))

    with h5py.File(path, "r") as f:
        root = f["VTKHDF"]
        expect(root.attrs["Type"] == b"ImageData", "Type", root.attrs["Type"])
        expect(list(root.attrs["Version"]) == [1, 0], "Version", root.attrs["Version"])
        for name, value in (("WholeExtent", extent), ("Origin", origin),
                            ("Spacing", want["spacing"]), ("Direction", np.eye(3).ravel())):
            expect(list(root.attrs[name]) == list(value), name, root.attrs[name], value)
        expect(set(root["PointData"]) == set(arrays), "arrays", list(root["PointData"]))
        for name, value in arrays.items():
            plain(root["PointData"][name])
            expect(same(root["PointData"][name][...], value), "h5py", name)

    reader = vtkHDFReader()
    expect(reader.CanReadFile(path), "VTK cannot read it")
    reader.SetFileName(path)
    reader.Update()
    image = reader.GetOutput()
    expect(list(image.GetExtent()) == extent, "VTK extent", image.GetExtent())
    expect(list(image.GetOrigin()) == origin, "VTK origin", image.GetOrigin())
    expect(list(image.GetSpacing()) == want["spacing"], "VTK spacing", image.GetSpacing())
    data = image.GetPointData()
    expect(data.GetNumberOfArrays() == len(arrays), "VTK arrays", data.GetNumberOfArrays())
    for name, value in arrays.items():
        expect(data.HasArray(name), "VTK lacks", name)
        got = vtk_to_numpy(data.GetArray(name))
        components = value.shape[3] if value.ndim == 4 else 1
        flat = value.reshape((-1, components) if components > 1 else (-1,))
        expect(same(np.ascontiguousarray(got), flat), "VTK", name)


def check_poly(path, want):
    points = np.fromfile(want["points"], dtype="float64").reshape(-1, 3)
    n = len(points)
    triangles = np.fromfile(want["triangles"], dtype="int64").reshape(-1, 3) if want["triangles"] else np.zeros((0, 3), "int64")
    lines = np.fromfile(want["lines"], dtype="int64").reshape(-1, 2) if want["lines"] else np.zeros((0, 2), "int64")
    wanted_cells = {"Vertices": np.arange(0 if len(triangles) + len(lines) else n, dtype="int64").reshape(-1, 1), "Polygons": triangles, "Lines": lines}
    with h5py.File(path, "r") as f:
        root = f["VTKHDF"]
        expect(root.attrs["Type"] == b"PolyData", "Type", root.attrs["Type"])
        expect(list(root.attrs["Version"]) == [2, 0], "Version", root.attrs["Version"])
        expect(list(root["NumberOfPoints"]) == [n], "NumberOfPoints")
        expect(same(root["Points"][...], points), "Points")
        for kind in ("Vertices", "Lines", "Polygons", "Strips"):
            cells = wanted_cells.get(kind, np.zeros((0, 1), "int64"))
            group = root[kind]
            expect(list(group["NumberOfCells"]) == [len(cells)], kind, "NumberOfCells")
            expect(list(group["NumberOfConnectivityIds"]) == [cells.size], kind, "NumberOfConnectivityIds")
            expect(same(group["Connectivity"][...], cells.ravel()), kind, "Connectivity")
            offsets = np.arange(len(cells) + 1, dtype="int64") * cells.shape[1]
            expect(same(group["Offsets"][...], offsets), kind, "Offsets")
        expect(set(root["PointData"]) == {a["name"] for a in want["arrays"] or []}, "arrays")
        for a in want["arrays"] or []:
            plain(root["PointData"][a["name"]])
            expect(same(root["PointData"][a["name"]][...], raw_array(a, (n,))), "h5py", a["name"])

    if vtkVersion.GetVTKMajorVersion() * 100 + vtkVersion.GetVTKMinorVersion() < 903:
        return  # its reader knows no PolyData
    reader = vtkHDFReader()
    reader.SetFileName(path)
    reader.Update()
    poly = reader.GetOutput()
    expect(poly.GetNumberOfPoints() == n, "VTK points", poly.GetNumberOfPoints())
    expect(poly.GetNumberOfVerts() == len(wanted_cells["Vertices"]), "VTK vertices", poly.GetNumberOfVerts())
    expect(poly.GetNumberOfPolys() == len(triangles), "VTK triangles", poly.GetNumberOfPolys())
    expect(poly.GetNumberOfLines() == len(lines), "VTK lines", poly.GetNumberOfLines())
    if n == 0:
        return
    expect(same(vtk_to_numpy(poly.GetPoints().GetData()), points), "VTK coordinates")
    for a in want["arrays"] or []:
        got = vtk_to_numpy(poly.GetPointData().GetArray(a["name"]))
        expect(same(np.ascontiguousarray(got), raw_array(a, (n,))), "VTK", a["name"])


def layers(level):
    """Equal layers along z that the file has of a level of the plane."""
    return 1 if level == 0 else 1 + 2 ** (level - 1)


def check_amr(path, want):
    levels = {}
    for b in want["boxes"]:
        levels.setdefault(b["level"], []).append(b)
    origin = list(want["origin"])
    if want["planar"]:
        origin[2] -= want["spacing"][0]
    expected = {}  # by level and box: cells along each axis, origin, spacing, arrays
    with h5py.File(path, "r") as f:
        root = f["VTKHDF"]
        expect(root.attrs["Type"] == b"OverlappingAMR", "Type", root.attrs["Type"])
        expect(list(root.attrs["Version"]) == [1, 0], "Version", root.attrs["Version"])
        expect(root.attrs["GridDescription"] == b"XYZ", "GridDescription")
        expect(list(root.attrs["Origin"]) == origin, "Origin", root.attrs["Origin"])
        expect(len([k for k in root if k.startswith("Level")]) == len(levels), "levels", list(root))
        for level, boxes in levels.items():
            group = root["Level%d" % level]
            h = want["spacing"][0] / 2 ** level
            n = layers(level) if want["planar"] else 1
            spacing = [h, h, want["spacing"][0] / n if want["planar"] else h]
            expect(list(group.attrs["Spacing"]) == spacing, "Spacing", level, group.attrs["Spacing"])
            expect(group["AMRBox"].shape == (len(boxes), 6), "AMRBox", level)
            start = 0
            for k, b in enumerate(boxes):
                lo, hi = list(b["lo"]), list(b["hi"])
                if want["planar"]:
                    hi[2] = n
                expect(list(group["AMRBox"][k]) == [lo[0], hi[0] - 1, lo[1], hi[1] - 1, lo[2], hi[2] - 1], "AMRBox", level, k)
                size = [q - p for p, q in zip(lo, hi)]
                cells = size[0] * size[1] * size[2]
                arrays = {}
                for a in b["arrays"]:
                    plain(group["CellData"][a["name"]])
                    value = raw_array(a, (cells // n,))
                    value = np.concatenate([value] * n)
                    expect(same(group["CellData"][a["name"]][start:start + cells], value), "h5py", level, k, a["name"])
                    arrays[a["name"]] = value
                expected[level, k] = size, [o + p * s for o, p, s in zip(origin, lo, spacing)], spacing, arrays, lo, hi
                start += cells
            for name in arrays:
                expect(len(group["CellData"][name]) == start, "length", level, name)

    if vtkVersion.GetVTKMajorVersion() * 100 + vtkVersion.GetVTKMinorVersion() < 902:
        return  # its reader knows no nested grids
    reader = vtkHDFReader()
    reader.SetFileName(path)
    reader.SetMaximumLevelsToReadByDefaultForAMR(0)
    reader.Update()
    amr = reader.GetOutputDataObject(0)
    expect(amr.GetNumberOfLevels() == len(levels), "VTK levels", amr.GetNumberOfLevels())
    for (level, k), (size, at, spacing, arrays, lo, hi) in expected.items():
        grid = amr.GetDataSet(level, k)
        expect(list(grid.GetDimensions()) == [n + 1 for n in size], "VTK size", level, k, grid.GetDimensions())
        expect(np.allclose(grid.GetOrigin(), at) and np.allclose(grid.GetSpacing(), spacing), "VTK place", level, k)
        for name, value in arrays.items():
            expect(same(np.ascontiguousarray(vtk_to_numpy(grid.GetCellData().GetArray(name))), value), "VTK", level, k, name)
        covered = 0  # by boxes of the next level
        for (l, _), (finer, _, _, _, _, _) in expected.items():
            if l == level + 1:
                z = size[2] if want["planar"] else finer[2] // 2
                covered += finer[0] // 2 * (finer[1] // 2) * z
        hidden = int((vtk_to_numpy(grid.GetCellData().GetArray("vtkGhostType")) != 0).sum())
        expect(hidden == covered, "VTK hides", hidden, "cells of level", level, "instead of", covered)


def main():
    with open(sys.argv[1]) as f:
        manifest = json.load(f)
    failed = 0
    for want in manifest:
        check = {"ImageData": check_image, "PolyData": check_poly, "OverlappingAMR": check_amr}[want["type"]]
        try:
            check(want["file"], want)
            print("ok", want["name"])
        except Exception as e:
            failed += 1
            print("FAILED", want["name"], type(e).__name__, e)
    print(len(manifest) - failed, "agree,", failed, "differ, VTK", vtkVersion.GetVTKVersion())
    sys.exit(failed > 0)


main()
