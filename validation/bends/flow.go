package main

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// bend is developed flow through a curved tube of radius 1 in a fluid of viscosity and density 1. The section lies at x (away from the centre of the
// bend) and z, at the distance h = 1/curvature + x from the axis of the bend. The velocity along the bend is w, across it u_x = −∂_z ψ/h
// and u_z = ∂_x ψ/h.
type bend struct {
	curvature float64 // radius of the tube over that of the bend
	gradient  float64 // −dp/ds in the middle of the tube
	functions []function
	axial     int // how many of the functions are of w, the others are of ψ
	a         []float64
}

// function is (1 − x² − z²)^power T_i(x) T_j(z) as a sum of products of polynomials in x and in z.
type function struct{ terms [][2][]float64 }

// newBend has T_i T_j with i + j ≤ degree: j even for w, which vanishes at the wall, and odd for ψ, which does so with its slope.
func newBend(curvature, gradient float64, degree int) *bend {
	b := &bend{curvature: curvature, gradient: gradient}
	for odd := range 2 {
		for i := 0; i <= degree; i++ {
			for j := odd; i+j <= degree; j += 2 {
				b.functions = append(b.functions, newFunction(i, j, 1+odd))
			}
		}
		if odd == 0 {
			b.axial = len(b.functions)
		}
	}
	b.a = make([]float64, len(b.functions))
	return b
}

func newFunction(i, j, power int) (f function) {
	add := func(c float64, k, l int) {
		f.terms = append(f.terms, [2][]float64{raised(chebyshev(i), c, k), raised(chebyshev(j), 1, l)})
	}
	if power == 1 {
		add(1, 0, 0)
		add(-1, 2, 0)
		add(-1, 0, 2)
		return f
	}
	add(1, 0, 0)
	add(-2, 2, 0)
	add(-2, 0, 2)
	add(1, 4, 0)
	add(2, 2, 2)
	add(1, 0, 4)
	return f
}

// chebyshev are the coefficients of T_n.
func chebyshev(n int) []float64 {
	a, b := []float64{1}, []float64{0, 1}
	for range n {
		next := make([]float64, len(b)+1)
		for k, v := range b {
			next[k+1] += 2 * v
		}
		for k, v := range a {
			next[k] -= v
		}
		a, b = b, next
	}
	return a
}

// raised is c x^k times a polynomial.
func raised(p []float64, c float64, k int) []float64 {
	q := make([]float64, len(p)+k)
	for i, v := range p {
		q[i+k] = c * v
	}
	return q
}

// at is the m-th derivative of a polynomial.
func at(p []float64, x float64, m int) (v float64) {
	for k := len(p) - 1; k >= m; k-- {
		c := p[k]
		for i := range m {
			c *= float64(k - i)
		}
		v = v*x + c
	}
	return v
}

// derivatives are ∂_x^m ∂_z^n of a function, m + n ≤ 4.
type derivatives [5][5]float64

func (f *function) at(x, z float64) (d derivatives) {
	for _, t := range f.terms {
		var px, pz [5]float64
		for m := range px {
			px[m], pz[m] = at(t[0], x, m), at(t[1], z, m)
		}
		for m := range d {
			for n := range 5 - m {
				d[m][n] += px[m] * pz[n]
			}
		}
	}
	return d
}

func (d *derivatives) add(c float64, e *derivatives) {
	for m := range d {
		for n := range d[m] {
			d[m][n] += c * e[m][n]
		}
	}
}

// vorticity is ω = −(ψ_xx − ψ_x/h + ψ_zz)/h and its derivatives ω_x, ω_z, ω_xx and ω_zz.
func vorticity(p *derivatives, h float64) (w, wx, wz, wxx, wzz float64) {
	// E = ψ_xx − ψ_x/h + ψ_zz.
	e := p[2][0] - p[1][0]/h + p[0][2]
	ex := p[3][0] - p[2][0]/h + p[1][0]/(h*h) + p[1][2]
	exx := p[4][0] - p[3][0]/h + 2*p[2][0]/(h*h) - 2*p[1][0]/(h*h*h) + p[2][2]
	ez := p[2][1] - p[1][1]/h + p[0][3]
	ezz := p[2][2] - p[1][2]/h + p[0][4]
	return -e / h, -ex/h + e/(h*h), -ez / h, -exx/h + 2*ex/(h*h) - 2*e/(h*h*h), -ezz / h
}

// residual are what the two equations of w and of ω lack at a point, of which the convection is bilinear: with w and p once for what is
// carried and once for what carries.
func (b *bend) residual(x float64, w, p *derivatives, wBy, pBy *derivatives, force float64) (along, across float64) {
	h := 1/b.curvature + x
	ux, uz := -pBy[0][1]/h, pBy[1][0]/h
	o, ox, oz, oxx, ozz := vorticity(p, h)
	along = w[2][0] + w[1][0]/h + w[0][2] - w[0][0]/(h*h) + force*b.gradient/(b.curvature*h) - (ux*w[1][0] + uz*w[0][1] + ux*w[0][0]/h)
	across = oxx + ox/h + ozz - o/(h*h) - (ux*ox + uz*oz - ux*o/h) + 2*wBy[0][0]*w[0][1]/h
	return along, across
}

