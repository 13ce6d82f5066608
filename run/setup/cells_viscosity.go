package setup

import (
	"lbmib/hybrid"
	"lbmib/hybrid/flexible"
)

// checkRatios refuses elastic bodies of another viscosity inside than outside where these cannot be, and meshes whose inside nodes do
// not find.
func (p *Problem) checkRatios() error {
	var finder flexible.InsideFinder
	var inside flexible.Inside
	checked := false
	for i, c := range p.Coupling.Cells {
		if c.ViscosityRatio() == 1 {
			continue
		}
		b := p.Drawn[i]
		if !checked {
			if err := hybrid.CheckRatios(p.Coupling, &p.Flow); err != nil {
				return p.Case.Errorf(materialKey(b)+".viscosity_ratio", "%v", err)
			}
			checked = true
		}
		if err := finder.Find(c, &inside); err != nil {
			return p.Case.Errorf(materialKey(b)+".viscosity_ratio", "%v", err)
		}
	}
	return nil
}
