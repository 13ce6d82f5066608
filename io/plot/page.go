package plot

import (
	"bufio"
	"fmt"
	"image"
	imagedraw "image/draw"
	"image/png"
	"os"
	"sync/atomic"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// dpi makes one pixel half a point: 1600 pixels are 800 points, so that text
// of 12 points stays readable when the picture is shown at half its size.
const (
	dpi     = 144
	px      = vg.Inch / dpi
	maxSide = 1600 // pixels
	margin  = vg.Length(10)
)

// page is a white raster with a vector canvas on it; x runs right and y up.
type page struct {
	draw.Canvas
	img      imagedraw.Image
	heightPx int
}

// newPage makes a page of the given size, rounded up to whole pixels.
func newPage(width, height vg.Length) *page {
	w, h := ceilPx(width), ceilPx(height)
	c := vgimg.NewWith(vgimg.UseWH(vg.Length(w)*px, vg.Length(h)*px), vgimg.UseDPI(dpi))
	return &page{Canvas: draw.New(c), img: c.Image(), heightPx: h}
}

// pixels is the rectangle of whole pixels that r covers, y down.
func (p *page) pixels(r vg.Rectangle) image.Rectangle {
	return image.Rect(roundPx(r.Min.X), p.heightPx-roundPx(r.Max.Y), roundPx(r.Max.X), p.heightPx-roundPx(r.Min.Y))
}

func roundPx(l vg.Length) int { return int(l/px + 0.5) }

func ceilPx(l vg.Length) int {
	n := int(l / px)
	if vg.Length(n)*px < l-1e-6 {
		n++
	}
	return n
}

// snap rounds a length up to whole pixels.
func snap(l vg.Length) vg.Length { return vg.Length(ceilPx(l)) * px }

// temporaries numbers the temporary files of this process.
var temporaries atomic.Int64

// save writes the page as a PNG beside path and renames it.
func (p *page) save(path string) error {
	temporary := fmt.Sprintf("%s.%d-%d.tmp", path, os.Getpid(), temporaries.Add(1))
	err := writePNG(temporary, p.img)
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		os.Remove(temporary)
		return fmt.Errorf("plot: %s: cannot write the picture: %w: check that its folder exists, is writable and has room", path, err)
	}
	return nil
}

func writePNG(name string, img image.Image) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	err = png.Encode(w, img)
	if err == nil {
		err = w.Flush()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
