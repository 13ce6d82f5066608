"""Prints every attribute and dataset of an HDF5 file, one per line, sorted."""
import sys

import h5py


def show(name, object):
    for key in sorted(object.attrs):
        value = object.attrs[key]
        print(f"{name}@{key}", object.attrs.get_id(key).dtype, value if isinstance(value, bytes) else value.tolist())
    if isinstance(object, h5py.Dataset):
        print(name, object.dtype, object.shape, object[...].ravel()[:12].tolist())


with h5py.File(sys.argv[1], "r") as f:
    f.visititems(show)
