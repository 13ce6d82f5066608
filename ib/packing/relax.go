package packing

import (
	"math"

	"lbmib/geometry"
)

// Moving apart: neighbours are those that may come near before they are looked for again. A surface does a part of what its contacts ask for together, and goes on with a
// part of how it moved in the round before (heavy-ball iteration), which takes a third of the rounds where surfaces lie close.
const (
	lookEvery  = 8
	relaxation = 0.6
	momentum   = 0.95
	mostMove   = 0.25 // nodes in a round
)

// relax moves surfaces apart in so many rounds at most, while the work allowed is not done, and tells whether all keep their distance.
func (p *packer) relax(rounds int) bool {
	allowed := growing * p.cfg.Gap
	if p.fine {
		allowed = slack * p.cfg.Gap
	}
	for i := range p.bodies {
		p.bodies[i].glide = glide{}
	}
	for n := 0; n < rounds && !p.isSpent(); n++ {
		if p.since < 0 || p.since >= lookEvery {
			p.loops.Run(len(p.bodies)*1000, p.find)
			p.since = 0
		}
		p.since, p.spent = p.since+1, p.spent+1
		if p.cfg.Told != nil {
			p.cfg.Told(p.size)
		}
		p.loops.Run(len(p.bodies)*1000, p.put)
		for i := range p.bodies {
			p.work += float64(len(p.bodies[i].x))
		}
		p.loops.Run(len(p.bodies)*1000, p.move)
		deepest := 0.
		for _, d := range p.depth {
			deepest = max(deepest, d)
		}
		if deepest <= allowed {
			return true
		}
		for i := range p.bodies {
			b := &p.bodies[i]
			b.follow(p.kinds[b.kind].field.farthest * p.size)
		}
	}
	return false
}

// findNear lists the surfaces that may come near to surface i before they are looked for again, itself across periodic faces among them.
func (p *packer) findNear(i int) {
	b := &p.bodies[i]
	b.near = b.near[:0]
	const skin = 2 * lookEvery * mostMove
	var images [3]int
	for a, periodic := range p.cfg.Periodic {
		if periodic {
			images[a] = 1
		}
	}
	for j := range p.bodies {
		o := &p.bodies[j]
		reach := p.kinds[b.kind].reach + p.kinds[o.kind].reach
		reach = reach*p.size + skin
		d := o.Center.Sub(b.Center)
		var middle geometry.Vec // of the images: the nearest
		for a, n := range p.cfg.Size {
			if images[a] == 1 {
				middle[a] = -float64(n) * math.Round(d[a]/float64(n))
			}
		}
		if nearest := d.Add(middle); nearest.Dot(nearest) >= reach*reach {
			continue
		}
		for z := -images[2]; z <= images[2]; z++ {
			for y := -images[1]; y <= images[1]; y++ {
				for x := -images[0]; x <= images[0]; x++ {
					shift := middle.Add(geometry.Vec{float64(x * p.cfg.Size[0]), float64(y * p.cfg.Size[1]), float64(z * p.cfg.Size[2])})
					if far := d.Add(shift); far.Dot(far) < reach*reach && (i != j || shift != geometry.Vec{}) {
						b.near = append(b.near, neighbour{int32(j), shift})
					}
				}
			}
		}
	}
}

// contact is where two surfaces are too near to each other, as sums over vertices by their depth.
type contact struct {
	weight, depth float64
	at, away      geometry.Vec
}

func (c *contact) add(depth float64, x, away geometry.Vec) {
	c.weight += depth
	c.depth = max(c.depth, depth)
	c.at = c.at.Add(x.Scale(depth))
	c.away = c.away.Add(away.Scale(depth))
}

