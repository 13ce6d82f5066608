package plot

import (
	"fmt"
	"image"
	imagedraw "image/draw"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Scene is surfaces and lines in a box, coloured by a value on their points, with a field on
// a plane across z that shines through where it lies in front of them.
type Scene struct {
	Title string // above the picture
	Label string // beside the colour bar of the surfaces

	Low, High [3]float64 // corners of the box, in L

	Surfaces []Surface

	// Slice is the field on the plane at Height along z, in greys with a colour bar of its
	// own below; nodes without a number are grey, as bodies are in maps, its outlines dark. nil: none.
	Slice  *Field
	Height float64
}

// Surface is triangles, or lines from point to point, between points in L. What lies outside
// of the box is drawn, too.
type Surface struct {
	Points    [][3]float64
	Triangles [][3]int  // numbers of points; both sides are seen
	Lines     [][]int   // likewise
	Values    []float64 // on the points, coloured from dark to bright
}

// SceneView draws a scene as seen from the front, from somewhat right and above, without
// perspective, with numbers along three edges of its box, at most some 1600 pixels wide. The
// picture replaces path when it is complete.
//
// An error names path and what is wrong: a box without extent, a point that is not finite or
// does not exist, values of another number than the points, a slice that FieldMap would
// refuse, or the failure to write.
func SceneView(path string, s *Scene) error {
	if err := s.check(); err != nil {
		return fmt.Errorf("plot: %s: %w", path, err)
	}
	return drawScene(s).save(path)
}

func (s *Scene) check() error {
	for a := range 3 {
		if !(finite(s.Low[a]) && finite(s.High[a]) && s.Low[a] < s.High[a]) {
			return fmt.Errorf("a box from %g to %g along %s: give two finite numbers, the lower one first", s.Low[a], s.High[a], "xyz"[a:a+1])
		}
	}
	for i := range s.Surfaces {
		if err := s.Surfaces[i].check(); err != nil {
			return fmt.Errorf("surface %d: %w", i, err)
		}
	}
	if s.Slice == nil {
		return nil
	}
	if !finite(s.Height) {
		return fmt.Errorf("height = %g of the slice is not finite: pass its place along z in L", s.Height)
	}
	return s.Slice.check()
}

func (s *Surface) check() error {
	if len(s.Values) != len(s.Points) {
		return fmt.Errorf("%d values for %d points: pass one value per point", len(s.Values), len(s.Points))
	}
	for i, p := range s.Points {
		if !finite(p[0]) || !finite(p[1]) || !finite(p[2]) {
			return fmt.Errorf("point %d: (%g, %g, %g) is not finite: leave the surface out if its place is lost", i, p[0], p[1], p[2])
		}
	}
	exists := func(i int) bool { return i >= 0 && i < len(s.Points) }
	for k, t := range s.Triangles {
		if !exists(t[0]) || !exists(t[1]) || !exists(t[2]) {
			return fmt.Errorf("triangle %d is between points %v: there are points 0 to %d", k, t, len(s.Points)-1)
		}
	}
	for k, line := range s.Lines {
		for _, i := range line {
			if !exists(i) {
				return fmt.Errorf("line %d has point %d: there are points 0 to %d", k, i, len(s.Points)-1)
			}
		}
	}
	return nil
}

// The direction to whoever looks, from the front towards the right and upwards.
const (
	viewAzimuth   = 25 * math.Pi / 180
	viewElevation = 22 * math.Pi / 180
)

// view is how a scene is projected: right and up on the page and towards whoever looks.
type view struct {
	right, up, near [3]float64
	low             [2]float64 // of the box, along right and up
	scale           float64    // pixels per L
	height          float64    // of the picture of the box, pixels
}

func newView(s *Scene, maxW, maxH float64) (v view, w, h float64) {
	sa, ca := math.Sincos(viewAzimuth)
	se, ce := math.Sincos(viewElevation)
	v.right, v.up, v.near = [3]float64{ca, 0, -sa}, [3]float64{-sa * se, ce, -ca * se}, [3]float64{sa * ce, se, ca * ce}
	high := [2]float64{math.Inf(-1), math.Inf(-1)}
	v.low = [2]float64{math.Inf(1), math.Inf(1)}
	for k := range 8 {
		p := s.corner(k)
		for i, at := range [2]float64{dot(p, v.right), dot(p, v.up)} {
			v.low[i], high[i] = math.Min(v.low[i], at), math.Max(high[i], at)
		}
	}
	across, along := high[0]-v.low[0], high[1]-v.low[1]
	v.scale = math.Min(math.Min(maxW/across, maxH/along), math.Sqrt(mapArea/(across*along)))
	w, v.height = math.Ceil(v.scale*across), math.Ceil(v.scale*along)
	return v, w, v.height
}

// corner is a corner of the box: bit a of k tells which along axis a.
func (s *Scene) corner(k int) (p [3]float64) {
	for a := range p {
		p[a] = s.Low[a]
		if k>>a&1 == 1 {
			p[a] = s.High[a]
		}
	}
	return p
}

// at is where a point lies in the picture of the box, in pixels from its upper left corner, and how near it is, in L.
func (v *view) at(p [3]float64) (x, y, near float64) {
	return v.scale * (dot(p, v.right) - v.low[0]), v.height - v.scale*(dot(p, v.up)-v.low[1]), dot(p, v.near)
}

func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// Room around the picture of the box for numbers and labels along its edges.
const (
	sceneLeft   = vg.Length(58)
	sceneBelow  = vg.Length(46)
	sceneRight  = vg.Length(44)
	sceneMost   = 1050 // pixels
	sceneHigher = 900
)

func drawScene(s *Scene) *page {
	v, w, h := newView(s, sceneMost, sceneHigher)
	boxW, boxH := vg.Length(w)*px, vg.Length(h)*px
	bars, surfaces, slice := s.bars()
	for _, b := range bars {
		b.mark(boxW, boxH)
	}
	head := header{title: s.Title}
	left, right, below := margin+sceneLeft, margin+sceneRight, margin+sceneBelow
	for _, b := range bars {
		if b.below {
			below += b.room()
		} else {
			right += b.room()
		}
	}
	width := snap(max(left+boxW+right, minWidth))
	p := newPage(width, snap(below+boxH+margin+head.height(width-2*margin)+tickStyle.size))
	head.draw(p, width/2, p.Max.Y-margin, width-2*margin)
	left, below = snap(left), snap(below)
	data := vg.Rectangle{Min: vg.Point{X: left, Y: below}, Max: vg.Point{X: left + boxW, Y: below + boxH}}
	f := sceneFrame{s, &v, data}
	f.edges(p, 0)
	area := p.pixels(data)
	// What sticks out of the box is seen as far as the page has room for it.
	around := area.Inset(-overhangPx).Intersect(p.img.Bounds())
	r := raster{scene: s, view: &v, surfaces: surfaces, slice: slice, origin: area.Min.Sub(around.Min), width: around.Dx(), height: around.Dy()}
	imagedraw.Draw(p.img, around, r.draw(), image.Point{}, imagedraw.Over)
	f.outlines(p)
	f.edges(p, 7)
	f.silhouette(p)
	f.numbers(p)
	for _, b := range bars {
		around := data
		around.Max.X += sceneRight
		b.place(around, data.Min.Y-sceneBelow)
		b.draw(p)
	}
	return p
}

// overhangPx is how far what sticks out of the box is seen.
const overhangPx = 40

// bars are the colour bars, of the surfaces if there are any and of the slice, and their scales.
func (s *Scene) bars() (bars []*colorBar, surfaces, slice *scale) {
	var values []float64
	for i := range s.Surfaces {
		values = append(values, s.Surfaces[i].Values...)
	}
	if len(values) > 0 {
		of := newScale(&Field{Values: values, Nx: len(values), Ny: 1})
		surfaces = &of
		bars = append(bars, &colorBar{scale: surfaces, label: s.Label})
	}
	if s.Slice != nil {
		of := newScale(s.Slice)
		of.colors = greys()
		slice = &of
		bars = append(bars, &colorBar{scale: slice, label: s.Slice.Label, below: true})
	}
	return bars, surfaces, slice
}

// sceneFrame draws the box of a scene on a page.
type sceneFrame struct {
	*Scene
	view *view
	data vg.Rectangle
}

func (f *sceneFrame) at(p [3]float64) vg.Point {
	x, y, _ := f.view.at(p)
	return vg.Point{X: f.data.Min.X + vg.Length(x)*px, Y: f.data.Min.Y + vg.Length(f.view.height-y)*px}
}

// edges draws the three edges at a corner: 0 is the one farthest away, 7 the nearest.
func (f *sceneFrame) edges(p *page, corner int) {
	style := draw.LineStyle{Color: guideColor, Width: frameWidth}
	from := f.at(f.corner(corner))
	for a := range 3 {
		to := f.at(f.corner(corner ^ 1<<a))
		p.StrokeLine2(style, from.X, from.Y, to.X, to.Y)
	}
}

// silhouette draws the six other edges.
func (f *sceneFrame) silhouette(p *page) {
	var line []vg.Point
	for _, k := range [...]int{4, 5, 1, 3, 2, 6, 4, 5} {
		line = append(line, f.at(f.corner(k)))
	}
	p.StrokeLines(markStyle, line)
}

// outlines draws those of bodies in the slice, as far as they lie in the box: a body across a periodic face has an outline beyond either end.
func (f *sceneFrame) outlines(p *page) {
	if f.Slice == nil {
		return
	}
	for _, lines := range [...][][][2]float64{f.Slice.Outlines, f.Slice.Lines} {
		for _, line := range lines {
			var pts []vg.Point
			for k, x := range line {
				from, to, some := clipped(x, line[(k+1)%len(line)], [2]float64{f.Low[0], f.Low[1]}, [2]float64{f.High[0], f.High[1]})
				if !some {
					continue
				}
				a, b := f.at([3]float64{from[0], from[1], f.Height}), f.at([3]float64{to[0], to[1], f.Height})
				if n := len(pts); n == 0 || pts[n-1] != a {
					p.StrokeLines(bodyStyle, pts)
					pts = append(pts[:0], a)
				}
				pts = append(pts, b)
			}
			p.StrokeLines(bodyStyle, pts)
		}
	}
}

// clipped is what of a line from a to b lies in a rectangle.
func clipped(a, b, low, high [2]float64) (from, to [2]float64, some bool) {
	begin, end := 0., 1.
	for k := range a {
		d := b[k] - a[k]
		if d == 0 {
			if a[k] < low[k] || a[k] > high[k] {
				return a, b, false
			}
			continue
		}
		in, out := (low[k]-a[k])/d, (high[k]-a[k])/d
		begin, end = max(begin, min(in, out)), min(end, max(in, out))
	}
	if begin >= end {
		return a, b, false
	}
	from, to = a, b
	for k := range a {
		if begin > 0 {
			from[k] = a[k] + begin*(b[k]-a[k])
		}
		if end < 1 {
			to[k] = a[k] + end*(b[k]-a[k])
		}
	}
	return from, to, true
}

// numbers writes marks, numbers and labels along the lower front edge (x), the left front edge (y) and the
// lower right edge (z).
func (f *sceneFrame) numbers(p *page) {
	corner := f.corner(4) // left, below, in front
	right := f.corner(5)
	half := capHeight / 2 * tickStyle.size
	for a, along := range [3][3]float64{corner, corner, right} {
		from, to := along, along
		from[a], to[a] = f.Low[a], f.High[a]
		p0, p1 := f.at(from), f.at(to)
		length := vg.Length(math.Hypot(float64(p1.X-p0.X), float64(p1.Y-p0.Y)))
		ax := axis{min: f.Low[a], max: f.High[a], label: label{text: "xyz"[a:a+1] + " / L"}}
		ax.mark(length, 0.8*tickSpacing)
		for _, t := range ax.ticks {
			x := along
			x[a] = t.at
			at := f.at(x)
			switch a {
			case 0:
				p.StrokeLine2(markStyle, at.X, at.Y, at.X, at.Y-tickLength)
				p.text(tickStyle, vg.Point{X: at.X, Y: at.Y - tickLength - tickGap - 2*half}, 0.5, t.label, false)
			case 1:
				p.StrokeLine2(markStyle, at.X, at.Y, at.X-tickLength, at.Y)
				p.text(tickStyle, vg.Point{X: at.X - tickLength - tickGap, Y: at.Y - half}, 1, t.label, false)
			default:
				p.StrokeLine2(markStyle, at.X, at.Y, at.X+tickLength, at.Y)
				p.text(tickStyle, vg.Point{X: at.X + tickLength + tickGap, Y: at.Y - 2*half}, 0, t.label, false)
			}
		}
		middle := vg.Point{X: (p0.X + p1.X) / 2, Y: (p0.Y + p1.Y) / 2}
		numbers := tickLength + tickGap + ax.widest() + labelGap
		switch a {
		case 0:
			middle.Y -= tickLength + tickGap + labelGap + (capHeight+0.2)*tickStyle.size + capHeight*labelStyle.size
			ax.label.draw(p, middle, false)
		case 1:
			middle.X -= numbers
			ax.label.draw(p, middle, true)
		default:
			p.text(labelStyle, vg.Point{X: middle.X + numbers*0.8, Y: middle.Y - labelGap - capHeight*(tickStyle.size+labelStyle.size)}, 0, ax.label.text, false)
		}
	}
}
