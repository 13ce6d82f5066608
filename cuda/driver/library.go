package driver

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ebitengine/purego"
)

// entries are the driver's functions in use, with their C names as tags. Names
// without a suffix have kept their signature in every release; others name the
// version that this package calls. Those marked "or" need not be there.
type entries struct {
	init            uintptr `cu:"cuInit"`
	errorName       uintptr `cu:"cuGetErrorName"`
	errorString     uintptr `cu:"cuGetErrorString"`
	deviceCount     uintptr `cu:"cuDeviceGetCount"`
	deviceGet       uintptr `cu:"cuDeviceGet"`
	deviceName      uintptr `cu:"cuDeviceGetName"`
	deviceMemory    uintptr `cu:"cuDeviceTotalMem_v2"`
	deviceAttribute uintptr `cu:"cuDeviceGetAttribute"`
	devicePCI       uintptr `cu:"cuDeviceGetPCIBusId"`

	primaryRetain  uintptr `cu:"cuDevicePrimaryCtxRetain"`
	primaryRelease uintptr `cu:"cuDevicePrimaryCtxRelease_v2"`
	setCurrent     uintptr `cu:"cuCtxSetCurrent"`

	memoryInfo   uintptr `cu:"cuMemGetInfo_v2"`
	memoryAlloc  uintptr `cu:"cuMemAlloc_v2"`
	memoryFree   uintptr `cu:"cuMemFree_v2"`
	hostAlloc    uintptr `cu:"cuMemHostAlloc"`
	hostFree     uintptr `cu:"cuMemFreeHost"`
	copyToDevice uintptr `cu:"cuMemcpyHtoDAsync_v2"`
	copyToHost   uintptr `cu:"cuMemcpyDtoHAsync_v2"`
	copyWithin   uintptr `cu:"cuMemcpyDtoDAsync_v2"`
	setBytes     uintptr `cu:"cuMemsetD8Async"`

	moduleLoad        uintptr `cu:"cuModuleLoadDataEx"`
	moduleUnload      uintptr `cu:"cuModuleUnload"`
	moduleFunction    uintptr `cu:"cuModuleGetFunction"`
	functionAttribute uintptr `cu:"cuFuncGetAttribute"`
	functionSet       uintptr `cu:"cuFuncSetAttribute"`
	occupancy         uintptr `cu:"cuOccupancyMaxActiveBlocksPerMultiprocessor"`
	launchKernel      uintptr `cu:"cuLaunchKernel"`

	streamCreate  uintptr `cu:"cuStreamCreate"`
	streamDestroy uintptr `cu:"cuStreamDestroy_v2"`
	streamWait    uintptr `cu:"cuStreamWaitEvent"`
	streamSync    uintptr `cu:"cuStreamSynchronize"`
	captureBegin  uintptr `cu:"cuStreamBeginCapture_v2"`
	captureEnd    uintptr `cu:"cuStreamEndCapture"`

	eventCreate  uintptr `cu:"cuEventCreate"`
	eventDestroy uintptr `cu:"cuEventDestroy_v2"`
	eventRecord  uintptr `cu:"cuEventRecord"`
	eventQuery   uintptr `cu:"cuEventQuery"`
	eventSync    uintptr `cu:"cuEventSynchronize"`
	eventElapsed uintptr `cu:"cuEventElapsedTime"`

	graphInstantiate    uintptr `cu:"cuGraphInstantiateWithFlags" or:"cuGraphInstantiate_v2"`
	graphInstantiateOld uintptr `cu:"cuGraphInstantiate_v2" or:"cuGraphInstantiateWithFlags"`
	graphLaunch         uintptr `cu:"cuGraphLaunch"`
	graphDestroy        uintptr `cu:"cuGraphDestroy"`
	graphExecDestroy    uintptr `cu:"cuGraphExecDestroy"`
}

// bind resolves every entry. An entry that has an alternative stays zero where
// only the alternative is there.
func bind(handle uintptr) (*entries, error) {
	e := &entries{}
	v := reflect.ValueOf(e).Elem()
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag
		symbol, err := purego.Dlsym(handle, tag.Get("cu"))
		if err != nil {
			if other := tag.Get("or"); other != "" {
				if _, err := purego.Dlsym(handle, other); err == nil {
					continue
				}
			}
			return nil, fmt.Errorf("lacks the function %s", tag.Get("cu"))
		}
		*(*uintptr)(v.Field(i).Addr().UnsafePointer()) = symbol
	}
	return e, nil
}

// version is the driver's CUDA version from the one entry that every release has.
func version(handle uintptr) (major, minor int, err error) {
	symbol, err := purego.Dlsym(handle, "cuDriverGetVersion")
	if err != nil {
		return 0, 0, fmt.Errorf("is no CUDA driver: it lacks the function cuDriverGetVersion")
	}
	v := new(int32)
	if r, _, _ := purego.SyscallN(symbol, uintptr(unsafe.Pointer(v))); int32(r) != success {
		return 0, 0, fmt.Errorf("does not tell its version (cuDriverGetVersion: code %d)", int32(r))
	}
	return int(*v) / 1000, int(*v) % 1000 / 10, nil
}
