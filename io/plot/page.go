package plot

import (
	"fmt"
	"image"
	imagedraw "image/draw"
	"image/png"
	"io"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"lbmib/internal/durable"
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

// save writes the page as a PNG.
func (p *page) save(path string) error {
	if err := durable.Write(path, func(w io.Writer) error { return png.Encode(w, p.img) }); err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	return nil
}
