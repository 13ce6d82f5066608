#!/usr/bin/env bash
# Installs what is named and missing: hdf5 (libhdf5, at run time), metis (libmetis,
# likewise), h5py and vtk (Python modules that the tests read results with), pandas, xarray,
# matplotlib, nbclient and ipykernel (those that the tests of python/ and the notebooks take), cc (a C and a C++ compiler: go
# test -race links with the one, the stand-in for the CUDA driver is built with the
# other), clang (clang 19, which makes the PTX), strace (which follows what runs write, to
# let the power fail), openmpi and mpich (libraries and launchers of several processes), chromium (which looks at the live page). Does nothing, and needs neither network nor rights,
# where all is there.
set -euo pipefail

# The package, and its names in other releases: Debian 12, Ubuntu 24.04, Debian 13.
packages_of() {
	case $1 in
	hdf5) echo libhdf5-103-1 libhdf5-103-1t64 libhdf5-310 ;;
	metis) echo libmetis5 ;;
	h5py) echo python3-h5py ;;
	vtk) echo python3-vtk9 ;;
	pandas | xarray | matplotlib | nbclient | ipykernel) echo "python3-$1" ;;
	cc) echo build-essential ;;
	clang) echo clang-19 ;;
	strace) echo strace ;;
	openmpi) echo openmpi-bin ;;
	mpich) echo mpich ;;
	chromium) echo chromium chromium-browser ;;
	*)
		echo "scripts/install.sh: $1 is not one of hdf5, metis, h5py, vtk, pandas, xarray, matplotlib, nbclient, ipykernel, cc, clang, strace, openmpi, mpich, chromium" >&2
		exit 2
		;;
	esac
}

by_hand() {
	case $1 in
	hdf5) echo 'the HDF5 library: "dnf install hdf5" (Fedora), "conda install hdf5", "brew install hdf5" (macOS), or set LBMIB_HDF5 to the file of the library' ;;
	metis) echo 'METIS 5: "dnf install metis" (Fedora), "conda install metis", "brew install metis" (macOS), or set LBMIB_METIS to the file of the library' ;;
	h5py) echo 'h5py for /usr/bin/python3: "dnf install python3-h5py" (Fedora), "pip install h5py"' ;;
	vtk) echo 'VTK 9.1 or newer for /usr/bin/python3: "dnf install python3-vtk" (Fedora), "pip install vtk"' ;;
	pandas | xarray | matplotlib | nbclient | ipykernel) echo "$1 for /usr/bin/python3: \"dnf install python3-$1\" (Fedora), \"pip install $1\"" ;;
	cc) echo 'a C and a C++ compiler: "dnf install gcc-c++" (Fedora), "xcode-select --install" (macOS)' ;;
	clang) echo 'clang 19, as clang-19 in PATH: "dnf install clang19" (Fedora), or from apt.llvm.org' ;;
	strace) echo 'strace, Linux only: "dnf install strace" (Fedora)' ;;
	openmpi) echo 'OpenMPI: "dnf install openmpi" (Fedora), "brew install open-mpi" (macOS), with mpirun in PATH' ;;
	mpich) echo 'MPICH: "dnf install mpich" (Fedora), with mpiexec.mpich, mpiexec.hydra or mpiexec in PATH' ;;
	chromium) echo 'Chromium: "dnf install chromium" (Fedora), or set LBMIB_CHROMIUM to the program of a Chromium or Chrome' ;;
	esac
}

# Is the thing there? By dpkg where that is, else by a look at the thing itself.
present() {
	local p
	if [[ $1 == cc ]]; then
		command -v "$(go env CC)" >/dev/null && command -v g++ >/dev/null
		return
	fi
	if [[ $1 == clang ]]; then
		command -v clang-19 >/dev/null
		return
	fi
	if [[ $1 == strace ]]; then
		[[ "$(uname)" != Linux ]] || command -v strace >/dev/null
		return
	fi
	if [[ $1 == chromium ]]; then # as internal/browser looks for it
		command -v "${LBMIB_CHROMIUM:-chromium}" >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null
		return
	fi
	if command -v dpkg-query >/dev/null; then
		for p in $(packages_of "$1"); do
			[[ "$(dpkg-query -W -f='${Status}' "$p" 2>/dev/null)" == "install ok installed" ]] && return 0
		done
		return 1
	fi
	case $1 in
	hdf5)
		[[ -n "${LBMIB_HDF5:-}${CONDA_PREFIX:-}" ]] && return 0
		compgen -G '/opt/*/lib/libhdf5.dylib' >/dev/null && return 0
		[[ "$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null)" == *libhdf5* ]]
		;;
	metis)
		[[ -n "${LBMIB_METIS:-}${CONDA_PREFIX:-}" ]] && return 0
		compgen -G '/opt/*/lib/libmetis.dylib' >/dev/null && return 0
		[[ "$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null)" == *libmetis* ]]
		;;
	h5py) /usr/bin/python3 -c 'import h5py' 2>/dev/null ;;
	vtk) /usr/bin/python3 -c 'import vtkmodules.vtkIOHDF' 2>/dev/null ;;
	pandas | xarray | matplotlib | nbclient | ipykernel) /usr/bin/python3 -c "import $1" 2>/dev/null ;;
	openmpi) [[ "$(mpirun --version 2>/dev/null)" == *"Open MPI"* ]] ;;
	mpich) [[ "$(uname)" != Linux || "$(mpiexec.mpich --version 2>/dev/null; mpiexec.hydra --version 2>/dev/null; mpiexec --version 2>/dev/null)" == *HYDRA* ]] ;;
	esac
}

missing=
for thing in "$@"; do
	packages_of "$thing" >/dev/null || exit
	present "$thing" || missing="$missing $thing"
done
[[ -z "$missing" ]] && exit 0

if ! command -v apt-get >/dev/null; then
	echo "There is no apt-get on this machine. Please install:" >&2
	for thing in $missing; do echo "  $(by_hand "$thing")" >&2; done
	exit 1
fi

as_root() { "$@"; }
if [[ $(id -u) -ne 0 ]]; then
	if ! command -v sudo >/dev/null; then
		echo "Packages are missing, and neither root nor sudo is at hand. As root:" >&2
		for thing in $missing; do echo "  apt-get install $(packages_of "$thing" | cut -d' ' -f1)" >&2; done
		exit 1
	fi
	as_root() { sudo "$@"; }
fi

echo "installing:$missing"
as_root apt-get update -q
names=
for thing in $missing; do
	name=
	for p in $(packages_of "$thing"); do
		if [[ -z "$name" && -n "$(apt-cache madison "$p" 2>/dev/null)" ]]; then
			name=$p
		fi
	done
	if [[ -z "$name" ]]; then
		echo "apt-get knows none of: $(packages_of "$thing"). Please install $(by_hand "$thing")" >&2
		exit 1
	fi
	names="$names $name"
done
# shellcheck disable=SC2086 # several names
as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $names
