package hybrid

import (
	"lbmib/geometry"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// CheckPlaces refuses what NewCoupling would refuse of where bodies are, at an effort that
// grows with their markers and not with the nodes around them. It leaves bodies where they
// begin. The pool is that of the coupling.
func CheckPlaces[T lbm.Float](cfg CouplingConfig, flow *lbm.Config, bodies []*rigid.Body, pool *parallel.Pool) error {
	c, err := begin[T](cfg, flow, bodies)
	if err != nil {
		return err
	}
	return c.newWindow(pool, 0).Check()
}

// CheckWeights refuses markers that NewCoupling would find no weights for. The bodies are
// those of CheckPlaces, or some of them.
func CheckWeights[T lbm.Float](cfg CouplingConfig, flow *lbm.Config, bodies []*rigid.Body) error {
	delta, err := ib.NewDelta[T](cfg.Delta)
	if err != nil {
		return err
	}
	layout := patch.NewLayout(flow, cfg.Transfer, delta, len(bodies), moving(bodies))
	var points []geometry.Vec
	for i, b := range bodies {
		layout.Measure(i, b.Markers.X)
		points = append(points, b.Markers.X...)
	}
	layout.Make()
	_, _, _, err = ib.ForcingWeights[T](layout.Around(), delta, points, patch.Mirrors(flow)...)
	return err
}
