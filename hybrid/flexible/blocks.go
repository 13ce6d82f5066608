package flexible

// block is cells of a kind that are worked on together.
type block struct {
	kind  kind
	cells []*Cell
}

// newKinds are those of the cells, by what they are made of.
func newKinds(cells []*Cell, workers int) map[any]kind {
	count, kinds := map[any]int{}, map[any]kind{}
	for _, c := range cells {
		count[c.Kind()]++
	}
	for _, c := range cells {
		of := c.Kind()
		if kinds[of] != nil {
			continue
		}
		kinds[of] = c.surface.works(count[of], workers)
	}
	return kinds
}

// inBlocks puts some of the cells into blocks, in memory that is free.
func (s *System) inBlocks(blocks []block, which func(i int) bool) []block {
	room := blocks[:cap(blocks)]
	blocks = blocks[:0]
	type alike struct {
		kind     kind
		implicit bool
	}
	open := map[alike]int{} // of each: the block that is not full
	for i, c := range s.Cells {
		if !which(i) {
			continue
		}
		k, like := s.kinds[c.Kind()], alike{s.kinds[c.Kind()], c.Implicit()}
		b, has := open[like]
		if !has || len(blocks[b].cells) == k.together() {
			b = len(blocks)
			open[like] = b
			one := block{kind: k}
			if b < len(room) {
				one.cells = room[b].cells[:0]
			}
			blocks = append(blocks, one)
		}
		blocks[b].cells = append(blocks[b].cells, c)
	}
	return blocks
}

// Attend has forces found of some cells alone: those of others stay what they were.
func (s *System) Attend(which func(i int) bool) {
	s.blocks = s.inBlocks(s.blocks, which)
	s.faults = make([]fault, len(s.blocks))
}

// LetSlip has some cells alone slip, whose forces are found.
func (s *System) LetSlip(which func(i int) bool) { s.slipping = s.inBlocks(s.slipping, which) }
