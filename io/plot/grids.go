package plot

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Grids is a domain with the nested grids that it is computed on, its faces and its bodies: a flow in the plane in one view; in space
// sections in three, of x and y, of z and y to the right of it, and of x and z below.
type Grids struct {
	Title  string
	Note   string     // below the title, in small print
	Levels []string   // what is said of each in the legend, the coarsest first
	Views  []GridView // 1 or 3
}

// GridView is a section of the domain. All lengths are in L.
type GridView struct {
	X, Y      string // labels of the axes
	Low, High [2]float64
	Faces     [4]string      // what they are, left, right, bottom and top
	Boxes     []GridBox      // that it cuts, coarser ones before the finer ones in them; the domain is not among them
	Ranks     []RankBox      // who has what of each level; nil: it is not divided
	Shadow    []RankBox      // of fluid that fills little of the domain, seen along the third axis, and whose it is
	Coarsest  float64        // width of the nodes of the coarsest grid
	Outlines  [][][2]float64 // of bodies, closed, filled grey
	Lines     [][][2]float64 // of bodies that hold the flow, and of open ones
}

// GridBox is a box of finer nodes.
type GridBox struct {
	Level     int // from 1
	Low, High [2]float64
	Width     float64 // of its nodes
}

// RankBox is what a rank has of a view.
type RankBox struct {
	Rank      int
	Level     int // of whose nodes it is
	Low, High [2]float64
}

const (
	gridArea  = 0.6e6 // pixels of the domain that are aimed at, all views together
	meshPixel = 9     // pixels between the lines of the finest grid, at least
	gapViews  = vg.Length(16)
	longGrids = 24 // sides of a view are at most so much longer than short ones, else the picture is not to scale
)

// levelColors are of levels, the coarsest first; faceStyle is how a face is drawn, by its number in the legend.
var levelColors = []color.Color{
	color.RGBA{0xf6, 0xf8, 0xfb, 0xff}, color.RGBA{0xdb, 0xe7, 0xf3, 0xff}, color.RGBA{0xb4, 0xcf, 0xe6, 0xff}, color.RGBA{0x8a, 0xb5, 0xd8, 0xff},
	color.RGBA{0x63, 0x9b, 0xc9, 0xff}, color.RGBA{0x47, 0x82, 0xb5, 0xff}, color.RGBA{0x31, 0x6a, 0x9e, 0xff}, color.RGBA{0x20, 0x54, 0x86, 0xff}, color.RGBA{0x12, 0x40, 0x6c, 0xff},
}

var (
	meshStyle = draw.LineStyle{Color: color.RGBA{0x5a, 0x78, 0x96, 0xff}, Width: 0.35}
	boxStyle  = draw.LineStyle{Color: color.RGBA{0x1c, 0x44, 0x6e, 0xff}, Width: 1.1}
)

func faceStyle(i int) draw.LineStyle {
	s := lineStyle(i)
	s.Color, s.Width = lineColors[(i+1)%len(lineColors)], 3.2
	return s
}

// DrawGrids draws the grids to scale, with lines every so many nodes of each level, the same number on all. The picture replaces path when it is complete.
//
// An error names path and what is wrong: not one view or three, a domain or box that is empty or not finite, or the failure to write.
func DrawGrids(path string, g *Grids) error {
	if err := g.check(); err != nil {
		return fmt.Errorf("plot: %s: %w", path, err)
	}
	return g.draw().save(path)
}

func (g *Grids) check() error {
	if len(g.Views) != 1 && len(g.Views) != 3 {
		return fmt.Errorf("%d views of grids: pass one of a plane, or three of a space", len(g.Views))
	}
	for i := range g.Views {
		v := &g.Views[i]
		if !(v.Coarsest > 0) || !sound(v.Low, v.High) {
			return fmt.Errorf("view %d: a domain from %v to %v with nodes %g wide: pass corners in order, and a width > 0", i, v.Low, v.High, v.Coarsest)
		}
		for _, b := range v.Ranks {
			if b.Rank < 0 || !sound(b.Low, b.High) {
				return fmt.Errorf("view %d: a box of rank %d from %v to %v: pass corners in order, and ranks from 0", i, b.Rank, b.Low, b.High)
			}
		}
		for _, b := range v.Boxes {
			if b.Level < 1 || !(b.Width > 0) || !sound(b.Low, b.High) {
				return fmt.Errorf("view %d: a box of level %d from %v to %v with nodes %g wide: pass corners in order, a level and a width > 0", i, b.Level, b.Low, b.High, b.Width)
			}
		}
	}
	return nil
}

