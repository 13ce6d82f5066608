package plot

import (
	"image"
	"image/color"
	"math"
)

// raster draws surfaces, lines and the slice of a scene by a depth buffer, band by band of rows, so that it needs
// little memory, each pixel the mean of finer ones.
type raster struct {
	scene           *Scene
	view            *view
	surfaces, slice *scale
	origin          image.Point // of the picture of the box
	width, height   int         // pixels

	corners [][]rasterPoint // of each surface
	depth   []float64       // of the band at hand
	colors  [][3]float64
}

const (
	finer      = 2  // pixels along either side of one
	bandHeight = 16 // rows of pixels
	lineRadius = 2.2 * finer

	sliceOver = 0.5 // of the slice in front of a surface
)

// rasterPoint is a point of a surface in finer pixels.
type rasterPoint struct {
	x, y, near, value float64
	normal            [3]float64
}

func (r *raster) draw() *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, r.width, r.height))
	for i := range r.scene.Surfaces {
		r.corners = append(r.corners, r.project(&r.scene.Surfaces[i]))
	}
	r.depth, r.colors = make([]float64, finer*finer*r.width*bandHeight), make([][3]float64, finer*finer*r.width*bandHeight)
	for row := 0; row < r.height; row += bandHeight {
		rows := min(bandHeight, r.height-row)
		for k := range r.depth {
			r.depth[k] = math.Inf(-1)
		}
		for i := range r.scene.Surfaces {
			s := &r.scene.Surfaces[i]
			for _, t := range s.Triangles {
				r.triangle(&r.corners[i][t[0]], &r.corners[i][t[1]], &r.corners[i][t[2]], finer*row, finer*rows)
			}
			for _, line := range s.Lines {
				for k := 1; k < len(line); k++ {
					r.line(&r.corners[i][line[k-1]], &r.corners[i][line[k]], finer*row, finer*rows)
				}
			}
		}
		r.resolve(img, row, rows)
	}
	return img
}