// solve finds the flow by Newton's method from the one at hand, by least squares over points of the upper half. It returns the last change of the
// coefficients over their size.
func (b *bend) solve() (change float64, err error) {
	n := len(b.functions)
	rings := int(math.Sqrt(float64(n))) + 4
	var points [][2]float64
	for i := range rings {
		r := math.Sin(math.Pi / 2 * (float64(i) + 0.5) / float64(rings)) // denser at the wall
		around := 2 + int(2*float64(rings)*r)
		for k := range around {
			sin, cos := math.Sincos(math.Pi * (float64(k) + 0.5) / float64(around))
			points = append(points, [2]float64{r * cos, r * sin})
		}
	}
	values := make([][]derivatives, len(points))
	for k, p := range points {
		for i := range b.functions {
			values[k] = append(values[k], b.functions[i].at(p[0], p[1]))
		}
	}
	a, rhs := mat.NewDense(2*len(points), n, nil), mat.NewVecDense(2*len(points), nil)
	zero := &derivatives{}
	for range 30 {
		for k, p := range points {
			w, psi := b.sum(values[k])
			along, across := b.residual(p[0], w, psi, w, psi, 1)
			rhs.SetVec(2*k, -along)
			rhs.SetVec(2*k+1, -across)
			for i := range n {
				dw, dp := &values[k][i], zero
				if i >= b.axial {
					dw, dp = zero, dw
				}
				// Linear in what is carried; what carries changes, too, without what is linear already.
				l0, c0 := b.residual(p[0], dw, dp, w, psi, 0)
				l1, c1 := b.residual(p[0], w, psi, dw, dp, 0)
				l2, c2 := b.residual(p[0], w, psi, zero, zero, 0)
				a.Set(2*k, i, l0+l1-l2)
				a.Set(2*k+1, i, c0+c1-c2)
			}
		}
		var qr mat.QR
		qr.Factorize(a)
		var step mat.VecDense
		if err := qr.SolveVecTo(&step, false, rhs); err != nil {
			if _, ill := err.(mat.Condition); !ill {
				return 0, err
			}
		}
		size := 0.
		change = 0
		for i := range b.a {
			b.a[i] += step.AtVec(i)
			change, size = change+step.AtVec(i)*step.AtVec(i), size+b.a[i]*b.a[i]
		}
		change = math.Sqrt(change / size)
		if change < 1e-9 {
			return change, nil
		}
	}
	return change, fmt.Errorf("the method of Newton has not converged: its last step is %.2g of the flow; go there in smaller steps of the Reynolds number", change)
}

// sum is the flow at a point where the functions are known.
func (b *bend) sum(values []derivatives) (w, psi *derivatives) {
	w, psi = &derivatives{}, &derivatives{}
	for i := range values {
		if i < b.axial {
			w.add(b.a[i], &values[i])
		} else {
			psi.add(b.a[i], &values[i])
		}
	}
	return w, psi
}

// velocity is that along the bend, away from its centre, and across both.
func (b *bend) velocity(x, z float64) (along, out, up float64) {
	h := 1/b.curvature + x
	for i := range b.functions {
		d := b.functions[i].at(x, z)
		if i < b.axial {
			along += b.a[i] * d[0][0]
			continue
		}
		out, up = out-b.a[i]*d[0][1]/h, up+b.a[i]*d[1][0]/h
	}
	return along, out, up
}

// mean is the mean of w over the section.
func (b *bend) mean() (sum float64) {
	const n, around = 48, 96
	for i := range n {
		r := math.Sqrt((float64(i) + 0.5) / n)
		for k := range around {
			sin, cos := math.Sincos(math.Pi * (float64(k) + 0.5) / around)
			w, _, _ := b.velocity(r*cos, r*sin)
			sum += w
		}
	}
	return sum / (n * around)
}

// reaches changes the gradient until the Reynolds number of the mean velocity and the diameter is reached.
func (b *bend) reaches(reynolds float64) error {
	for range 30 {
		if _, err := b.solve(); err != nil {
			return err
		}
		have := 2 * b.mean()
		if math.Abs(have/reynolds-1) < 1e-9 {
			return nil
		}
		// The flow is between linear in the gradient and of its power 0.6 or so.
		b.gradient *= math.Pow(reynolds/have, 1.2)
	}
	return fmt.Errorf("the gradient for a Reynolds number of %g was not found", reynolds)
}

// friction is the gradient over that of a straight tube with the same flow.
func (b *bend) friction() float64 { return b.gradient / (8 * b.mean()) }
