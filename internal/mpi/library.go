//go:build !nompi

package mpi

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"

	"lbmib/internal/dynlib"
)

// functions are the calls in use, with their C names as tags.
type functions struct {
	libraryVersion uintptr `mpi:"MPI_Get_library_version"`
	initThread     uintptr `mpi:"MPI_Init_thread"`
	finalize       uintptr `mpi:"MPI_Finalize"`
	abort          uintptr `mpi:"MPI_Abort"`
	errorString    uintptr `mpi:"MPI_Error_string"`
	setErrhandler  uintptr `mpi:"MPI_Comm_set_errhandler"`
	commRank       uintptr `mpi:"MPI_Comm_rank"`
	commSize       uintptr `mpi:"MPI_Comm_size"`
	splitType      uintptr `mpi:"MPI_Comm_split_type"`
	commFree       uintptr `mpi:"MPI_Comm_free"`
	processorName  uintptr `mpi:"MPI_Get_processor_name"`

	sendInit    uintptr `mpi:"MPI_Send_init"`
	recvInit    uintptr `mpi:"MPI_Recv_init"`
	startall    uintptr `mpi:"MPI_Startall"`
	testall     uintptr `mpi:"MPI_Testall"`
	requestFree uintptr `mpi:"MPI_Request_free"`

	isend       uintptr `mpi:"MPI_Isend"`
	irecv       uintptr `mpi:"MPI_Irecv"`
	ibarrier    uintptr `mpi:"MPI_Ibarrier"`
	ibcast      uintptr `mpi:"MPI_Ibcast"`
	iallgatherv uintptr `mpi:"MPI_Iallgatherv"`
	igatherv    uintptr `mpi:"MPI_Igatherv"`
	iscatterv   uintptr `mpi:"MPI_Iscatterv"`
}

// handles are what a family's header calls its constants, and the sizes of its types.
type handles struct {
	world, byte, errorsReturn, infoNull uintptr
	request, status                     int // bytes
	errorAt                             int // where MPI_ERROR lies in a status
	funneled, shared                    uintptr
}

// The constants that are numbers: MPICH's, which MVAPICH, Intel's and Cray's have, too
// (mpi.h), and those of the standard's ABI (MPI 5.0, chapter 20).
var numbers = map[family]handles{
	mpich: {world: 0x44000000, byte: 0x4c00010d, errorsReturn: 0x54000001, infoNull: 0x1c000000, request: 4, status: 20, errorAt: 16, funneled: 1, shared: 1},
	abi:   {world: 0x101, byte: 0x247, errorsReturn: 0x143, infoNull: 0x130, request: 8, status: 32, errorAt: 8, funneled: 1024, shared: 221},
}

// library is a loaded libmpi.
type library struct {
	Library
	family family
	functions
	handles
}

// Find is the libraries that Connect can use here, one of each family, the first one tried
// first. It loads them and makes no call that starts MPI. The error lists what was tried.
func Find() ([]Library, error) {
	launcher, _ := Launched()
	restore := keepHandlers()
	defer restore()
	var all []Library
	var tried []string
	for _, name := range candidates(os.Getenv, runtime.GOOS, launcher.family) {
		l, err := open(name, false) // or the next one would take this one's functions for its own
		if err == nil {
			err = suits(l.family, launcher)
		}
		switch {
		case err != nil:
			tried = append(tried, name+": "+err.Error())
		case !slices.ContainsFunc(all, func(k Library) bool { return k.Family == l.Family }):
			all = append(all, l.Library)
		}
	}
	if len(all) == 0 {
		return nil, &NotFound{Tried: tried}
	}
	return all, nil
}

// candidates lists the names to try, best first. Under a launcher that works with one
// family alone, only that one and the ABI are.
func candidates(getenv func(string) string, goos string, only family) (names []string) {
	if file := getenv(LibraryVariable); file != "" {
		return []string{file}
	}
	if goos == "darwin" {
		for _, folder := range []string{"", "/opt/homebrew/lib/", "/usr/local/lib/", "/opt/local/lib/"} {
			names = append(names, folder+"libmpi.dylib")
		}
		return append(names, "libmpi_abi.dylib")
	}
	if only != mpich {
		names = append(names, "libmpi.so.40")
	}
	if only != openMPI {
		names = append(names, "libmpi.so.12", "libmpich.so.12")
	}
	return append(names, "libmpi_abi.so.0", "libmpi.so", "libmpi_abi.so")
}

// find is the first candidate that can be used under the launcher.
func find(names []string, launcher Launcher) (*library, error) {
	none := &NotFound{launcher: launcher}
	for _, name := range names {
		// Global: OpenMPI loads parts of itself, which look for its symbols.
		l, err := open(name, true)
		if err == nil {
			err = suits(l.family, launcher)
		}
		if err == nil {
			return l, nil
		}
		none.Tried = append(none.Tried, name+": "+err.Error())
	}
	return nil, none
}

