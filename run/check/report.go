package check

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/run/capacity"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

// Verdict is how a quantity of a case is judged. The zero Verdict is that of
// what was not looked at.
type Verdict string

// The verdicts. Unsafe is what is known to diverge or to mean nothing; a case
// that is unsafe may still be run. Refused is what a run refuses to begin.
const (
	OK      Verdict = "ok"
	Caution Verdict = "caution"
	Unsafe  Verdict = "unsafe"
	Refused Verdict = "refused"
)

var severity = map[Verdict]int{OK: 1, Caution: 2, Unsafe: 3, Refused: 4}

// Judged is a number and what to think of it.
type Judged struct {
	Value   finite.Number `json:"value"` // null: not known
	Verdict Verdict       `json:"verdict"`
	Reason  string        `json:"reason,omitempty"` // where the verdict is not ok
}

// Report is what a check found. Its JSON is the output of check --json.
type Report struct {
	File    string   `json:"file"`
	Case    string   `json:"case"`
	Title   string   `json:"title"`
	Verdict Verdict  `json:"verdict"` // the worst of all
	Errors  []string `json:"errors"`  // what a run would refuse, with file:line:column

	Scales     ScalesReport      `json:"scales"`
	Domain     DomainReport      `json:"domain"`
	Grids      *GridsReport      `json:"grids,omitempty"` // where the case asks for finer nodes somewhere
	Vessel     *VesselReport     `json:"vessel,omitempty"`
	Scheme     SchemeReport      `json:"scheme"`
	Bodies     []BodyReport      `json:"bodies"`
	Cells      []CellReport      `json:"cells,omitempty"` // elastic bodies
	Suspension *SuspensionReport `json:"suspension,omitempty"`
	Suspended  []SuspendedReport `json:"suspended,omitempty"` // elastic cells
	Surfaces   []Judged          `json:"surfaces,omitempty"`  // files with triangles that stand twice
	Run        RunReport         `json:"run"`
	Memory     MemoryReport      `json:"memory"`
	Output     OutputReport      `json:"output"`
	Estimate   EstimateReport    `json:"estimate"`
	Probes     []ProbeReport     `json:"probes,omitempty"` // those that are judged: near surfaces
	Sounds     []SoundReport     `json:"sounds,omitempty"` // what is driven near a mode of the box

	Proposals []Proposal `json:"proposals"`
	Note      string     `json:"note,omitempty"` // why there are no, or fewer, proposals

	Refinement     *Refinement `json:"refinement,omitempty"`      // nested grids for a case that has one
	RefinementNote string      `json:"refinement_note,omitempty"` // why there is none, of a case that would gain by it

	Ranks *RanksReport `json:"ranks,omitempty"` // of Share

	problem *setup.Problem // nil where the case cannot be translated
	unset   *casefile.Case // which is read, and cannot be translated; nil of others
	more    int            // refusals beyond mostErrors
	mends   bool           // a refusal is of the case, not only of what the machine lacks
	room    room           // that remedies have
}

// Scale is a spacing or a step in reference units (L or L/U) and, where the case
// has anchors, in SI.
type Scale struct {
	Value  float64        `json:"value"`
	SI     *finite.Number `json:"si"` // null without anchors
	SIUnit string         `json:"si_unit,omitempty"`
}

// ScalesReport are the numbers that stability and accuracy hang on.
type ScalesReport struct {
	Dx           Scale         `json:"dx"`
	Dt           Scale         `json:"dt"`
	Viscosity    finite.Number `json:"viscosity"` // lattice units
	Collision    string        `json:"collision"`
	Smagorinsky  finite.Number `json:"smagorinsky"` // constant of the turbulence model; 0: none
	Tau          Judged        `json:"tau"`
	TauAtRest    *Judged       `json:"tau_at_rest,omitempty"` // of a fluid with a law of viscosity, whose tau and grid_reynolds are those at a rate of strain of 8 U/L; null of others
	Mach         Judged        `json:"mach"`                  // of the fastest speed that the case prescribes
	GridReynolds Judged        `json:"grid_reynolds"`         // U Δx/ν
	Reynolds     finite.Number `json:"reynolds"`
	Magic        finite.Number `json:"magic"`                  // Λ of trt; 0: another operator
	MagicReason  string        `json:"magic_reason,omitempty"` // why it is not 3/16 where the case gives none

	fastest float64 // speed that Mach is of, U
}

