package plot

import (
	"image"
	"image/color"
	"math"
)

// overlap is one source cell under a pixel and the share of the pixel that it
// covers.
type overlap struct {
	cell  int
	share float64
}

// overlaps lists for each of m pixels the cells of n that lie under it.
func overlaps(n, m int) [][]overlap {
	all := make([][]overlap, m)
	ratio := float64(n) / float64(m) // cells per pixel
	for i := range all {
		a, b := float64(i)*ratio, float64(i+1)*ratio
		for j := int(a); j < n && float64(j) < b; j++ {
			if share := (math.Min(b, float64(j+1)) - math.Max(a, float64(j))) / ratio; share > 1e-9 {
				all[i] = append(all[i], overlap{j, share})
			}
		}
	}
	return all
}

// resample makes an image of width × height pixels whose pixels are averages of
// the field over their area: big grids shrink without aliasing, small ones keep
// their cells sharp. The image's first row is the field's last. A pixel is as
// opaque as the drawable part of its area.
func resample(f *Field, s *scale, width, height int) *image.RGBA {
	columns, rows := overlaps(f.Nx, width), overlaps(f.Ny, height)
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	cache := rowCache{f: f, columns: columns, held: [2]int{-1, -1}}
	sum, cover := make([]float64, width), make([]float64, width)
	for r, cells := range rows {
		clear(sum)
		clear(cover)
		for _, c := range cells {
			rowSum, rowCover := cache.row(c.cell)
			for i := range sum {
				sum[i] += c.share * rowSum[i]
				cover[i] += c.share * rowCover[i]
			}
		}
		line := img.Pix[(height-1-r)*img.Stride:]
		for i := range sum {
			if cover[i] > 1e-6 {
				put(line[4*i:4*i+4], s.color(sum[i]/cover[i]), math.Min(1, cover[i]))
			}
		}
	}
	return img
}

// put stores a colour with alpha premultiplied.
func put(pix []uint8, c color.RGBA, alpha float64) {
	pix[0] = uint8(float64(c.R)*alpha + 0.5)
	pix[1] = uint8(float64(c.G)*alpha + 0.5)
	pix[2] = uint8(float64(c.B)*alpha + 0.5)
	pix[3] = uint8(255*alpha + 0.5)
}

// rowCache averages rows of cells along x. Neighbouring pixel rows share at
// most one row of cells when shrinking, two when growing.
type rowCache struct {
	f       *Field
	columns [][]overlap
	held    [2]int
	sums    [2][]float64
	covers  [2][]float64
}

// row returns Σ share·value and Σ share over the drawable cells of row j under
// each pixel.
func (c *rowCache) row(j int) (sum, cover []float64) {
	slot := j % 2
	if c.held[slot] == j {
		return c.sums[slot], c.covers[slot]
	}
	if c.sums[slot] == nil {
		c.sums[slot], c.covers[slot] = make([]float64, len(c.columns)), make([]float64, len(c.columns))
	}
	values := c.f.Values[j*c.f.Nx : (j+1)*c.f.Nx]
	sum, cover = c.sums[slot], c.covers[slot]
	for i, cells := range c.columns {
		var a, b float64
		for _, o := range cells {
			if v := values[o.cell]; finite(v) {
				a += o.share * v
				b += o.share
			}
		}
		sum[i], cover[i] = a, b
	}
	c.held[slot] = j
	return sum, cover
}
