package page

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// unpack is the head and the bytes of an array of packed numbers.
func unpack(t *testing.T, text, name string) (head map[string]any, array []byte) {
	t.Helper()
	b := []byte(text)
	n := binary.LittleEndian.Uint32(b)
	if err := json.Unmarshal(b[4:4+n], &head); err != nil {
		t.Fatal(err)
	}
	size := map[string]int{"u1": 1, "u4": 4, "f4": 4}
	for _, of := range head["Arrays"].([]any) {
		a := of.(map[string]any)
		from := 4 + int(n) + int(a["Offset"].(float64))
		if from%4 != 0 {
			t.Errorf("%v is not where numbers may be", a)
		}
		if a["Name"] == name {
			return head, b[from:][:int(a["Length"].(float64))*size[a["Type"].(string)]]
		}
	}
	t.Fatalf("there is no array %s in %v", name, head)
	return nil, nil
}

func floats(b []byte) (v []float32) {
	for i := 0; i < len(b); i += 4 {
		v = append(v, math.Float32frombits(binary.LittleEndian.Uint32(b[i:])))
	}
	return v
}

func TestAWishIsGrantedToAllWhoHaveIt(t *testing.T) {
	s, reader, folder := serve(t, Buttons{})
	if code, _, _ := get(t, reader, request(t, "GET", folder+"slice?quantity=speed&axis=2&at=0")); code != http.StatusNoContent {
		t.Errorf("before a run: %d", code)
	}
	s.Begin(Head{Case: "case"})
	if s.Wanted() {
		t.Error("nobody waits, and something is wanted")
	}
	var all sync.WaitGroup
	for k := range 5 {
		all.Add(1)
		go func() {
			defer all.Done()
			path := "slice?quantity=speed&axis=2&at=0.5"
			if k > 2 {
				path += "&lo=0&hi=4" // the same picture over another range
			}
			code, text, _ := get(t, reader, request(t, "GET", folder+path))
			if code != 200 {
				t.Errorf("reader %d: %d %s", k, code, text)
				return
			}
			head, values := unpack(t, text, "values")
			want := []byte{byteWall, byteLost, byteLeast, byteMost}
			if k > 2 {
				want = []byte{byteWall, byteLost, byteLeast, 65} // 2 + 253/4
			}
			if !slices.Equal(values, want) || head["Step"] != 7. || head["Lost"] != 1. || head["Least"] != 0. || head["Most"] != 1. {
				t.Errorf("reader %d: %v, %v", k, values, head)
			}
		}()
	}
	eventually(t, "a wish", func() bool { return s.Wanted() })
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	for waiting := true; waiting; {
		for _, of := range s.Wishes() {
			if of != (Wish{"speed", 2, 0.5}) {
				t.Errorf("somebody wishes %v", of)
			}
			s.Grant(of, &Slice{Step: 7, Size: [2]int{2, 2}, Axes: [2]int{0, 1}, Values: []float32{float32(math.NaN()), float32(math.Inf(1)), 0, 1}}, nil)
		}
		select {
		case <-done:
			waiting = false
		default:
		}
	}
}

func TestWishesAreFewAndEndWithTheRun(t *testing.T) {
	s, reader, folder := serve(t, Buttons{})
	s.Begin(Head{Case: "case"})
	for _, bad := range []string{"slice", "slice?quantity=speed&axis=3&at=0", "slice?quantity=speed&axis=2&at=NaN", "slice?quantity=speed&axis=2&at=0&lo=x", "series?table=x", "slice?axis=1&at=1"} {
		if code, _, _ := get(t, reader, request(t, "GET", folder+bad)); code != http.StatusBadRequest {
			t.Errorf("%s: %d", bad, code)
		}
	}
	var all sync.WaitGroup
	for k := range mostWishes {
		all.Add(1)
		go func() {
			defer all.Done()
			if code, _, _ := get(t, reader, request(t, "GET", folder+"slice?quantity=speed&axis=2&at="+string(rune('0'+k)))); code != http.StatusNoContent {
				t.Errorf("a wish that the end finds waiting is answered with %d", code)
			}
		}()
	}
	eventually(t, "so many wishes", func() bool { return len(s.Wishes()) == mostWishes })
	if code, _, h := get(t, reader, request(t, "GET", folder+"bodies")); code != http.StatusServiceUnavailable || h.Get("Retry-After") == "" {
		t.Errorf("one wish too many: %d", code)
	}
	s.End(Ending{Status: "done"})
	all.Wait()
	if s.Wanted() || len(s.Wishes()) > 0 {
		t.Error("something is wanted after the end")
	}
	if code, _, _ := get(t, reader, request(t, "GET", folder+"slice?quantity=speed&axis=2&at=0")); code != http.StatusNoContent {
		t.Errorf("after the end: %d", code)
	}
	if code, _, _ := get(t, reader, request(t, "GET", folder+"scene")); code != http.StatusNoContent {
		t.Errorf("a scene after the end: %d", code)
	}
}

