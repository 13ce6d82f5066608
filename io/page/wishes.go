package page

import (
	"math"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"lbmib/internal/finite"
)

// Wish is what readers wait for: a picture of a quantity on a plane, or, with none, where bodies
// are (Quantity empty).
type Wish struct {
	Quantity string
	Axis     int     // that the plane is across; 2 in the plane
	At       float64 // where, L
}

// Slice is a picture: values at points of a plane, in rows along its first axis.
type Slice struct {
	Step     int64
	Time     float64 // L/U
	At       float64 // where the plane is, L
	Axes     [2]int  // along rows, and from row to row
	Size     [2]int
	Low      [2]float64 // of the corner of the first point's cell, L
	High     [2]float64
	Every    int       // each so-many-th node is there
	Values   []float32 // NaN in walls, infinite where the flow is lost
	Outlines [][][2]float64
	Lines    [][][2]float64 // open ones, and those that bend or hold the flow
}

// Bodies is where bodies are.
type Bodies struct {
	Step    int64
	Time    float64
	Rigid   []float32 // of each body of the scene that moves: its place and the rows of its rotation, 12 numbers
	Elastic []float32 // points of all that bends, of the scene's triangles and lines
	Tension []float32 // there, ρU²L, or of lines ρU²L^(d−1)
}

// Scene is what bodies look like. Places are in L.
type Scene struct {
	Rigid     []Surface // from the body's place, or where it is for one that is fixed
	Walls     []Surface
	Elastic   int      // points of all that bends
	Triangles []uint32 // of it, three numbers of points each
	Lines     []uint32 // likewise, two each
	Note      string   // what is left out
	First     *Bodies  // where bodies are now; nil: that is asked for
}

// Surface is triangles, or, without, points.
type Surface struct {
	Name      string
	Points    []float32
	Triangles []uint32
	Moves     int // which of Bodies.Rigid it is; −1: it is fixed
	Copies    int // bodies that are alike, from that one on; 0: it is one
}

// Bounds on wishes.
const (
	mostWishes = 4                // that are different
	wishWait   = 25 * time.Second // that a request waits before it is answered with nothing
)

// wishes are what readers wait for, and what the run has granted.
type wishes struct {
	mutex   sync.Mutex
	waiting map[Wish]*granted
	closed  bool
	scene   *Scene        // nil: the run has not told yet
	told    chan struct{} // closed when it has, or will not
	some    atomic.Bool   // wait
	unknown atomic.Bool   // a reader waits for the scene
}

// granted is what comes of a wish: a picture, or bodies, or, with neither, nothing.
type granted struct {
	done   chan struct{}
	slice  *Slice
	bodies *Bodies
}

func (w *wishes) init() { w.waiting, w.told, w.closed = map[Wish]*granted{}, make(chan struct{}), true }

// open takes wishes, of a run that begins.
func (w *wishes) open() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.dismiss()
	w.scene, w.told, w.closed = nil, make(chan struct{}), false
}

// end answers all that wait with nothing, and all that come.
func (w *wishes) end() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.dismiss()
	if !w.closed && w.scene == nil {
		close(w.told)
	}
	w.closed = true
}

func (w *wishes) dismiss() {
	for _, g := range w.waiting {
		close(g.done)
	}
	clear(w.waiting)
	w.some.Store(false)
	w.unknown.Store(false)
}

// ask waits for a wish with all who have the same. It is nil where there are too many others, or, closed, no run.
func (w *wishes) ask(of Wish) (g *granted, closed bool) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	g = w.waiting[of]
	if g != nil || w.closed || len(w.waiting) >= mostWishes {
		return g, w.closed
	}
	g = &granted{done: make(chan struct{})}
	w.waiting[of] = g
	w.some.Store(true)
	return g, false
}

// Wanted tells whether a reader waits for something. It costs next to nothing.
func (s *Server) Wanted() bool { return s.wishes.some.Load() || s.wishes.unknown.Load() }

// Wishes are what readers wait for, at most a few.
func (s *Server) Wishes() (all []Wish) {
	w := &s.wishes
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for of := range w.waiting {
		all = append(all, of)
	}
	return all
}

// Grant gives readers what they wait for: a slice, or bodies, or, with neither, nothing. The server keeps what it is given.
func (s *Server) Grant(of Wish, slice *Slice, bodies *Bodies) {
	w := &s.wishes
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if g := w.waiting[of]; g != nil {
		g.slice, g.bodies = slice, bodies
		close(g.done)
		delete(w.waiting, of)
	}
	w.some.Store(len(w.waiting) > 0)
}

// WantsScene tells whether a reader waits to be told what bodies look like.
func (s *Server) WantsScene() bool { return s.wishes.unknown.Load() }

// Show tells what bodies look like, once a run.
func (s *Server) Show(scene *Scene) {
	w := &s.wishes
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.scene == nil && !w.closed {
		close(w.told)
	}
	w.scene = scene
	w.unknown.Store(false)
}

