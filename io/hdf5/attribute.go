package hdf5

import (
	"fmt"
	"unsafe"
)

// Number is an element type of attributes and datasets.
type Number interface {
	float32 | float64 | int64
}

// SetString gives the group a string attribute: scalar, of fixed length, ASCII,
// padded with zero bytes, which is the only kind that every VTKHDF reader
// takes.
func (g *Group) SetString(name, value string) error {
	return g.setAttribute(name, func(l *library) error { return l.setText(g.id, name, value) })
}

// setText gives a group or a dataset a string attribute.
func (l *library) setText(loc hid, name, value string) error {
	if value == "" {
		return fmt.Errorf("an empty string cannot be stored: give it at least one character")
	}
	for i := range len(value) {
		if value[i] == 0 || value[i] >= 0x80 {
			return fmt.Errorf("the value %q has a byte that is not ASCII at %d: use ASCII only", value, i)
		}
	}
	t := l.copyType(l.types.char)
	if err := check(l, t, "H5Tcopy"); err != nil {
		return err
	}
	defer l.closeType(t)
	if err := check(l, l.setTypeSize(t, uintptr(len(value))), "H5Tset_size"); err != nil {
		return err
	}
	if err := check(l, l.setTypePadding(t, stringNullPadded), "H5Tset_strpad"); err != nil {
		return err
	}
	space := l.scalar(0) // H5S_SCALAR
	if err := check(l, space, "H5Screate"); err != nil {
		return err
	}
	defer l.closeSpace(space)
	return l.storeAttribute(loc, name, t, space, unsafe.Pointer(unsafe.StringData(value)))
}

// SetNumbers gives a group an attribute that is a vector of numbers.
func SetNumbers[N Number](g *Group, name string, values ...N) error {
	return g.setAttribute(name, func(l *library) error { return setNumbers(l, g.id, name, values) })
}

// setNumbers gives a group or a dataset an attribute that is a vector of numbers.
func setNumbers[N Number](l *library, loc hid, name string, values []N) error {
	if len(values) == 0 {
		return fmt.Errorf("no values given: an attribute needs at least one")
	}
	n := uint64(len(values))
	space := l.newSpace(1, &n, nil)
	if err := check(l, space, "H5Screate_simple"); err != nil {
		return err
	}
	defer l.closeSpace(space)
	e, err := l.elements(values)
	if err != nil {
		return err
	}
	return l.storeAttribute(loc, name, e.id, space, e.pointer())
}

// Attribute is a name and a text or, where that is empty, a number.
type Attribute struct {
	Name, Text string
	Number     float64
}

// SetAttributes gives the group attributes; numbers are vectors of one.
func (g *Group) SetAttributes(all []Attribute) error {
	for _, a := range all {
		if err := g.setAttribute(a.Name, func(l *library) error { return l.setAttribute(g.id, a) }); err != nil {
			return err
		}
	}
	return nil
}

func (l *library) setAttribute(loc hid, a Attribute) error {
	if a.Text != "" {
		return l.setText(loc, a.Name, a.Text)
	}
	return setNumbers(l, loc, a.Name, []float64{a.Number})
}

// setAttribute does what the attributes' setters share.
func (g *Group) setAttribute(name string, store func(l *library) error) error {
	if err := CheckName(name); err != nil {
		return err
	}
	if err := g.file.call(store); err != nil {
		return fmt.Errorf("hdf5: attribute %q of %s: %w", name, g.path, err)
	}
	return nil
}

func (l *library) storeAttribute(loc hid, name string, t, space hid, value unsafe.Pointer) error {
	attr := l.createAttribute(loc, name, t, space, defaultProperties, defaultProperties)
	if err := check(l, attr, "H5Acreate2"); err != nil {
		return err
	}
	if err := check(l, l.writeAttribute(attr, t, value), "H5Awrite"); err != nil {
		l.closeAttribute(attr)
		return err
	}
	return check(l, l.closeAttribute(attr), "H5Aclose")
}