// DomainReport is the lattice.
type DomainReport struct {
	Lattice string `json:"lattice"`
	Nodes   []int  `json:"nodes"` // per axis
	Total   int    `json:"total"`

	Flow    string `json:"flow,omitempty"`    // that a force holds, in words
	Follows string `json:"follows,omitempty"` // which body it goes along with, and how, likewise
}

// SchemeReport is how the fluid will be computed on this machine. Rounding is an
// estimate of the error that it brings, relative to the pressure.
type SchemeReport struct {
	Kernel       string `json:"kernel"`
	KernelFrom   string `json:"kernel_from"` // who asked for it: --kernel, LBMIB_KERNEL, or auto for the fastest that the CPU has
	Streaming    string `json:"streaming"`
	Steps        int    `json:"steps_per_sweep"`
	Layout       string `json:"layout"`
	Block        int    `json:"block,omitempty"` // nodes, with soaos
	Precision    string `json:"precision"`
	BytesPerNode int    `json:"bytes_per_node"` // read and written in a sweep, of one step or two
	Rounding     Judged `json:"rounding"`

	Storage string `json:"storage"` // box, or runs of fluid
	Fluid   int64  `json:"fluid_nodes"`
	Box     int64  `json:"box_nodes"`

	links  int64  // between fluid and walls, in a storage by runs
	wanted string // kernel, which there is but for collisions without assembly
}

// BodyReport is how a body is resolved.
type BodyReport struct {
	Name         string        `json:"name"`
	Shape        string        `json:"shape"`
	Nodes        Judged        `json:"diameter_nodes"`
	Markers      int           `json:"markers"`
	SpacingAsked finite.Number `json:"spacing_asked"`  // nodes; null: automatic
	Spacing      Judged        `json:"spacing"`        // nodes, actual
	Condition    *Judged       `json:"condition"`      // of the weights of direct forcing; null with others
	Layer        *Judged       `json:"boundary_layer"` // length/√Re or √(2ν/ω), in nodes; null where nothing oscillates and Re < 1, or along plates and tubes between periodic faces
	Blockage     *Judged       `json:"blockage"`       // width over the distance of side walls; null without

	Motion     string        `json:"motion"`       // fixed | prescribed | free
	Speed      finite.Number `json:"speed"`        // of the fastest marker that is known before the run, U; 0 of what bends
	SpeedAt    finite.Number `json:"speed_at"`     // when that is, L/U
	Mach       *Judged       `json:"mach"`         // of that; null of fixed bodies and of what bends
	Followed   finite.Number `json:"followed"`     // time up to which a prescribed motion was looked at, L/U; a period where it comes again
	Retraction finite.Number `json:"retraction"`   // nodes by which markers are set back behind the surface
	Smear      finite.Number `json:"smear"`        // nodes by which a wall would be felt in front of its markers, and which are corrected; 0: not
	Mesh       *MeshReport   `json:"mesh"`         // of shapes from a file; null of others
	SoftStart  finite.Number `json:"soft_start"`   // L/U over which its surface comes to its velocity; null of freely moving bodies
	Eddies     *Judged       `json:"plate_eddies"` // Smagorinsky's constant beside a plate whose wall is corrected; null of others
	Inside     string        `json:"inside"`       // of the fluid there: damped | free | none: there is none, or it is the flow

	Line  *LineReport  `json:"line,omitempty"`  // of lines that bend
	Sheet *SheetReport `json:"sheet,omitempty"` // of sheets

	Started *Judged `json:"soft_start_judged,omitempty"` // run.soft_start where it is longer than the motion allows, L/U

	Release *Judged `json:"release,omitempty"` // change of density as it is released, of bodies that move freely

	Shedding *Judged `json:"slow_shedding,omitempty"` // Reynolds number by the width of a body that will shed, which only rounding errors begin

	Drives *Judged `json:"smear_judged,omitempty"` // the smear where it is negative, and its correction drives the fluid, nodes

	until   finite.Number // the end of the run, L/U
	rings   bool          // sound of its start rings inside
	shallow bool          // damping is asked for
}

