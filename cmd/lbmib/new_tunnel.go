package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"lbmib/cmd/lbmib/tunnel"
	"lbmib/io/casefile"
	"lbmib/run/check"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

// tunnelName is the template that is made for a part.
const tunnelName = "tunnel"

// tunnel writes the case of a part in a stream, and says what can be resolved.
func (n *newCommand) tunnel(s *surroundings) error {
	part := tunnel.Part{File: n.File, Unit: n.Unit, Speed: n.Speed, Case: n.Case, Nodes: n.Nodes, Full: n.Full}
	if part.File == "" || part.Speed == "" || n.Fluid == "" {
		return usage("a tunnel needs the surface of a part, a speed and a fluid: for instance lbmib new tunnel part.stl --speed '10 m/s' --fluid air")
	}
	var ok bool
	if part.Fluid, ok = tunnel.FindFluid(n.Fluid); !ok {
		return usage("--fluid %s: known are %s: take one of these, and correct density and viscosity in the case", n.Fluid, strings.Join(tunnel.FluidNames(), " and "))
	}
	if part.Nodes != 0 && !(part.Nodes >= 10 && part.Nodes <= 4096) {
		return usage("--nodes %v: must be from 10 to 4096 nodes along the part", part.Nodes)
	}
	if part.Unit == "" {
		part.Unit = "1 mm"
	}
	if part.Case == "" {
		part.Case = strings.TrimSuffix(filepath.Base(part.File), filepath.Ext(part.File)) + ".toml"
	}
	t, err := tunnel.New(part)
	if err != nil {
		return &exit.Error{Code: exit.BadCase, Err: err}
	}
	text, levels, err := withLevels(t, part.Case)
	if err != nil {
		return &exit.Error{Code: exit.BadCase, Err: err}
	}
	written, err := writeNew(map[string][]byte{part.Case: []byte(text)})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.stdout, "%s written: %s in %s at %s\n", written[0], part.File, n.Fluid, part.Speed)
	fmt.Fprintf(s.stdout, "  the part is %s of %s large, L = %.4g m its largest extent\n", setup.BoxText(t.Report.Lo, t.Report.Hi), part.Unit, t.Length)
	fmt.Fprintf(s.stdout, "  a box of %g × %g × %g L, %g nodes per L, %s\n", t.Size[0], t.Size[1], t.Size[2], t.Nodes, levels)
	if part.Nodes != 0 && part.Nodes != t.Nodes {
		fmt.Fprintf(s.stdout, "  --nodes %g is made %g, a multiple of 8, so that the boxes of all levels are whole cells\n", part.Nodes, t.Nodes)
	}
	if !t.Report.Watertight {
		for _, line := range check.Wrap(fmt.Sprintf("The surface is open, along %d edges: it encloses nothing, and the case takes it for a sheet that is wet on both sides. If the part is solid, close it in the program that it comes from.", t.Report.OpenEdges), check.PageWidth-2) {
			fmt.Fprintf(s.stdout, "  %s\n", line)
		}
	}
	for _, line := range check.Wrap(t.Word(), check.PageWidth-2) {
		fmt.Fprintf(s.stdout, "  %s\n", line)
	}
	fmt.Fprintf(s.stdout, "look at it, then: lbmib check %s, lbmib run %s\n", shellQuoted(part.Case), shellQuoted(part.Case))
	return nil
}

// withLevels is the text of a case with the nested grids that are proposed for it, and what these are; without any the box is narrower.
func withLevels(t *tunnel.Tunnel, path string) (text, levels string, err error) {
	c, err := casefile.Parse(path, []byte(t.Text("")), nil)
	if err != nil {
		return "", "", err
	}
	on, set, note, err := check.WithGrids(c)
	_, levels, _ = strings.Cut(note, ": ")
	if err != nil || set == "" { // what is wrong, check tells
		t.Narrow()
		return t.Text(""), levels, nil
	}
	return t.Text(check.RefineText(on)), levels, nil
}
