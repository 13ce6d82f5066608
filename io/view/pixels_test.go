package view

import (
	"math"
	"testing"
)

func TestAveragesConserveTheIntegral(t *testing.T) {
	wave := func(i, j int) float64 { return math.Sin(0.3*float64(i)) + 0.1*float64(j*j%7) }
	for _, c := range [][4]int{{10, 10, 10, 10}, {97, 31, 29, 9}, {500, 240, 79, 38}, {7, 5, 70, 51}, {3, 4000, 1, 40}, {30, 7, 20, 9}} {
		nx, ny, width, height := c[0], c[1], c[2], c[3]
		p := of(nx, ny, 1, 1, wave)
		out := average(&p, width, height)
		want, got := 0., 0.
		for j := range ny {
			for i := range nx {
				want += wave(i, j) / float64(nx*ny)
			}
		}
		for k, v := range out.value {
			got += v / float64(width*height)
			if out.body[k] > 1e-12 {
				t.Fatalf("%v: pixel %d is body by %g without one", c, k, out.body[k])
			}
		}
		if math.Abs(got-want) > 1e-12 { // rounding of a sum
			t.Errorf("%v: mean %.15g, want %.15g", c, got, want)
		}
	}
}

func TestWallsCountByArea(t *testing.T) {
	p := of(6, 4, 1, 1, func(i, _ int) float64 {
		if i < 3 {
			return math.NaN()
		}
		return 2
	})
	out := average(&p, 3, 2) // the middle column of pixels is half wall
	for k, want := range []float64{1, 0.5, 0, 1, 0.5, 0} {
		if math.Abs(out.body[k]-want) > 1e-15 {
			t.Errorf("pixel %d: body %g, want %g", k, out.body[k], want)
		}
		if want < 1 && out.value[k] != 2 {
			t.Errorf("pixel %d: value %g of the fluid, want 2", k, out.value[k])
		}
	}
}

func TestRowsAreReadOnceAndInOrder(t *testing.T) {
	for _, height := range []int{1, 9, 30, 31, 32, 77} {
		next := 0
		p := Picture{Nx: 3, Ny: 31, Row: func(j int, values []float64) {
			if j != next || len(values) != 3 {
				t.Fatalf("%d pixel rows: row %d of %d values is read, want row %d of 3", height, j, len(values), next)
			}
			next++
		}}
		average(&p, 2, height)
		if next != 31 {
			t.Errorf("%d pixel rows: %d rows are read, want 31", height, next)
		}
	}
}

func TestBodiesCoverTheirArea(t *testing.T) {
	for name, c := range map[string]struct {
		outline [][2]float64
		area    float64 // in nodes², within the field
	}{
		"circle":           {circle(20, 12, 8), 201},
		"beyond a corner":  {circle(-0.5, -0.5, 8), 201. / 4},
		"rectangle":        {[][2]float64{{3, 4}, {13, 4}, {13, 9}, {3, 9}}, 50},
		"closed":           {[][2]float64{{3, 4}, {13, 4}, {13, 9}, {3, 9}, {3, 4}}, 50},
		"all of the field": {[][2]float64{{-1e8, -1e8}, {1e8, -1e8}, {1e8, 1e8}, {-1e8, 1e8}}, 40 * 30},
		"beside":           {circle(70, 12, 8), 0},
		"above":            {circle(20, 100, 8), 0},
		"below":            {circle(20, -100, 8), 0},
		"nothing":          {nil, 0},
		"a point":          {[][2]float64{{4, 4}}, 0},
	} {
		for _, magnified := range []float64{0.5, 1, 3} {
			out := &pixels{width: int(40 * magnified), height: int(30 * magnified)}
			out.body = make([]float64, out.width*out.height)
			out.cover(&Picture{Nx: 40, Ny: 30, Outlines: [][][2]float64{c.outline}})
			sum := 0.
			for _, share := range out.body {
				sum += share / magnified / magnified
			}
			// Scanlines miss at most a slice of their distance at either end; a
			// circle's are short there.
			if tolerance := 10 / magnified / scanlines; math.Abs(sum-c.area) > tolerance {
				t.Errorf("%s, magnified %g: area %g, want %g", name, magnified, sum, c.area)
			}
		}
	}
}

func TestBodySmallerThanAPixelLeavesATrace(t *testing.T) {
	p := of(400, 400, 10, 5, zero)
	p.Outlines = [][][2]float64{circle(200, 200, 10)}
	out := average(&p, 10, 10)
	out.cover(&p)
	if got := out.body[5*10+5] + out.body[5*10+4] + out.body[4*10+5] + out.body[4*10+4]; math.Abs(got-math.Pi*100/1600) > 0.05 { // scanlines
		t.Errorf("the four pixels around it are body by %g in all, want %g", got, math.Pi*100/1600)
	}
}