// suits refuses a library of another family than the launcher's: every process would be
// rank 0 of 1 then.
func suits(f family, launcher Launcher) error {
	if launcher.family == "" || f == launcher.family || f == abi {
		return nil
	}
	return fmt.Errorf("is of %s, but %s has started this process", f, launcher.Name)
}

// open loads one candidate. It stays mapped: unloading a library that has run is not safe.
func open(name string, global bool) (*library, error) {
	handle, err := dynlib.Open(name, global)
	if err != nil {
		return nil, err
	}
	l := &library{Library: Library{File: name}}
	v := reflect.ValueOf(&l.functions).Elem()
	for i := range v.NumField() {
		symbol := v.Type().Field(i).Tag.Get("mpi")
		p, err := purego.Dlsym(handle, symbol)
		if err != nil {
			return nil, fmt.Errorf("lacks the function %s (MPI 3.0 has it)", symbol)
		}
		*(*uintptr)(v.Field(i).Addr().UnsafePointer()) = p
	}
	text := l.text(8192, func(p, n uintptr) { purego.SyscallN(l.libraryVersion, p, n) })
	l.Version = shortVersion(text)
	if l.family, err = familyOf(name, text); err != nil {
		return nil, err
	}
	l.Family = string(l.family)
	return l, l.setHandles(handle)
}

// shortVersion is a library's name and number, of what it tells of itself.
func shortVersion(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line, _, _ = strings.Cut(line, ",")
	words := slices.DeleteFunc(strings.Fields(line), func(w string) bool { return strings.EqualFold(strings.TrimSuffix(w, ":"), "version") || w == ":" })
	return strings.Join(words, " ")
}

// familyOf tells a library's family: those with the standard's ABI by their file, since
// they have the same words for their version as the family's own.
func familyOf(file, version string) (family, error) {
	if strings.HasPrefix(filepath.Base(file), "libmpi_abi.") {
		return abi, nil
	}
	for _, known := range []struct {
		word string
		is   family
	}{{"Open MPI", openMPI}, {"MPICH", mpich}, {"MVAPICH", mpich}, {"Intel(R) MPI", mpich}} {
		if strings.Contains(version, known.word) {
			return known.is, nil
		}
	}
	return "", fmt.Errorf("is of no known family (%q): OpenMPI, MPICH and libmpi_abi are", version)
}

// setHandles takes the family's constants; OpenMPI's are addresses of variables.
func (l *library) setHandles(handle uintptr) error {
	l.handles = numbers[l.family]
	if l.family != openMPI {
		return nil
	}
	l.request, l.status, l.errorAt, l.funneled, l.shared = 8, 24, 8, 1, 0
	for name, to := range map[string]*uintptr{
		"ompi_mpi_comm_world": &l.world, "ompi_mpi_byte": &l.byte, "ompi_mpi_errors_return": &l.errorsReturn, "ompi_mpi_info_null": &l.infoNull,
	} {
		p, err := purego.Dlsym(handle, name)
		if err != nil {
			return fmt.Errorf("lacks the variable %s", name)
		}
		*to = p
	}
	return nil
}

// text is what a call writes into a buffer of so many bytes, and its length beside it.
func (l *library) text(bytes int, call func(p, n uintptr)) string {
	buffer, n := make([]byte, bytes), new(int32)
	call(uintptr(unsafe.Pointer(unsafe.SliceData(buffer))), uintptr(unsafe.Pointer(n)))
	runtime.KeepAlive(buffer)
	return strings.TrimRight(string(buffer[:min(max(0, int(*n)), bytes)]), "\x00")
}

// message is the text of an error code.
func (l *library) message(code int32) string {
	text := l.text(8192, func(p, n uintptr) { purego.SyscallN(l.errorString, uintptr(code), p, n) })
	if text == "" {
		return fmt.Sprintf("code %d", code)
	}
	return text
}

// tellsError tells whether a status holds an error: OpenMPI returns none for persistent
// requests. Where nothing fails the statuses, zeroed once, keep their zeros.
func (l *library) tellsError(statuses []byte) bool {
	for at := l.errorAt; at < len(statuses); at += l.status {
		if *(*int32)(unsafe.Pointer(&statuses[at])) != 0 {
			return true
		}
	}
	return false
}

// reasons is the text of an error code, if it is one, and of the codes in statuses.
func (l *library) reasons(code int32, statuses []byte) string {
	var told []int32
	var texts []string
	tell := func(c int32) {
		if c != 0 && !slices.Contains(told, c) {
			told = append(told, c)
			texts = append(texts, l.message(c))
		}
	}
	tell(code)
	for at := l.errorAt; at < len(statuses); at += l.status {
		tell(*(*int32)(unsafe.Pointer(&statuses[at])))
	}
	return strings.Join(texts, "; ")
}