// await waits until a wish is granted, and answers itself where it is not.
func (s *Server) await(w http.ResponseWriter, r *http.Request, of Wish) *granted {
	g, closed := s.wishes.ask(of)
	switch {
	case closed:
		w.WriteHeader(http.StatusNoContent) // no run is under way
		return nil
	case g == nil:
		w.Header().Set("Retry-After", "1")
		http.Error(w, "too much is asked for at once", http.StatusServiceUnavailable)
		return nil
	}
	if !s.pause(r, time.After(wishWait), g.done) {
		return nil
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writePatience))
	select {
	case <-g.done:
	default:
		w.WriteHeader(http.StatusNoContent) // ask again
		return nil
	}
	if g.slice == nil && g.bodies == nil {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return g
}

// slice answers with a picture as bytes: of a range that is asked for by lo and hi, or its own.
func (s *Server) slice(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	of := Wish{Quantity: q.Get("quantity")}
	var err error
	if of.Axis, err = strconv.Atoi(q.Get("axis")); err != nil || of.Axis < 0 || of.Axis > 2 || of.Quantity == "" || len(of.Quantity) > 64 {
		http.Error(w, "slice: needs quantity, and axis 0, 1 or 2", http.StatusBadRequest)
		return
	}
	if of.At, err = strconv.ParseFloat(q.Get("at"), 64); err != nil || !finite.Is(of.At) {
		http.Error(w, "slice: at must be a number, in L", http.StatusBadRequest)
		return
	}
	lo, hi := math.NaN(), math.NaN()
	for name, v := range map[string]*float64{"lo": &lo, "hi": &hi} {
		if text := q.Get(name); text != "" {
			if *v, err = strconv.ParseFloat(text, 64); err != nil || !finite.Is(*v) {
				http.Error(w, "slice: lo and hi must be numbers", http.StatusBadRequest)
				return
			}
		}
	}
	g := s.await(w, r, of)
	if g == nil || g.slice == nil {
		return
	}
	f := g.slice
	raster, lo, hi, least, most, lost := quantised(f.Values, lo, hi, q.Get("signed") != "")
	var p packed
	p.bytes("values", raster)
	p.write(w, map[string]any{
		"Step": f.Step, "Time": f.Time, "Axes": f.Axes, "At": f.At, "Size": f.Size, "Low": f.Low, "High": f.High, "Every": f.Every,
		"From": number(lo), "To": number(hi), "Least": number(least), "Most": number(most), "Lost": lost,
		"Outlines": rounded(f.Outlines), "Lines": rounded(f.Lines),
	})
}

// bodies answers with where bodies are.
func (s *Server) bodies(w http.ResponseWriter, r *http.Request) {
	g := s.await(w, r, Wish{})
	if g == nil || g.bodies == nil {
		return
	}
	var p packed
	g.bodies.pack(&p)
	p.write(w, map[string]any{"Step": g.bodies.Step, "Time": g.bodies.Time})
}

func (b *Bodies) pack(p *packed) {
	p.floats("rigid", b.Rigid)
	p.floats("elastic", b.Elastic)
	p.floats("tension", b.Tension)
}

// scene answers with what bodies look like, once the run has told.
func (s *Server) scene(w http.ResponseWriter, r *http.Request) {
	s.wishes.mutex.Lock()
	told := s.wishes.told
	s.wishes.unknown.Store(s.wishes.scene == nil && !s.wishes.closed)
	s.wishes.mutex.Unlock()
	if !s.pause(r, time.After(wishWait), told) {
		return
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writePatience))
	s.wishes.mutex.Lock()
	scene := s.wishes.scene
	s.wishes.mutex.Unlock()
	if scene == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	var p packed
	surfaces := func(kind string, all []Surface) (told []map[string]any) {
		for i, of := range all {
			name := kind + strconv.Itoa(i)
			p.floats(name, of.Points)
			p.indices(name+"t", of.Triangles)
			told = append(told, map[string]any{"Name": of.Name, "Moves": of.Moves, "Copies": of.Copies, "Points": name, "Triangles": name + "t"})
		}
		return told
	}
	head := map[string]any{"Rigid": surfaces("rigid", scene.Rigid), "Walls": surfaces("wall", scene.Walls), "Elastic": scene.Elastic, "Note": scene.Note}
	p.indices("triangles", scene.Triangles)
	p.indices("lines", scene.Lines)
	if scene.First != nil {
		scene.First.pack(&p)
	}
	p.write(w, head)
}

// rounded are outlines to a ten-thousandth, which is finer than any screen.
func rounded(lines [][][2]float64) [][][2]float64 {
	out := make([][][2]float64, len(lines))
	for i, line := range lines {
		out[i] = make([][2]float64, len(line))
		for k, x := range line {
			for a := range x {
				out[i][k][a] = math.Round(x[a]*1e4) / 1e4
			}
		}
	}
	return out
}
