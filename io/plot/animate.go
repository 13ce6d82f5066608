package plot

import (
	"fmt"
	"image"
	"image/color"
	imagedraw "image/draw"
	"image/gif"
	"io"

	"lbmib/internal/durable"
)

// AutoRange is that which a map of the field chooses for its colours, so that maps of several instants can share one.
func (f *Field) AutoRange() [2]float64 {
	s := newScale(f)
	return [2]float64{s.lo, s.hi}
}

// MapImage is FieldMap as an image of half the width and height, on which text can still be read.
func MapImage(f *Field) (*image.RGBA, error) {
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("plot: %w", err)
	}
	return halved(drawMap(f).img), nil
}

// halved is an image of half the width and height, each pixel the mean of four.
func halved(from image.Image) *image.RGBA {
	b := from.Bounds()
	w, h := b.Dx()/2, b.Dy()/2
	full := image.NewRGBA(image.Rect(0, 0, 2*w, 2*h))
	imagedraw.Draw(full, full.Bounds(), from, b.Min, imagedraw.Src)
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			for c := range 4 {
				sum := 2
				for k := range 4 {
					sum += int(full.Pix[full.PixOffset(2*x+k%2, 2*y+k/2)+c])
				}
				out.Pix[out.PixOffset(x, y)+c] = uint8(sum / 4)
			}
		}
	}
	return out
}

// Animation is a GIF of maps that share the colours of the first.
type Animation struct {
	gif    gif.GIF
	colors color.Palette
	index  map[color.RGBA]uint8
	delay  int // hundredths of a second
}

// Colours of an animation: those of the scale, and greys for letters, axes and bodies. A GIF has 256.
const scaleColors, greyColors = 208, 48

// NewAnimation begins one of so many pictures a second, with the colours of a field.
func NewAnimation(f *Field, perSecond int) *Animation {
	a := &Animation{index: map[color.RGBA]uint8{}, delay: 100 / perSecond}
	s := newScale(f)
	for k := range scaleColors {
		a.colors = append(a.colors, s.colors[k*(shades-1)/(scaleColors-1)])
	}
	for k := range greyColors {
		a.colors = append(a.colors, color.Gray{Y: uint8(k * 255 / (greyColors - 1))})
	}
	return a
}

// Add adds a picture, cut or filled with white to the size of the first.
func (a *Animation) Add(frame *image.RGBA) {
	bounds := frame.Bounds()
	if len(a.gif.Image) > 0 {
		bounds = a.gif.Image[0].Bounds()
	}
	p := image.NewPaletted(bounds, a.colors)
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := color.RGBA{255, 255, 255, 255}
			if (image.Point{X: x, Y: y}).In(frame.Bounds()) {
				c = frame.RGBAAt(x, y)
			}
			i, known := a.index[c]
			if !known {
				i = uint8(a.colors.Index(c))
				a.index[c] = i
			}
			p.Pix[p.PixOffset(x, y)] = i
		}
	}
	a.gif.Image, a.gif.Delay = append(a.gif.Image, p), append(a.gif.Delay, a.delay)
}

// Save writes the animation, which begins again for ever; it replaces path when it is complete.
func (a *Animation) Save(path string) error {
	if err := durable.Write(path, func(w io.Writer) error { return gif.EncodeAll(w, &a.gif) }); err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	return nil
}
