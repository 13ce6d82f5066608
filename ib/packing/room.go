package packing

import "lbmib/geometry"

// Room tells whether a surface fits between walls and surfaces that have taken their places, and moved since.
type Room struct {
	walls  *Walls
	gap    [2]float64 // from walls and from other surfaces, nodes
	kinds  []Kind
	fields []*field
}

// NewRoom is for surfaces of these kinds, whose vertices keep a gap in nodes from walls; the vertices of others, which are deformed, keep another one from theirs.
func NewRoom(walls *Walls, toWalls, toOthers float64, kinds []Kind) (*Room, error) {
	r := &Room{walls: walls, gap: [2]float64{toWalls, toOthers}, kinds: kinds}
	for _, k := range kinds {
		f, err := newField(k.Points, k.Triangles, toOthers)
		if err != nil {
			return nil, err
		}
		r.fields = append(r.fields, f)
	}
	return r, nil
}

// Behind is how far a surface about a centre reaches back against a direction, turned so.
func (r *Room) Behind(kind int, turn geometry.Mat, direction geometry.Vec) (far float64) {
	for _, v := range r.kinds[kind].Points {
		far = max(far, -turn.Apply(v).Dot(direction))
	}
	return far
}

// InWalls tells whether a surface at a place is nearer to a wall than the gap, or in it.
func (r *Room) InWalls(kind int, at Place) bool {
	for _, v := range r.kinds[kind].Points {
		if d, _ := r.walls.at(at.Turn.Apply(v).Add(at.Center)); d < (1-slack)*r.gap[0] {
			return true
		}
	}
	return false
}

// Meets tells whether one of the points x of another surface is nearer to a surface at a place than the gap, or inside of it.
func (r *Room) Meets(kind int, at Place, x []geometry.Vec) bool {
	f := r.fields[kind]
	reach := f.farthest + r.gap[1]
	back := at.Turn.Transpose()
	for _, p := range x {
		d := p.Sub(at.Center)
		if d.Dot(d) >= reach*reach {
			continue
		}
		if distance, _, near := f.at(back.Apply(d)); near && distance < r.gap[1] {
			return true
		}
	}
	return false
}