// RunReport is how long the run is.
type RunReport struct {
	Steps        int64   `json:"steps"`
	Time         float64 `json:"time"`          // L/U
	Start        *Judged `json:"start"`         // change of density that the first step makes where fluid enters or leaves; null without such a face
	FlowThroughs *Judged `json:"flow_throughs"` // run time in times that the flow needs to cross the domain; null where it does not
	Steady       *Judged `json:"steady"`        // run.stop_when.steady; null without

	steadyBound float64 // what that means in U²/L
}

// MemoryReport is the memory; Value is needed over available.
type MemoryReport struct {
	Judged
	Needed    int64 `json:"needed_bytes"` // on the host
	Available int64 `json:"available_bytes"`

	Backend    string        `json:"backend"` // cpu, cuda, hybrid; "cuda or hybrid" where that will be measured
	Device     string        `json:"device"`
	PerNode    finite.Number `json:"bytes_per_node"` // of the fluid, held where it is computed
	OnDevice   int64         `json:"device_bytes"`   // 0 without one
	DeviceFree int64         `json:"device_free_bytes"`
	NoDevice   string        `json:"no_device"`         // why auto takes no GPU; empty where it does, or was not asked
	Instead    string        `json:"instead,omitempty"` // what is done instead of what was asked for, and why

	Captures *capacity.CapturesReport `json:"captures"` // null without one
}

// FilesReport are files of a kind that the run writes.
type FilesReport struct {
	Count int64 `json:"count"`
	Bytes int64 `json:"bytes_each"` // before compression
	Kept  int64 `json:"kept"`
}

// OutputReport is what the run writes. Disk is space needed, before
// compression, over space free.
type OutputReport struct {
	Directory   string      `json:"directory"`
	Earlier     bool        `json:"holds_earlier_run"`
	Fields      FilesReport `json:"fields"`
	Checkpoints FilesReport `json:"checkpoints"`
	Disk        Judged      `json:"disk"`
	Free        int64       `json:"free_bytes"`
	HDF5        struct {
		Needed  bool   `json:"needed"`
		Path    string `json:"path"`
		Version string `json:"version"`
		Remedy  string `json:"remedy,omitempty"`
	} `json:"hdf5"`
}

// EstimateReport is the time that the run will take, outputs aside: an estimate from
// a small lattice and single bodies stepped on this machine just now.
type EstimateReport struct {
	MFLUPS      finite.Number `json:"mflups"` // of the fluid alone
	Threads     int           `json:"threads"`
	Seconds     Judged        `json:"seconds"`
	BodySeconds finite.Number `json:"body_seconds"`  // the bodies' part of it
	SeamSeconds finite.Number `json:"seam_seconds"`  // the seams' part, between levels
	Marker      finite.Number `json:"ns_per_marker"` // and step
	Vertex      finite.Number `json:"ns_per_vertex"` // and step, of elastic bodies
}

// Proposal is a complete set of values that passes the check, made with the first bodies of
// a case that has many.
type Proposal struct {
	Name         string        `json:"name"` // safe | fast | accurate; modelled: with a turbulence model, where the machine holds none of these
	Set          []string      `json:"set"`  // for --set
	Resolution   float64       `json:"resolution"`
	Velocity     float64       `json:"velocity"`
	Collision    string        `json:"collision"`
	Tau          float64       `json:"tau"`
	Mach         float64       `json:"mach"`
	GridReynolds float64       `json:"grid_reynolds"`
	Nodes        int           `json:"nodes"` // of all levels
	Memory       int64         `json:"memory_bytes"`
	Seconds      finite.Number `json:"seconds"`

	steps    int64
	updates  int     // of nodes, in a step
	ghosts   float64 // beside seams, per step
	markers  int
	vertices int
}

// refuse notes what a run would refuse.
func (r *Report) refuse(err error) {
	r.Verdict = Refused
	var coded *exit.Error
	r.mends = r.mends || !errors.As(err, &coded) || coded.Code != exit.InputOutput
	if len(r.Errors) <= mostErrors {
		r.Errors = append(r.Errors, err.Error())
	}
	if len(r.Errors) > mostErrors {
		r.more++
		r.Errors[mostErrors] = fmt.Sprintf("and %d more: correct those above first", r.more)
	}
}

// mostErrors bounds the refusals that are told, beside the line that counts the others.
const mostErrors = 51 // as many as there are of a case that cannot be read

