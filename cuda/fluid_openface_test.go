package cuda

import (
	"strings"
	"testing"

	"lbmib/cuda/device/devicetest"
	"lbmib/lbm"
)

// A device refuses an open face whose ghosts none of its kernels has, before anything is
// allocated; it would take it for one of another kind.
func TestAnOpenFaceWithoutAKernelIsRefused(t *testing.T) {
	cfg := flow(t, lbm.D2Q9, [3]int{12, 10, 1})
	cfg.Faces[0] = lbm.Face{Kind: lbm.Pressure, Density: 1.001}
	cfg.Faces[1] = lbm.Face{Kind: lbm.Outflow}
	if err := CheckFaces(&cfg); err != nil {
		t.Fatal(err)
	}
	known := openKinds
	defer func() { openKinds = known }()
	openKinds = map[lbm.FaceKind]int32{lbm.Outflow: 1}
	const want = "face left is pressure, whose ghosts no kernel of the device has (openface.h): choose another type, or backend cpu"
	if err := CheckFaces(&cfg); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v", err)
	}
	if _, err := NewFluid[float64](devicetest.Open(t), cfg); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a fluid's error is %v", err)
	}
}
