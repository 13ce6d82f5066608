//go:build !nompi

package mpi

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestWhichLibrariesAreTried(t *testing.T) {
	none := func(string) string { return "" }
	for _, x := range []struct {
		goos  string
		only  family
		first string
		lacks string
	}{
		{"linux", "", "libmpi.so.40", "-"},
		{"linux", openMPI, "libmpi.so.40", "libmpich.so.12"},
		{"linux", mpich, "libmpi.so.12", "libmpi.so.40"},
		{"darwin", openMPI, "libmpi.dylib", "libmpi.so"},
	} {
		got := candidates(none, x.goos, x.only)
		if got[0] != x.first || slices.Contains(got, x.lacks) || !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "libmpi_abi.") }) {
			t.Errorf("%s, %s: %v", x.goos, x.only, got)
		}
	}
	named := func(v string) string { return map[string]string{LibraryVariable: "/opt/libmpi.so"}[v] }
	if got := candidates(named, "linux", mpich); len(got) != 1 || got[0] != "/opt/libmpi.so" {
		t.Errorf("%v", got)
	}
}

func TestAFamilyIsKnownByFileAndVersion(t *testing.T) {
	for _, x := range []struct {
		file, version string
		want          family
		short         string
	}{
		{"libmpi.so.40", "Open MPI v4.1.4, package: Debian OpenMPI", openMPI, "Open MPI v4.1.4"},
		{"libmpich.so.12", "MPICH Version:\t4.0.2\nMPICH Release date: Thu Apr  7", mpich, "MPICH 4.0.2"},
		{"libmpi.so.12", "Intel(R) MPI Library 2021.11 for Linux* OS", mpich, ""},
		{"libmpi.so.12", "MVAPICH2 Version      :\t2.3.7", mpich, "MVAPICH2 2.3.7"},
		{"libmpi.so.12", "MPI VERSION    : CRAY MPICH version 8.1.28", mpich, "MPI CRAY MPICH 8.1.28"},
		{"/opt/lib/libmpi_abi.so.0", "MPICH Version:\t5.0.0", abi, "MPICH 5.0.0"},
		{"libmpi_abi.so.0", "Open MPI v6.0.0", abi, ""},
		{"libmpi.so", "Another MPI 1", "", ""},
	} {
		if got := shortVersion(x.version); x.short != "" && got != x.short {
			t.Errorf("%q: %q", x.version, got)
		}
		if got, err := familyOf(x.file, x.version); got != x.want || (err == nil) != (x.want != "") {
			t.Errorf("%s, %q: %q, %v", x.file, x.version, got, err)
		}
	}
}

func TestALibraryThatCannotBeUsedIsTold(t *testing.T) {
	wrong := filepath.Join(t.TempDir(), "libmpi.so")
	if err := os.WriteFile(wrong, []byte("no library"), 0o644); err != nil {
		t.Fatal(err)
	}
	launcher := Launcher{Name: "mpiexec of MPICH", Size: 2, family: mpich}
	_, err := find([]string{"/nonexistent/libmpi.so", wrong, t.TempDir() + "/.", "libc.so.6"}, launcher)
	if err == nil {
		t.Fatal("no error")
	}
	for _, says := range []string{"/nonexistent/libmpi.so: cannot be loaded", wrong + ": cannot be loaded", "/.: cannot be loaded: ", "libc.so.6: lacks the function MPI_",
		"mpiexec of MPICH has started this process", "apt-get install", LibraryVariable} {
		if !strings.Contains(err.Error(), says) {
			t.Errorf("%q is not in\n%v", says, err)
		}
	}
}

// Messages of more than 1 GiB become several: MPI counts with 31 bits.
func TestLongMessagesBecomeSeveral(t *testing.T) {
	const most = 1 << 30
	for bytes, want := range map[int]int{0: 1, 1: 1, most: 1, most + 1: 2, 1<<31 - 1: 2, 1 << 31: 2, 1<<31 + 1: 3, 10 * most: 10} {
		if got := pieces(bytes, most); got != want {
			t.Errorf("%d bytes: %d, want %d", bytes, got, want)
		}
	}
	data := make([]byte, 25)
	sum := 0
	for i := range pieces(len(data), 10) {
		sum += len(piece(data, i, 10))
	}
	if sum != 25 || len(piece(data, 2, 10)) != 5 || len(piece(nil, 0, 10)) != 0 {
		t.Errorf("pieces of 25 bytes have %d", sum)
	}
}

func TestALibraryThatSeesOtherRanksIsRefused(t *testing.T) {
	l := Library{File: "libmpi.so.12", Version: "MPICH 4.0.2"}
	for _, x := range []struct {
		rank, size, seen int
		says             string
	}{
		{0, 4, 4, ""},
		{2, 0, 4, ""},
		{0, 0, 1, ""}, // nobody can tell
		{0, 4, 1, "as rank 0 of 4, but it is one of 1 to libmpi.so.12 (MPICH 4.0.2): start it with the launcher of that library, or with srun --mpi=pmix"},
		{2, 0, 1, "as rank 2 of several, but it is one of 1 to"},
		{0, 1, 2, "as rank 0 of 1, but it is one of 2 to"},
	} {
		err := crossed(Launcher{Name: "srun", Rank: x.rank, Size: x.size}, x.seen, l)
		if (err == nil) != (x.says == "") || err != nil && !strings.Contains(err.Error(), x.says) {
			t.Errorf("%+v: %v", x, err)
		}
	}
}
