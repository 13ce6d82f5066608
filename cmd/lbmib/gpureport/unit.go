package gpureport

import (
	"encoding/json"
	"os"
	"slices"

	"lbmib/internal/durable"
)

// States of items, units and sections.
const (
	done       = "done"
	failed     = "failed"     // something is wrong
	incomplete = "incomplete" // time was up, or it was interrupted; what was found counts
	absent     = "absent"     // what it needs is not on this machine
	notRun     = "not run"    // time was up, or it was interrupted, before it began

	// Of items alone.
	refused = "refused" // not possible on this device, mostly for want of memory
	hung    = "hung"    // nothing was heard of it for too long, and its process was killed
	died    = "died"    // its process ended in the middle of it

	// Of units alone, between two processes.
	lost = "lost" // the device took no more work from the process after a fault
)

// Unit is a part of a section that has processes of its own: one, and a further one
// after every item that took its process or the device's context with it. Its file is
// rewritten before and after every item, so that it tells what was found however the
// process ends.
type Unit struct {
	Name      string   `json:"name"`
	Status    string   `json:"status"` // done | failed | incomplete | absent | not run
	Note      string   `json:"note,omitempty"`
	Seconds   float64  `json:"wall_seconds"`
	Processes int      `json:"processes"`
	Planned   []string `json:"planned,omitempty"` // items, where they are known before the first
	Items     []Item   `json:"items,omitempty"`   // that ended, in their order
	Running   string   `json:"running,omitempty"` // the item at work
	LeftOut   []string `json:"not_run,omitempty"` // items for which there was no time
}

// Item is a row or a check: what one fault may cost.
type Item struct {
	Name    string          `json:"name"`
	Status  string          `json:"status"` // done | failed | refused | absent | hung | died
	Note    string          `json:"note,omitempty"`
	Seconds float64         `json:"wall_seconds"`
	Data    json.RawMessage `json:"data,omitempty"` // in the report's JSON: the section's
}

// wrong tells whether something is wrong with the program, the driver or the device.
func (i *Item) wrong() bool { return i.Status == failed || i.Status == hung || i.Status == died }

// item is what is known of an item that ended, or nil.
func (u *Unit) item(name string) *Item {
	i := slices.IndexFunc(u.Items, func(i Item) bool { return i.Name == name })
	if i < 0 {
		return nil
	}
	return &u.Items[i]
}

// withoutData is the unit without what its items have measured.
func (u *Unit) withoutData() *Unit {
	c := *u
	c.Items = slices.Clone(u.Items)
	for i := range c.Items {
		c.Items[i].Data = nil
	}
	return &c
}

// left adds the planned items that were not made to those left out.
func (u *Unit) left() {
	for _, name := range u.Planned {
		if u.item(name) == nil && !slices.Contains(u.LeftOut, name) {
			u.LeftOut = append(u.LeftOut, name)
		}
	}
}

// conclude is the unit's status by its items.
func (u *Unit) conclude() {
	u.left()
	states := map[string]int{}
	for _, i := range u.Items {
		states[i.Status]++
	}
	switch {
	case states[failed]+states[hung]+states[died] > 0:
		u.Status = failed
	case len(u.LeftOut) > 0:
		u.Status = incomplete
	case states[absent] > 0:
		u.Status = absent
	default:
		u.Status = done
	}
}

// readUnit reads a unit's file; ok tells whether there is one.
func readUnit(file string) (u *Unit, ok bool) {
	text, err := os.ReadFile(file)
	u = &Unit{}
	if err != nil || json.Unmarshal(text, u) != nil {
		return &Unit{}, false
	}
	return u, true
}

func (u *Unit) write(file string) error { return durable.WriteJSON(file, u) }
