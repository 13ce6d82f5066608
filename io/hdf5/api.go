package hdf5

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ebitengine/purego"
)

// hid is HDF5's hid_t: 64 bits since 1.10; negative means failure.
type hid = int64

// Constants of the C headers; none has changed since 1.10.
const (
	defaultProperties   hid = 0 // H5P_DEFAULT
	errorStackDefault   hid = 0 // H5E_DEFAULT
	everything          hid = 0 // H5S_ALL
	accessTruncate          = 2 // H5F_ACC_TRUNC
	accessReadOnly          = 0 // H5F_ACC_RDONLY
	classInteger            = 0 // H5T_INTEGER
	classFloat              = 1 // H5T_FLOAT
	closeStrong             = 3 // H5F_CLOSE_STRONG
	flushGlobal             = 1 // H5F_SCOPE_GLOBAL
	walkUpward              = 0 // H5E_WALK_UPWARD: innermost first
	stringNullPadded        = 1 // H5T_STR_NULLPAD
	filterMaskNoDeflate     = 1 << 1
)

// functions are the entries of libhdf5 in use, with the C names as tags.
type functions struct {
	open    func() int32                                      `h5:"H5open"`
	setAuto func(stack hid, f, data uintptr) int32            `h5:"H5Eset_auto2"`
	walk    func(stack hid, dir int32, f, data uintptr) int32 `h5:"H5Ewalk2"`
	clear   func(stack hid) int32                             `h5:"H5Eclear2"`

	newProperties   func(class hid) hid                                  `h5:"H5Pcreate"`
	closeProperties func(plist hid) int32                                `h5:"H5Pclose"`
	setCore         func(fapl hid, increment uintptr, store int32) int32 `h5:"H5Pset_fapl_core"`
	setCloseDegree  func(fapl hid, degree int32) int32                   `h5:"H5Pset_fclose_degree"`
	setTrackTimes   func(ocpl hid, on int32) int32                       `h5:"H5Pset_obj_track_times"`
	setChunk        func(dcpl hid, rank int32, dims *uint64) int32       `h5:"H5Pset_chunk"`
	setShuffle      func(dcpl hid) int32                                 `h5:"H5Pset_shuffle"`
	setDeflate      func(dcpl hid, level uint32) int32                   `h5:"H5Pset_deflate"`

	createFile func(name string, flags uint32, fcpl, fapl hid) hid    `h5:"H5Fcreate"`
	openFile   func(name string, flags uint32, fapl hid) hid          `h5:"H5Fopen"`
	flushFile  func(file hid, scope int32) int32                      `h5:"H5Fflush"`
	fileImage  func(file hid, buf unsafe.Pointer, size uintptr) int64 `h5:"H5Fget_file_image"`
	closeFile  func(file hid) int32                                   `h5:"H5Fclose"`

	createGroup func(loc hid, name string, lcpl, gcpl, gapl hid) hid `h5:"H5Gcreate2"`
	linkExists  func(loc hid, name string, lapl hid) int32           `h5:"H5Lexists"`

	newSpace   func(rank int32, dims, max *uint64) hid  `h5:"H5Screate_simple"`
	closeSpace func(space hid) int32                    `h5:"H5Sclose"`
	scalar     func(class int32) hid                    `h5:"H5Screate"`
	rank       func(space hid) int32                    `h5:"H5Sget_simple_extent_ndims"`
	dimensions func(space hid, dims, max *uint64) int32 `h5:"H5Sget_simple_extent_dims"`

	copyType       func(t hid) hid                 `h5:"H5Tcopy"`
	typeClass      func(t hid) int32               `h5:"H5Tget_class"`
	setTypeSize    func(t hid, size uintptr) int32 `h5:"H5Tset_size"`
	setTypePadding func(t hid, pad int32) int32    `h5:"H5Tset_strpad"`
	closeType      func(t hid) int32               `h5:"H5Tclose"`

	createAttribute func(loc hid, name string, t, space, acpl, aapl hid) hid `h5:"H5Acreate2"`
	writeAttribute  func(attr, t hid, buf unsafe.Pointer) int32              `h5:"H5Awrite"`
	closeAttribute  func(attr hid) int32                                     `h5:"H5Aclose"`
	openAttribute   func(loc hid, object, name string, aapl, lapl hid) hid   `h5:"H5Aopen_by_name"`
	attributeSpace  func(attr hid) hid                                       `h5:"H5Aget_space"`
	attributeType   func(attr hid) hid                                       `h5:"H5Aget_type"`
	readAttribute   func(attr, t hid, buf unsafe.Pointer) int32              `h5:"H5Aread"`

	createDataset func(loc hid, name string, t, space, lcpl, dcpl, dapl hid) hid                     `h5:"H5Dcreate2"`
	writeDataset  func(dset, t, mspace, fspace, dxpl hid, buf unsafe.Pointer) int32                  `h5:"H5Dwrite"`
	writeChunk    func(dset, dxpl hid, mask uint32, at *uint64, n uintptr, buf unsafe.Pointer) int32 `h5:"H5Dwrite_chunk"`
	openDataset   func(loc hid, name string, dapl hid) hid                                           `h5:"H5Dopen2"`
	datasetSpace  func(dset hid) hid                                                                 `h5:"H5Dget_space"`
	datasetType   func(dset hid) hid                                                                 `h5:"H5Dget_type"`
	readDataset   func(dset, t, mspace, fspace, dxpl hid, buf unsafe.Pointer) int32                  `h5:"H5Dread"`
	closeDataset  func(dset hid) int32                                                               `h5:"H5Dclose"`
}

// typeIDs are the types in use. Native ones serve in the file too: the file
// records the byte order, and chunks can then be written as they lie.
type typeIDs struct {
	float32 hid `h5:"H5T_NATIVE_FLOAT_g"`
	float64 hid `h5:"H5T_NATIVE_DOUBLE_g"`
	int64   hid `h5:"H5T_NATIVE_INT64_g"`
	uint8   hid `h5:"H5T_NATIVE_UINT8_g"`
	char    hid `h5:"H5T_C_S1_g"`
}

// classIDs are the classes of property lists.
type classIDs struct {
	fileAccess  hid `h5:"H5P_CLS_FILE_ACCESS_ID_g"`
	datasetMake hid `h5:"H5P_CLS_DATASET_CREATE_ID_g"`
}

// bindAll points every field of f at the C function in its tag.
func bindAll(handle uintptr, f *functions) error {
	v := reflect.ValueOf(f).Elem()
	for i := range v.NumField() {
		// Fields are unexported, so their address is taken by hand.
		p := reflect.NewAt(v.Field(i).Type(), v.Field(i).Addr().UnsafePointer())
		if err := bindFunc(handle, v.Type().Field(i).Tag.Get("h5"), p.Interface()); err != nil {
			return err
		}
	}
	return nil
}

func bindFunc(handle uintptr, name string, f any) error {
	symbol, err := purego.Dlsym(handle, name)
	if err != nil {
		return fmt.Errorf("lacks the function %s: %w", name, err)
	}
	purego.RegisterFunc(f, symbol)
	return nil
}

// bindIDs reads the identifiers, C variables of type hid_t, into a struct of
// hid fields.
func bindIDs[S typeIDs | classIDs](handle uintptr, ids *S) error {
	v := reflect.ValueOf(ids).Elem()
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get("h5")
		symbol, err := purego.Dlsym(handle, name)
		if err != nil {
			return fmt.Errorf("lacks the variable %s: %w", name, err)
		}
		*(*hid)(v.Field(i).Addr().UnsafePointer()) = **(**hid)(unsafe.Pointer(&symbol))
	}
	return nil
}
