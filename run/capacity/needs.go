package capacity

import (
	"io"
	"slices"

	"lbmib/hybrid"
	"lbmib/internal/machine"
	"lbmib/internal/mpi"
	"lbmib/internal/parallel"
	"lbmib/lbm/joined"
	"lbmib/run/backend"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

// Request asks for the simulation of a problem.
func Request(p *setup.Problem, pool *parallel.Pool, say io.Writer) backend.Request {
	r := backend.Request{
		Backend: p.Case.Run.Backend, Earlier: p.Earlier, Flow: p.Flow, Boxes: p.Boxes, Coupling: p.Coupling, Bodies: p.Bodies, Pool: pool, Say: say, Moves: p.Case.Domain.Follow != nil,
	}
	if p.Needs != nil {
		r.Why = p.Needs.Why
	}
	if d := p.Division; d != nil {
		r.Parts = d.Boxes
		if p.Ranks != nil {
			r.Ranks = &joined.Ranks{Comm: p.Ranks, Of: d.Of, Initial: p.Initial()}
		}
	}
	return r
}

// Find finds the memory that the problem takes where it will be computed. It marks the solids, which tell how many nodes are stored.
func Find(p *setup.Problem) error {
	if err := markSolids(p); err != nil {
		return err
	}
	if err := p.Divide(p.Ranks); err != nil {
		return exit.AsBadCase(err)
	}
	find := backend.NeedsOf[float64]
	if p.Precision().Single {
		find = backend.NeedsOf[float32]
	}
	n, err := find(Request(p, nil, nil))
	if err != nil {
		return exit.AsBadCase(p.Case.Errorf("run.backend", "%v", err))
	}
	if !n.Fits() {
		return exit.AsBadCase(p.Case.Errorf("reference.resolution", "%s nodes in %s need about %s of the device's memory, %s has %s free: %s",
			SizeText(p.Flow.Size[:p.Flow.Lattice.Dim]), p.Case.Fluid.Precision, machine.BytesText(n.Device), n.DeviceName, machine.BytesText(n.DeviceFree), smallerCase(p)))
	}
	p.Needs = n
	if n.Device > 0 { // which numbers the nodes of the box
		return exit.AsBadCase(p.TakeMask())
	}
	return nil
}

// Share finds what parts a grid is divided into, and whose they are, for a process that has one of them.
func Share(p *setup.Problem) error {
	if err := markSolids(p); err != nil {
		return err
	}
	return exit.AsBadCase(p.Divide(p.Ranks))
}

// markSolids marks the solids of a domain whose mask, if it has one, the machine's memory holds.
func markSolids(p *setup.Problem) error {
	if (len(p.Case.Solids) > 0 || p.Vessel != nil) && !p.Flow.HasWalls() {
		if have, err := machine.Limit(); err == nil && p.Flow.BoxNodes() > have.Bytes {
			return exit.AsBadCase(p.Case.Errorf("reference.resolution", "the mask of the solids, %s for %s nodes, %s",
				machine.BytesText(p.Flow.BoxNodes()), SizeText(p.Flow.Size[:p.Flow.Lattice.Dim]), have.Refusal(machine.BytesText, smallerCase(p))))
		}
	}
	if err := p.MarkSolids(); err != nil {
		return exit.AsBadCase(err)
	}
	return nil
}

// hostBytes is the memory of fluid and bodies on the host.
func hostBytes(p *setup.Problem) int64 {
	if p.Needs != nil && p.Needs.Backend != "cpu" {
		return p.Needs.Host
	}
	boxes := p.Boxes
	if p.Division != nil {
		boxes = slices.Concat(p.Division.Boxes, p.Boxes)
	}
	n := backend.FluidBytes(&p.Flow, boxes, p.Precision().Stored)
	if p.Ranks != nil { // ranks on this machine share its memory
		_, here := mpi.Local(p.Ranks)
		n = n * int64(here) / int64(p.Ranks.Size())
		if p.SharesBodies() {
			n += int64(here-1) * knownBytes(p)
		}
	}
	return n + WindowBytes(p)
}

// knownBytes is what each rank that shares bodies has of all of them.
func knownBytes(p *setup.Problem) int64 {
	f, err := hybrid.FootprintOf(p.Coupling, &p.Flow, p.Bodies)
	if err != nil {
		return 0 // they are refused elsewhere
	}
	return f.PointBytes(p.Precision().Value) + f.WorkerBytes(p.Precision().Value, workers(p)) + p.CellBytes()
}
