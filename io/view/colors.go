package view

import (
	"bytes"
	"errors"
	"image/color"
	"strconv"
	"strings"
)

// Depth is how many colours a terminal has.
type Depth int

// The depths that pictures can be drawn with.
const (
	Indexed   Depth = iota // xterm's palette of 256 colours
	TrueColor              // eight bits a channel
)

// TerminalDepth tells from the environment how many colours a terminal has:
// TrueColor if COLORTERM says so, else Indexed. An error tells why there is to
// be no colour: NO_COLOR is set, or TERM names no terminal that has any.
func TerminalDepth(getenv func(name string) string) (Depth, error) {
	if getenv("NO_COLOR") != "" {
		return 0, errors.New("NO_COLOR is set, but a picture is made of colours: unset NO_COLOR")
	}
	if term := getenv("TERM"); term == "" || term == "dumb" {
		return 0, errors.New("TERM = " + strconv.Quote(term) + " names a terminal without colours: set TERM to the terminal in use, xterm-256color for most")
	}
	switch strings.ToLower(getenv("COLORTERM")) {
	case "truecolor", "24bit":
		return TrueColor, nil
	}
	return Indexed, nil
}

var (
	bodyColor  = color.RGBA{0x58, 0x58, 0x58, 0xff} // xterm's grey 240, so the same at both depths
	burstColor = color.RGBA{0xff, 0x00, 0xff, 0xff} // in neither arm of a diverging map
)

// mix is a with a share of b.
func mix(a, b color.RGBA, share float64) color.RGBA {
	channel := func(x, y uint8) uint8 { return uint8(float64(x) + (float64(y)-float64(x))*share + 0.5) }
	return color.RGBA{channel(a.R, b.R), channel(a.G, b.G), channel(a.B, b.B), 0xff}
}

// pen writes characters in colours, with an escape sequence only where colours
// change.
type pen struct {
	buf        *bytes.Buffer
	depth      Depth
	fore, back int32 // codes of the colours that are set
	scratch    [3]byte
}

// plain is the code of the terminal's own colour.
const plain = -1

// code is a colour as the terminal will show it.
func (p *pen) code(c color.RGBA) int32 {
	if p.depth == TrueColor {
		return int32(c.R)<<16 | int32(c.G)<<8 | int32(c.B)
	}
	return indexed(c)
}

// put writes one character.
func (p *pen) put(char rune, fore, back int32) {
	if fore != p.fore || back != p.back {
		p.buf.WriteString("\x1b[")
		if fore != p.fore {
			p.set('3', fore)
		}
		if back != p.back {
			if fore != p.fore {
				p.buf.WriteByte(';')
			}
			p.set('4', back)
		}
		p.buf.WriteByte('m')
		p.fore, p.back = fore, back
	}
	p.buf.WriteRune(char)
}

// set writes the parameters that choose a colour; plane is 3 for the
// foreground, 4 for the background.
func (p *pen) set(plane byte, code int32) {
	p.buf.WriteByte(plane)
	switch {
	case code == plain:
		p.buf.WriteByte('9')
	case p.depth == TrueColor:
		p.buf.WriteString("8;2")
		for _, shift := range [...]int{16, 8, 0} {
			p.number(code >> shift & 0xff)
		}
	default:
		p.buf.WriteString("8;5")
		p.number(code)
	}
}

func (p *pen) number(v int32) {
	p.buf.WriteByte(';')
	p.buf.Write(strconv.AppendInt(p.scratch[:0], int64(v), 10))
}

// reset goes back to the terminal's own colours.
func (p *pen) reset() {
	if p.fore != plain || p.back != plain {
		p.buf.WriteString("\x1b[0m")
		p.fore, p.back = plain, plain
	}
}

// cube are the levels of a channel in xterm's 6 × 6 × 6 colours, codes 16 … 231.
var cube = [6]int{0, 95, 135, 175, 215, 255}

// indexed is the nearest of xterm's 256 colours: of the cube or of the 24 greys
// 8, 18 … 238, codes 232 … 255. The first 16 are the user's to choose.
func indexed(c color.RGBA) int32 {
	r, g, b := level(c.R), level(c.G), level(c.B)
	grey := min(23, max(0, (int(c.R)+int(c.G)+int(c.B)-3*3)/30))
	if distance(c, 8+10*grey, 8+10*grey, 8+10*grey) < distance(c, cube[r], cube[g], cube[b]) {
		return int32(232 + grey)
	}
	return int32(16 + 36*r + 6*g + b)
}

// level is the nearest level of the cube.
func level(v uint8) int {
	switch {
	case v < 48:
		return 0
	case v < 115:
		return 1
	}
	return (int(v) - 35) / 40
}

func distance(c color.RGBA, r, g, b int) int {
	r, g, b = r-int(c.R), g-int(c.G), b-int(c.B)
	return r*r + g*g + b*b
}
