package transfer

import "lbmib/ib"

// kernelOf is the kernel of the transfers of a delta where name is asked for: go or
// avx2. Where nothing is, or auto, it is the fastest that there is.
func kernelOf[T ib.Float](name, delta string, dim int) (string, error) {
	d, err := ib.NewDelta[T](delta)
	if err != nil {
		return "", err
	}
	n := ib.MaxSupport
	try := func(kernel string) error {
		_, err := ib.NewTransfer("serial", ib.Grid{Dim: dim, Size: [3]int{n, n, n}}, d, nil, ib.Kernel(kernel))
		return err
	}
	switch name {
	case "", "auto":
		if try("avx2") != nil {
			return "go", nil
		}
		return "avx2", nil
	case "avx512": // means avx2 here, see ib.Kernel
		name = "avx2"
	}
	return name, try(name)
}

// kernel is the one of a problem's transfers.
func (p *Problem) kernel(name string) (string, error) {
	if p.Precision == "f32" {
		return kernelOf[float32](name, p.Delta, p.Size.Dim())
	}
	return kernelOf[float64](name, p.Delta, p.Size.Dim())
}