// project is the points of a surface on the page, with normals that are means of those of the triangles around.
func (r *raster) project(s *Surface) []rasterPoint {
	all := make([]rasterPoint, len(s.Points))
	for i, p := range s.Points {
		x, y, near := r.view.at(p)
		all[i] = rasterPoint{x: finer * (x + float64(r.origin.X)), y: finer * (y + float64(r.origin.Y)), near: near, value: s.Values[i]}
	}
	for _, t := range s.Triangles {
		a, b := apart(s.Points[t[1]], s.Points[t[0]]), apart(s.Points[t[2]], s.Points[t[0]])
		n := [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
		for _, i := range t {
			for c := range n {
				all[i].normal[c] += n[c]
			}
		}
	}
	return all
}

func apart(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// triangle fills the finer pixels of a triangle in a band that begins at row first.
func (r *raster) triangle(a, b, c *rasterPoint, first, rows int) {
	wide := finer * r.width
	y0 := max(int(math.Ceil(min(a.y, b.y, c.y)-0.5)), first)
	y1 := min(int(math.Floor(max(a.y, b.y, c.y)-0.5)), first+rows-1)
	x0 := max(int(math.Ceil(min(a.x, b.x, c.x)-0.5)), 0)
	x1 := min(int(math.Floor(max(a.x, b.x, c.x)-0.5)), wide-1)
	whole := (b.x-a.x)*(c.y-a.y) - (c.x-a.x)*(b.y-a.y)
	if y0 > y1 || x0 > x1 || whole == 0 {
		return
	}
	for j := y0; j <= y1; j++ {
		y := float64(j) + 0.5
		for i := x0; i <= x1; i++ {
			x := float64(i) + 0.5
			u := ((x-a.x)*(c.y-a.y) - (c.x-a.x)*(y-a.y)) / whole
			v := ((b.x-a.x)*(y-a.y) - (x-a.x)*(b.y-a.y)) / whole
			w := 1 - u - v
			if u < 0 || v < 0 || w < 0 {
				continue
			}
			at := (j-first)*wide + i
			if near := w*a.near + u*b.near + v*c.near; near > r.depth[at] {
				r.depth[at] = near
				var n [3]float64
				for k := range n {
					n[k] = w*a.normal[k] + u*b.normal[k] + v*c.normal[k]
				}
				r.colors[at] = r.lit(w*a.value+u*b.value+v*c.value, r.view.shade(n))
			}
		}
	}
}

// line fills the finer pixels of a segment, as wide as two pixels or so.
func (r *raster) line(a, b *rasterPoint, first, rows int) {
	if max(a.y, b.y) < float64(first)-lineRadius || min(a.y, b.y) > float64(first+rows)+lineRadius {
		return
	}
	wide := finer * r.width
	count := int(math.Hypot(b.x-a.x, b.y-a.y)) + 1
	for k := range count + 1 {
		f := float64(k) / float64(count)
		x, y, near, value := a.x+f*(b.x-a.x), a.y+f*(b.y-a.y), a.near+f*(b.near-a.near), a.value+f*(b.value-a.value)
		for j := max(int(y-lineRadius), first); j <= min(int(y+lineRadius), first+rows-1); j++ {
			for i := max(int(x-lineRadius), 0); i <= min(int(x+lineRadius), wide-1); i++ {
				at := (j-first)*wide + i
				if math.Hypot(float64(i)+0.5-x, float64(j)+0.5-y) <= lineRadius && near > r.depth[at] {
					r.depth[at], r.colors[at] = near, r.lit(value, 1)
				}
			}
		}
	}
}

// shade is how bright a surface with a normal is: both sides are, most where the light from the upper left falls.
func (v *view) shade(n [3]float64) float64 {
	size := math.Sqrt(dot(n, n))
	if size == 0 {
		return 1
	}
	if dot(n, v.near) < 0 {
		size = -size
	}
	light := (0.75*dot(n, v.near) + 0.55*dot(n, v.up) - 0.37*dot(n, v.right)) / size
	return 0.42 + 0.58*math.Max(0, light)
}

// lit is the colour of a value, 0 to 255.
func (r *raster) lit(value, shade float64) [3]float64 {
	if !finite(value) {
		value = r.surfaces.lo
	}
	return times(r.surfaces.color(value), shade)
}

func times(c color.RGBA, by float64) [3]float64 {
	return [3]float64{by * float64(c.R), by * float64(c.G), by * float64(c.B)}
}

// resolve puts the slice into a band and stores the means of the finer pixels.
func (r *raster) resolve(img *image.RGBA, row, rows int) {
	wide := finer * r.width
	for j := range rows {
		for i := range r.width {
			var sum [3]float64
			covered := 0.
			for k := range finer * finer {
				x, y := finer*i+k%finer, finer*j+k/finer
				at := y*wide + x
				c, some := r.colors[at], !math.IsInf(r.depth[at], -1)
				if of, near, there := r.sliceAt(float64(x)+0.5, float64(finer*row+y)+0.5); there && near > r.depth[at] {
					share := 1.
					if some {
						share = sliceOver
					}
					for a := range c {
						c[a] = share*of[a] + (1-share)*c[a]
					}
					some = true
				}
				if some {
					covered++
					for a := range c {
						sum[a] += c[a]
					}
				}
			}
			if covered > 0 {
				pix := img.Pix[img.PixOffset(i, row+j):]
				for a := range sum {
					pix[a] = uint8(math.Min(255, sum[a]/(finer*finer)+0.5))
				}
				pix[3] = uint8(255*covered/(finer*finer) + 0.5)
			}
		}
	}
}

// sliceAt is the colour of the slice at a finer pixel, and how near it is there.
func (r *raster) sliceAt(x, y float64) (c [3]float64, near float64, there bool) {
	f := r.scene.Slice
	if f == nil {
		return c, 0, false
	}
	v := r.view
	across := (x/finer-float64(r.origin.X))/v.scale + v.low[0]
	upwards := (v.height-(y/finer-float64(r.origin.Y)))/v.scale + v.low[1]
	p := [3]float64{2: r.scene.Height}
	p[0] = (across - p[2]*v.right[2]) / v.right[0]
	p[1] = (upwards - p[0]*v.up[0] - p[2]*v.up[2]) / v.up[1]
	i, j := int(math.Floor((p[0]-f.Origin[0])/f.Spacing[0]+0.5)), int(math.Floor((p[1]-f.Origin[1])/f.Spacing[1]+0.5))
	if i < 0 || j < 0 || i >= f.Nx || j >= f.Ny {
		return c, 0, false
	}
	value := f.Values[i+f.Nx*j]
	if !finite(value) {
		return times(color.RGBA{bodyFill.Y, bodyFill.Y, bodyFill.Y, 255}, 1), dot(p, v.near), true
	}
	return times(r.slice.color(value), 1), dot(p, v.near), true
}