func sound(low, high [2]float64) bool {
	for a := range low {
		if !finite(low[a]) || !finite(high[a]) || !(low[a] < high[a]) {
			return false
		}
	}
	return true
}

// gridLayout is where everything of a picture of grids is.
type gridLayout struct {
	header        header
	width, height vg.Length
	views         []axes
	every         float64 // nodes between lines
	faces         []string
}

func (g *Grids) draw() *page {
	l := g.layout()
	p := newPage(l.width, l.height)
	l.header.draw(p, l.width/2, l.height-margin, l.width-2*margin)
	for i := range g.Views {
		v, a := &g.Views[i], &l.views[i]
		p.FillPolygon(levelColors[0], rectangle(a.data))
		l.mesh(p, a, v.Low, v.High, v.Low, v.Coarsest)
		for k, b := range v.Boxes {
			if k == 0 || b.Level > v.Boxes[k-1].Level {
				a.ranks(p, v.Ranks, b.Level-1)
			}
			c := a.clip(p)
			corners := rectangle(vg.Rectangle{Min: a.at(b.Low[0], b.Low[1]), Max: a.at(b.High[0], b.High[1])})
			c.FillPolygon(levelColors[min(b.Level, len(levelColors)-1)], corners)
			l.mesh(p, a, b.Low, b.High, v.Low, b.Width)
			p.StrokeLines(boxStyle, append(corners, corners[0], corners[1]))
		}
		a.ranks(p, v.Ranks, v.finest())
		a.shadows(p, v.Shadow)
		a.rankNumbers(p, v.Ranks)
		a.bodies(p, v.Outlines, true)
		a.bodies(p, v.Lines, false)
		a.draw(p)
		l.drawFaces(p, a, v)
	}
	return p
}

// rectangle are the corners of one.
func rectangle(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
}

// mesh draws lines between the nodes of a box, counted from the corner of the domain.
func (l *gridLayout) mesh(p *page, a *axes, low, high, from [2]float64, width float64) {
	step := l.every * width
	for axis := range low {
		first := math.Floor((low[axis]-from[axis])/step+1e-6) + 1
		for k := first; from[axis]+k*step < high[axis]-1e-6*step; k++ {
			at := from[axis] + k*step
			begin, end := a.at(at, low[1]), a.at(at, high[1])
			if axis == 1 {
				begin, end = a.at(low[0], at), a.at(high[0], at)
			}
			p.StrokeLine2(meshStyle, begin.X, begin.Y, end.X, end.Y)
		}
	}
}

// drawFaces draws the faces of the domain over the frame.
func (l *gridLayout) drawFaces(p *page, a *axes, v *GridView) {
	c := rectangle(a.data) // left bottom, right bottom, right top, left top
	for side, ends := range [4][2]vg.Point{{c[0], c[3]}, {c[1], c[2]}, {c[0], c[1]}, {c[3], c[2]}} {
		if i := slices.Index(l.faces, v.Faces[side]); i >= 0 {
			p.StrokeLine2(faceStyle(i), ends[0].X, ends[0].Y, ends[1].X, ends[1].Y)
		}
	}
}