// moveOne finds where surface i moves, from where all are, and by how much it is too near to others at most.
func (p *packer) moveOne(i int) (deepest float64) {
	b := &p.bodies[i]
	k := &p.kinds[b.kind]
	shift, turn := b.glide.shift.Scale(momentum), b.glide.turn.Scale(momentum)
	respond := func(c *contact, part float64, from geometry.Vec) {
		if c.weight == 0 {
			return
		}
		deepest = max(deepest, c.depth)
		away := c.away
		if n := away.Norm(); n > 1e-3*c.weight {
			away = away.Scale(1 / n)
		} else if n := from.Norm(); n > 0 { // pushed from both sides
			away = from.Scale(1 / n)
		} else {
			away = geometry.Vec{1}
		}
		arm := c.at.Scale(1 / c.weight).Sub(b.Center).Cross(away)
		g := k.gyration * p.size * p.size
		by := relaxation * part * c.depth / (1 + arm.Dot(arm)/g)
		shift, turn = shift.Add(away.Scale(by)), turn.Add(arm.Scale(by/g))
	}
	for _, n := range b.near {
		o := &p.bodies[n.of]
		d := b.Center.Sub(o.Center).Sub(n.shift)
		if reach := (k.reach + p.kinds[o.kind].reach) * p.size; d.Dot(d) >= reach*reach {
			continue
		}
		var c contact
		p.meet(b, o, geometry.Vec{}.Sub(n.shift), n.shift, 1, &c)
		p.meet(o, b, n.shift, n.shift, -1, &c)
		if n := d.Norm(); n > 0 && n < min(k.thinnest, p.kinds[o.kind].thinnest)*p.size && c.away.Dot(d) < 0 {
			c.away = d.Scale(c.weight / n) // of two about the same centre most vertices push inwards
		}
		respond(&c, 0.5, d)
	}
	var c contact
	for _, x := range b.x {
		if room, away := p.cfg.Walls.at(x); room < p.cfg.Gap {
			c.add(p.cfg.Gap-room, x, away)
		}
	}
	respond(&c, 1, geometry.Vec{})
	if n := shift.Norm(); n > mostMove {
		shift = shift.Scale(mostMove / n)
	}
	b.next = glide{shift, turn}
	return deepest
}

// follow moves and turns a surface that reaches so far by its next glide.
func (b *body) follow(reach float64) {
	b.glide = b.next
	b.Center = b.Center.Add(b.glide.shift)
	if n := b.glide.turn.Norm(); n > 0 {
		b.Turn = geometry.Rotation(b.glide.turn.Scale(1/n), min(n, mostMove/reach)).Mul(b.Turn)
	}
}

// putVertices puts a surface's vertices to where it is.
func (p *packer) putVertices(b *body) {
	k := &p.kinds[b.kind]
	if b.of = &k.few; p.fine {
		b.of = &k.all
	}
	turn := b.Turn.Scale(p.size)
	b.x, b.heads = b.x[:0], b.heads[:0]
	for _, v := range b.of.points {
		b.x = append(b.x, turn.Apply(v).Add(b.Center))
	}
	for _, h := range b.of.list {
		b.heads = append(b.heads, turn.Apply(h.center).Add(b.Center))
	}
}

// meet adds the vertices of one surface, shifted, that are too near to another, to contacts in the frame of the one that moves. The sign is that of the gradient which
// points away from the other one.
func (p *packer) meet(of, at *body, shift, image geometry.Vec, sign float64, c *contact) {
	k := &p.kinds[at.kind]
	reach := k.reach * p.size
	back := at.Turn.Transpose()
	by := shift.Sub(at.Center)
	for h, group := range of.of.list {
		d := of.heads[h].Add(by)
		if far := reach + group.radius*p.size; d.Dot(d) >= far*far || !k.field.mayHold(back.Apply(d).Scale(1/p.size), group.radius, p.cfg.Gap) {
			continue
		}
		for _, x := range of.x[group.from:group.to] {
			d := x.Add(by)
			if d.Dot(d) >= reach*reach {
				continue
			}
			distance, gradient, near := k.field.at(back.Apply(d).Scale(1 / p.size))
			if !near || distance >= p.cfg.Gap {
				continue
			}
			if sign < 0 {
				x = x.Add(image)
			}
			c.add(p.size*(p.cfg.Gap-distance), x, at.Turn.Apply(gradient).Scale(sign))
		}
	}
}
