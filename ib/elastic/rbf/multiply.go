package rbf

// multiply stores in out the sums over base sites d of operators times functions:
// out[o][a][r] = Σ_d panel[d][o][r] x[d][a].
func multiply(out *block, panel, x []float64) { multiplyPortable(out, panel, x) }

func multiplyPortable(out *block, panel, x []float64) {
	for o := range operators {
		for r := 0; r < rows; r += 2 {
			var a0, a1, a2, a3, b0, b1, b2, b3 float64
			at := o*rows + r
			for d := 0; d+columns <= len(x); d += columns {
				v := x[d : d+columns : d+columns]
				a, b := panel[at], panel[at+1]
				a0, b0 = a0+a*v[0], b0+b*v[0]
				a1, b1 = a1+a*v[1], b1+b*v[1]
				a2, b2 = a2+a*v[2], b2+b*v[2]
				a3, b3 = a3+a*v[3], b3+b*v[3]
				at += operators * rows
			}
			out[o][0][r], out[o][1][r], out[o][2][r], out[o][3][r] = a0, a1, a2, a3
			out[o][0][r+1], out[o][1][r+1], out[o][2][r+1], out[o][3][r+1] = b0, b1, b2, b3
		}
	}
}

// butterfly replaces a and b by a + b and a − b.
func butterfly(a, b *block) {
	for o := range a {
		for k := range a[o] {
			u, v := &a[o][k], &b[o][k]
			for r := range u {
				u[r], v[r] = u[r]+v[r], u[r]-v[r]
			}
		}
	}
}
