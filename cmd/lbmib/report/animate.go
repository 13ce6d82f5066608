package report

import (
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"lbmib/internal/durable"
	"lbmib/io/plot"
)

// AnimationKinds are the formats of animations: a GIF is made by itself, the others by ffmpeg where it is.
var AnimationKinds = []string{"gif", "webm", "mp4"}

// framesPerSecond are those of an animation, mostFrames how many it has at most: of more states every so-many-th.
const framesPerSecond, mostFrames = 12, 600

// Animate draws a field at all steps that there are files of into a moving picture in the folder plots, with one range of colours, and returns the
// file. The field is the first that is asked for, else vorticity or what there is.
func Animate(d *Directory, c Choice, kind string) (file string, err error) {
	all, err := d.fieldFiles()
	if err != nil {
		return "", err
	}
	if len(all) < 2 {
		return "", fmt.Errorf("%s holds fields of %d steps, an animation needs at least 2: ask the case for more with output.fields.every, or every of a slice across z", d.Path, len(all))
	}
	stride := 1 + (len(all)-1)/mostFrames
	a := &animator{d: d, c: c}
	for k := 0; k < len(all); k += stride {
		a.files = append(a.files, &all[k])
	}
	if err := a.begin(); err != nil {
		return "", err
	}
	if err := durable.MakeDir(d.file("plots")); err != nil {
		return "", err
	}
	path := d.file("plots", a.field+"."+kind)
	if kind == "gif" {
		return path, a.gif(path)
	}
	return path, a.film(path, kind)
}

// animator draws a field step by step.
type animator struct {
	d     *Directory
	c     Choice
	files []*fieldFile
	field string
	span  [2]float64 // of the colours
}

// begin chooses the field, and the range of its colours over some of the states.
func (a *animator) begin() error {
	if len(a.c.Fields) > 1 {
		return errors.New("an animation is of one field: give one --field")
	}
	for _, name := range a.c.Fields {
		if kindOf(name).means {
			return fmt.Errorf("%s is one field for all times, an animation is of many: give another --field", name)
		}
	}
	first, _, err := a.d.find(Choice{Fields: a.c.Fields, Step: a.files[0].step})
	if err != nil {
		return err
	}
	for _, name := range slices.Concat(a.c.Fields, []string{"vorticity"}, FieldNames) {
		if k := kindOf(name); !k.means && k.source(first.arrays) != "" {
			a.field = name
			break
		}
	}
	if a.c.Range != nil {
		a.span = *a.c.Range
		return nil
	}
	const looks = 12
	a.span = [2]float64{math.Inf(1), math.Inf(-1)}
	for k := range min(looks, len(a.files)) { // the last among them
		m, err := a.at(len(a.files) - 1 - k*(len(a.files)-1)/looks)
		if err != nil {
			return err
		}
		own := m.AutoRange()
		a.span = [2]float64{math.Min(a.span[0], own[0]), math.Max(a.span[1], own[1])}
	}
	return nil
}

// at is the map of the k-th state.
func (a *animator) at(k int) (*plot.Field, error) {
	p, err := a.d.plane(a.files[k])
	if err != nil {
		return nil, err
	}
	m := &plot.Field{
		Title: fmt.Sprintf("%s, t = %.1f L/U", a.d.title(), p.time), Nx: p.size[0], Ny: p.size[1],
		Origin: p.origin, Spacing: [2]float64{a.d.spacing(), a.d.spacing()}, Outlines: p.outlines, Lines: p.walls, Dots: p.dots,
	}
	if p.elastics != nil && a.d.dim() == 2 {
		m.Lines = slices.Concat(m.Lines, p.elastics.Outlines(p.box))
	} else if p.elastics != nil {
		m.Lines = slices.Concat(m.Lines, p.elastics.Sections(p.box, p.height))
	}
	return m, p.field(m, a.field)
}

// each draws all states, one after the other.
func (a *animator) each(use func(m *plot.Field, frame *image.RGBA) error) error {
	for k := range a.files {
		m, err := a.at(k)
		if err != nil {
			return err
		}
		m.Range = a.span
		frame, err := plot.MapImage(m)
		if err != nil {
			return err
		}
		if err := use(m, frame); err != nil {
			return err
		}
	}
	return nil
}

func (a *animator) gif(path string) error {
	var animation *plot.Animation
	err := a.each(func(m *plot.Field, frame *image.RGBA) error {
		if animation == nil {
			animation = plot.NewAnimation(m, framesPerSecond)
		}
		animation.Add(frame)
		return nil
	})
	if err != nil {
		return err
	}
	return animation.Save(path)
}

// codecs are what ffmpeg makes of the formats.
var codecs = map[string][]string{
	"webm": {"-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-pix_fmt", "yuv420p"},
	"mp4":  {"-c:v", "libx264", "-crf", "20", "-pix_fmt", "yuv420p", "-movflags", "+faststart"},
}

// FindEncoder is the ffmpeg that makes films.
func FindEncoder(kind string) (string, error) {
	path, err := exec.LookPath("ffmpeg")
	if err != nil {
		return "", fmt.Errorf("--animate %s: there is no ffmpeg, which makes it: install it, or take --animate gif", kind)
	}
	return path, nil
}

// film has ffmpeg make a film, into a file beside that is renamed when it is complete.
func (a *animator) film(path, kind string) (err error) {
	encoder, err := FindEncoder(kind)
	if err != nil {
		return err
	}
	beside := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".part."+kind)
	defer os.Remove(beside)
	var cmd *exec.Cmd
	var in io.WriteCloser
	var said strings.Builder
	var size image.Rectangle
	err = a.each(func(_ *plot.Field, frame *image.RGBA) error {
		if cmd == nil {
			size = image.Rect(0, 0, frame.Rect.Dx()&^1, frame.Rect.Dy()&^1) // even, as encoders want it
			args := append([]string{"-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", fmt.Sprintf("%dx%d", size.Dx(), size.Dy()),
				"-r", fmt.Sprint(framesPerSecond), "-i", "-", "-an"}, codecs[kind]...)
			cmd = exec.Command(encoder, append(args, beside)...)
			cmd.Stderr = &said
			var err error
			if in, err = cmd.StdinPipe(); err != nil {
				return err
			}
			if err := cmd.Start(); err != nil {
				return err
			}
		}
		return writeRows(in, frame, size)
	})
	if cmd == nil {
		return err
	}
	in.Close()
	if ended := cmd.Wait(); err == nil || ended != nil {
		err = ended
	}
	if err != nil {
		return fmt.Errorf("ffmpeg made no %s: %w: %s: take --animate gif", kind, err, strings.TrimSpace(said.String()))
	}
	return os.Rename(beside, path)
}

// writeRows writes the rows of a part of a picture, white where it has none.
func writeRows(to io.Writer, frame *image.RGBA, size image.Rectangle) error {
	row := make([]byte, 4*size.Dx())
	for y := range size.Dy() {
		for k := range row {
			row[k] = 255
		}
		if y < frame.Rect.Dy() {
			copy(row, frame.Pix[frame.PixOffset(0, y):][:min(len(row), 4*frame.Rect.Dx())])
		}
		if _, err := to.Write(row); err != nil {
			return err
		}
	}
	return nil
}
