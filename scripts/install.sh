#!/usr/bin/env bash
# Installs what is named and missing: hdf5 (libhdf5, at run time), h5py and vtk
# (Python modules that the tests read results with). Does nothing, and needs
# neither network nor rights, where all is there.
set -euo pipefail

# names of the package by release: Debian 12 and Ubuntu 22.04, Ubuntu 24.04, Debian 13
declare -A packages=(
	[hdf5]="libhdf5-103-1 libhdf5-103-1t64 libhdf5-310"
	[h5py]="python3-h5py"
	[vtk]="python3-vtk9"
)

installed() { # of one of the packages in $1
	local p
	for p in $1; do
		[[ "$(dpkg-query -W -f='${Status}' "$p" 2>/dev/null)" == "install ok installed" ]] && return 0
	done
	return 1
}

# Elsewhere than on Debian: is the thing itself there?
present() {
	case $1 in
	hdf5)
		[[ -n "${LBMIB_HDF5:-}" || -n "${CONDA_PREFIX:-}" ]] && return 0
		[[ "$(uname)" == Darwin ]] && compgen -G '/*/*/lib/libhdf5.dylib' >/dev/null && return 0
		[[ "$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null)" == *libhdf5* ]]
		;;
	h5py) /usr/bin/python3 -c 'import h5py' 2>/dev/null ;;
	vtk) /usr/bin/python3 -c 'import vtkmodules.vtkIOHDF' 2>/dev/null ;;
	esac
}

by_hand() {
	case $1 in
	hdf5) echo 'the HDF5 library: "dnf install hdf5" (Fedora), "conda install hdf5", "brew install hdf5" (macOS), or set LBMIB_HDF5 to the file of the library' ;;
	h5py) echo 'h5py for /usr/bin/python3: "dnf install python3-h5py" (Fedora), "pip install h5py"' ;;
	vtk) echo 'VTK 9.1 or newer for /usr/bin/python3: "dnf install python3-vtk" (Fedora), "pip install vtk"' ;;
	esac
}

missing=()
for thing in "$@"; do
	if [[ -z "${packages[$thing]:-}" ]]; then
		echo "scripts/install.sh: $thing is not one of ${!packages[*]}" >&2
		exit 2
	fi
	if command -v dpkg-query >/dev/null; then
		installed "${packages[$thing]}" || missing+=("$thing")
	else
		present "$thing" || missing+=("$thing")
	fi
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

if ! command -v apt-get >/dev/null; then
	echo "There is no apt-get on this machine. Please install:" >&2
	for thing in "${missing[@]}"; do echo "  $(by_hand "$thing")" >&2; done
	exit 1
fi

as_root=()
if [[ $(id -u) -ne 0 ]]; then
	if ! command -v sudo >/dev/null; then
		echo "Packages are missing and neither root nor sudo is at hand. As root:" >&2
		for thing in "${missing[@]}"; do echo "  apt-get install ${packages[$thing]%% *}" >&2; done
		exit 1
	fi
	as_root=(sudo)
fi

"${as_root[@]}" apt-get update -q
names=()
for thing in "${missing[@]}"; do
	name=
	for p in ${packages[$thing]}; do
		if [[ -n "$(apt-cache madison "$p" 2>/dev/null)" ]]; then
			name=$p
			break
		fi
	done
	if [[ -z "$name" ]]; then
		echo "none of these packages is known to apt-get here: ${packages[$thing]}. Please install $(by_hand "$thing")" >&2
		exit 1
	fi
	names+=("$name")
done
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${names[@]}"