func TestASceneIsMadeOnceSomebodyLooks(t *testing.T) {
	s, reader, folder := serve(t, Buttons{})
	s.Begin(Head{Case: "case", Dim: 3})
	if s.WantsScene() {
		t.Error("a scene is wanted before anybody looks")
	}
	go func() {
		for !s.WantsScene() || !s.Wanted() {
		}
		s.Show(&Scene{Rigid: []Surface{{Name: "body", Points: []float32{0, 0, 0, 1, 0, 0, 0, 1, 0}, Triangles: []uint32{0, 1, 2}, Moves: -1}}, Elastic: 2, Lines: []uint32{0, 1}})
	}()
	for range 2 {
		code, text, _ := get(t, reader, request(t, "GET", folder+"scene"))
		if code != 200 {
			t.Fatalf("%d %s", code, text)
		}
		if head, points := unpack(t, text, "rigid0"); !slices.Equal(floats(points), []float32{0, 0, 0, 1, 0, 0, 0, 1, 0}) || head["Elastic"] != 2. {
			t.Errorf("%v, %v", head, points)
		}
	}
	if s.WantsScene() {
		t.Error("it is wanted again")
	}
}

func TestRangesShowWhatIsThere(t *testing.T) {
	var v []float32
	for i := range 5000 {
		v = append(v, float32(i%100)/100-0.2)
	}
	v[17], v[4000] = 1e6, -1e6 // corners
	raster, from, to, least, most, _ := quantised(v, math.NaN(), math.NaN(), false)
	if from != float64(float32(-0.2)) || math.Abs(to-0.79) > 1e-6 || least != -1e6 || most != 1e6 || raster[17] != byteMost || raster[4000] != byteLeast {
		t.Errorf("from %v to %v, of %v to %v", from, to, least, most)
	}
	if _, from, to, _, _, _ = quantised(v, math.NaN(), math.NaN(), true); from != -to || math.Abs(to-0.79) > 1e-6 {
		t.Errorf("signed: from %v to %v", from, to)
	}
	for _, same := range [][]float32{{1, 1, 1}, {0}, nil, {float32(math.NaN())}, {float32(math.Inf(1))}} {
		if _, from, to, _, _, _ := quantised(same, math.NaN(), math.NaN(), false); !(to > from) {
			t.Errorf("%v: from %v to %v", same, from, to)
		}
	}
	if raster, _, _, _, _, _ := quantised([]float32{0.5}, 2, 1, false); len(raster) != 1 { // a range that is none
		t.Error("no picture")
	}
}

func TestRowsAreThinnedAndComeInPieces(t *testing.T) {
	s, reader, folder := serve(t, Buttons{})
	s.Begin(Head{Case: "case"})
	columns := []string{"t", "step", "body", "cd", "cl"}
	row := func(i int, body string) {
		s.Row("forces.csv", columns, []any{float64(i), int64(i), body, 2 * float64(i), math.NaN()})
	}
	for i := range 100 {
		row(i, "a")
		row(i, "b")
	}
	ask := func(query string) (head map[string]any, t0, cd []float32) {
		t.Helper()
		code, text, _ := get(t, reader, request(t, "GET", folder+"series?table=forces.csv&of=a&column=cd"+query))
		if code != 200 {
			t.Fatalf("%d %s", code, text)
		}
		head, b := unpack(t, text, "t")
		_, c := unpack(t, text, "cd")
		return head, floats(b), floats(c)
	}
	head, time, cd := ask("")
	if len(time) != 100 || cd[99] != 198 {
		t.Fatalf("%d rows, the last of %v", len(time), cd[len(cd)-1])
	}
	row(100, "a")
	mark := "&mark=" + head["Mark"].(string)
	if head, time, _ = ask("&from=100" + mark); len(time) != 1 || time[0] != 100 || head["From"] != 100. {
		t.Errorf("%v after %v", time, head)
	}
	for i := 101; i < 3*mostRows; i++ {
		row(i, "a")
	}
	head, time, cd = ask("&from=101" + mark) // thinned meanwhile: all come again
	if head["From"] != 0. || len(time) > mostRows || len(time) < mostRows/2 || head["Every"] != 4. {
		t.Errorf("%d rows, %v", len(time), head)
	}
	for k := range time {
		if time[k] != float32(4*k) || cd[k] != 2*time[k] {
			t.Fatalf("row %d is that of t = %v", k, time[k])
		}
	}
	s.Prepare()
	if code, _, _ := get(t, reader, request(t, "GET", folder+"series?table=forces.csv&of=a&column=cd")); code != http.StatusNoContent {
		t.Errorf("rows of a run before: %d", code)
	}
}

func TestTheReportHasItsStylesAndNothingElse(t *testing.T) {
	s, reader, folder := serve(t, Buttons{})
	path := filepath.Join(t.TempDir(), "report.html")
	const text = `<style>b { color: red }</style><i style="width: 3%">x</i><script>alert(1)</script>`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s.Begin(Head{Case: "case"})
	s.End(Ending{Status: "done", Report: path})
	s.Sweep("case", []SweepRun{{Name: "a"}, {Name: "b", Report: path}})
	for query, want := range map[string]int{"": 200, "?run=1": 200, "?run=0": 404, "?run=2": 404, "?run=-1": 404} {
		code, got, h := get(t, reader, request(t, "GET", folder+"report"+query))
		if code != want || want == 200 && got != text {
			t.Errorf("report%s: %d %q", query, code, got)
		}
		if p := h.Get("Content-Security-Policy"); want == 200 && (strings.Count(p, "'sha256-") != 2 || strings.Contains(p, "unsafe-inline") || strings.Contains(p, "script-src") || !strings.Contains(p, "frame-ancestors 'self'")) {
			t.Errorf("the policy is %q", p)
		}
	}
}