// layout finds the scale, the same in all views, and where they are.
func (g *Grids) layout() *gridLayout {
	l := &gridLayout{views: make([]axes, len(g.Views))}
	l.header = header{title: g.Title, legend: g.legend(l)}
	sizes := g.sizes()
	wide, high := sizes[0][0], sizes[0][1]
	if len(sizes) == 3 {
		wide, high = wide+sizes[1][0], high+sizes[2][1]
	}
	scale := math.Sqrt(gridArea / (wide * high))
	scale = math.Min(scale, math.Min((maxSide-260)/wide, (maxSide-320)/high)) // pixels in L
	l.every = 1
	finest := math.Inf(1)
	for i := range g.Views {
		finest = math.Min(finest, g.Views[i].Coarsest)
		for _, b := range g.Views[i].Boxes {
			finest = math.Min(finest, b.Width)
		}
	}
	for l.every*finest*scale < meshPixel {
		l.every *= 2
	}
	l.header.note = g.Note
	if l.every > 1 {
		l.header.note = fmt.Sprintf("%s; lines every %g nodes", g.Note, l.every)
	}
	g.place(l, sizes, scale)
	return l
}

// sizes are those of the views, in L, none very slim beside the others.
func (g *Grids) sizes() (all [][2]float64) {
	longest := 0.
	for i := range g.Views {
		v := &g.Views[i]
		s := [2]float64{v.High[0] - v.Low[0], v.High[1] - v.Low[1]}
		longest = math.Max(longest, math.Max(s[0], s[1]))
		all = append(all, s)
	}
	for i := range all {
		for a := range all[i] {
			all[i][a] = math.Max(all[i][a], longest/longGrids)
		}
	}
	return all
}

// legend names levels and faces.
func (g *Grids) legend(l *gridLayout) (all []entry) {
	for i, name := range g.Levels {
		all = append(all, entry{name: name, area: true, fill: levelColors[min(i, len(levelColors)-1)]})
	}
	for i := range g.Views {
		for _, f := range g.Views[i].Faces {
			if f == "" || slices.Contains(l.faces, f) {
				continue
			}
			style := faceStyle(len(l.faces))
			l.faces = append(l.faces, f)
			all = append(all, entry{name: f, line: true, stroke: &style})
		}
	}
	return all
}

// place puts the views on the page.
func (g *Grids) place(l *gridLayout, sizes [][2]float64, scale float64) {
	length := func(x float64) vg.Length { return snap(vg.Length(x*scale) * px) }
	for i := range g.Views {
		v, a := &g.Views[i], &l.views[i]
		a.x = axis{min: v.Low[0], max: v.High[0], label: label{text: v.X}}
		a.y = axis{min: v.Low[1], max: v.High[1], label: label{text: v.Y}}
		a.x.mark(length(sizes[i][0]), tickSpacing)
		a.y.mark(length(sizes[i][1]), tickSpacing)
	}
	first := &l.views[0]
	left := snap(margin + first.y.room(true))
	right := margin + first.x.widest()/2
	below := snap(margin + first.x.room(false))
	w, h := length(sizes[0][0]), length(sizes[0][1])
	l.width = left + w + right
	bottom := below
	if len(g.Views) == 3 {
		side, under := &l.views[1], &l.views[2]
		left = snap(margin + max(first.y.room(true), under.y.room(true)))
		deep := length(sizes[1][0])
		bottom = snap(below + length(sizes[2][1]) + gapViews + first.x.room(false))
		across := left + w + snap(gapViews+side.y.room(true))
		side.data = vg.Rectangle{Min: vg.Point{X: across, Y: bottom}, Max: vg.Point{X: across + deep, Y: bottom + h}}
		under.data = vg.Rectangle{Min: vg.Point{X: left, Y: below}, Max: vg.Point{X: left + w, Y: below + length(sizes[2][1])}}
		l.width = across + deep + margin + max(side.x.widest()/2, margin/2)
	}
	first.data = vg.Rectangle{Min: vg.Point{X: left, Y: bottom}, Max: vg.Point{X: left + w, Y: bottom + h}}
	l.width = snap(max(l.width, 2*minWidth))
	if shift := snap((l.width - first.data.Max.X - right) / 2); len(g.Views) == 1 && shift > left {
		first.data.Min.X += shift - left
		first.data.Max.X += shift - left
	}
	l.height = snap(bottom + h + 4 + margin + l.header.height(l.width-2*margin) + capHeight/2*tickStyle.size)
}
