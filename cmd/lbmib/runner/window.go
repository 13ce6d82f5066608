package runner

import "lbmib/lbm"

// piece is a run of nodes of the domain along an axis and where it goes in a
// window.
type piece struct{ from, to, n int }

// pieces are where the nodes lo ≤ p < hi along an axis come from: around a periodic
// axis from the other end, beyond other faces from the outermost node.
func (p *problem) pieces(axis, lo, hi int) (all []piece) {
	n := p.flow.Size[axis]
	for i := lo; i < hi; {
		next := piece{from: i, to: i - lo, n: 1}
		switch {
		case i >= 0 && i < n:
			next.n = min(hi, n) - i
		case p.flow.Faces[2*axis].Kind == lbm.Periodic:
			next.from = (i%n + n) % n
			next.n = min(hi-i, n-next.from)
		case i < 0:
			next.from = 0
		default:
			next.from = n - 1
		}
		all = append(all, next)
		i += next.n
	}
	return all
}

// window reads density and velocity of the nodes lo ≤ p < hi, x fastest, which
// may lie outside the domain: see pieces. Nodes of walls are read as they are.
func (r *run[T]) window(lo, hi [3]int, rho []T, u [][]T) {
	var along [3][]piece
	for a := range along {
		along[a] = r.pieces(a, lo[a], hi[a])
	}
	if len(along[0])*len(along[1])*len(along[2]) == 1 {
		from, to := lo, hi
		for a, p := range along {
			from[a], to[a] = p[0].from, p[0].from+p[0].n
		}
		r.sim.Box(from, to, rho, u)
		return
	}
	size := [3]int{hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]}
	part := make([][]T, 1+len(u))
	for _, z := range along[2] {
		for _, y := range along[1] {
			for _, x := range along[0] {
				for i := range part {
					part[i] = make([]T, x.n*y.n*z.n)
				}
				r.sim.Box([3]int{x.from, y.from, z.from}, [3]int{x.from + x.n, y.from + y.n, z.from + z.n}, part[0], part[1:])
				for row := range y.n * z.n {
					at := x.to + size[0]*(y.to+row%y.n+size[1]*(z.to+row/y.n))
					copy(rho[at:at+x.n], part[0][row*x.n:])
					for a := range u {
						copy(u[a][at:at+x.n], part[1+a][row*x.n:])
					}
				}
			}
		}
	}
}