// Err is nil, or the refusals as an error with the code that a run ends with: that of a bad case or, where all of them are of what cannot be read or written, as
// without the HDF5 library, that of input and output.
func (r *Report) Err() error {
	if len(r.Errors) == 0 {
		return nil
	}
	err := errors.New(strings.Join(r.Errors, "\n"))
	if !r.mends {
		return exit.AsInputOutput(err)
	}
	return exit.AsBadCase(err)
}

// judgements are all verdicts of the report.
func (r *Report) judgements() []*Judged {
	all := append(r.scaleJudgements(), &r.Scheme.Rounding, &r.Memory.Judged, &r.Output.Disk, &r.Estimate.Seconds)
	all = append(all, r.Grids.judgements()...)
	all = append(all, r.Vessel.judgements()...)
	for i := range r.Surfaces {
		all = append(all, &r.Surfaces[i])
	}
	optional := []*Judged{r.Run.Start, r.Run.FlowThroughs, r.Run.Steady}
	for i := range r.Bodies {
		b := &r.Bodies[i]
		all = append(all, &b.Spacing)
		optional = append(optional, b.Condition, b.Blockage, b.Mach, b.Eddies, b.Started, b.Drives, b.Shedding, b.Release)
		if b.Mesh != nil {
			optional = append(optional, b.Mesh.Open, b.Mesh.Overlap, b.Mesh.Shell)
		}
		if b.Line != nil {
			optional = append(optional, b.Line.Faces, b.Line.Steps)
		}
		if b.Sheet != nil {
			optional = append(optional, b.Sheet.Moves, b.Sheet.Steps)
		}
	}
	for i := range r.Suspended {
		all = append(all, &r.Suspended[i].Stiffness)
		optional = append(optional, r.Suspended[i].Feed)
	}
	for i := range r.Cells {
		c := &r.Cells[i]
		all = append(all, &c.Edge)
		optional = append(optional, c.Angle, c.Explicit)
		if c.Contact != nil {
			optional = append(optional, &c.Contact.Stiffness)
		}
		if c.Inside != nil {
			optional = append(optional, &c.Inside.Tau)
		}
		if l := c.Loads; l != nil {
			optional = append(optional, l.Pull)
			for k := range l.Each {
				all = append(all, &l.Each[k].Mach)
			}
		}
	}
	for i := range r.Probes {
		all = append(all, &r.Probes[i].Distance)
	}
	for i := range r.Sounds {
		all = append(all, &r.Sounds[i].Ratio)
	}
	for _, j := range optional {
		if j != nil {
			all = append(all, j)
		}
	}
	return all
}

// scaleJudgements are the verdicts that resolution, velocity and collision decide.
func (r *Report) scaleJudgements() []*Judged {
	all := []*Judged{&r.Scales.Tau, &r.Scales.Mach, &r.Scales.GridReynolds}
	if r.Scales.TauAtRest != nil {
		all = append(all, r.Scales.TauAtRest)
	}
	for i := range r.Bodies {
		all = append(all, &r.Bodies[i].Nodes)
		if j := r.Bodies[i].Layer; j != nil {
			all = append(all, j)
		}
	}
	for i := range r.Cells {
		all = append(all, &r.Cells[i].Nodes, &r.Cells[i].Stiffness)
	}
	return all
}

// usualMach is what Mach number a fast case may have: a percent or so of drag is told, and no
// reason to propose another.
const usualMach = 0.2

// trouble is the worst of scaleJudgements, but for a Mach number that is usual.
func (r *Report) trouble() Verdict {
	all := r.scaleJudgements()
	if m := &r.Scales.Mach; m.Verdict == Caution && m.Value <= usualMach {
		all = slices.DeleteFunc(all, func(j *Judged) bool { return j == m })
	}
	return worst(all)
}

// worst is the worst of some verdicts.
func worst(all []*Judged) Verdict {
	v := OK
	for _, j := range all {
		if severity[j.Verdict] > severity[v] {
			v = j.Verdict
		}
	}
	return v
}

// conclude sets the verdict on the whole.
func (r *Report) conclude() {
	r.Verdict = worst(r.judgements())
	if len(r.Errors) > 0 {
		r.Verdict = Refused
	}
	if r.Errors == nil {
		r.Errors = []string{}
	}
	if r.Bodies == nil {
		r.Bodies = []BodyReport{}
	}
	if r.Proposals == nil {
		r.Proposals = []Proposal{}
	}
}
