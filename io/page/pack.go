package page

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"net/http"
)

// packed is a JSON head and numbers behind it: the length of the head in 4 bytes, the head, which
// ends with blanks at a multiple of 4, and the numbers, all little-endian.
type packed struct {
	arrays []packedArray
	body   bytes.Buffer
}

// packedArray tells where numbers are, in bytes from the end of the head, and what: u1, u4 or f4.
type packedArray struct {
	Name   string
	Type   string
	Offset int
	Length int
}

func (p *packed) begin(name, of string, n int) {
	for p.body.Len()%4 != 0 {
		p.body.WriteByte(0)
	}
	p.arrays = append(p.arrays, packedArray{name, of, p.body.Len(), n})
}

func (p *packed) bytes(name string, v []byte) {
	p.begin(name, "u1", len(v))
	p.body.Write(v)
}

func (p *packed) indices(name string, v []uint32) {
	p.begin(name, "u4", len(v))
	_ = binary.Write(&p.body, binary.LittleEndian, v)
}

func (p *packed) floats(name string, v []float32) {
	p.begin(name, "f4", len(v))
	_ = binary.Write(&p.body, binary.LittleEndian, v)
}

// write sends it, with what else the head has.
func (p *packed) write(w http.ResponseWriter, head map[string]any) {
	head["Arrays"] = p.arrays
	text, err := json.Marshal(head)
	if err != nil {
		panic(err) // numbers that are none are sent as arrays
	}
	for len(text)%4 != 0 {
		text = append(text, ' ')
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	var length [4]byte
	binary.LittleEndian.PutUint32(length[:], uint32(len(text)))
	for _, part := range [][]byte{length[:], text, p.body.Bytes()} {
		if _, err := w.Write(part); err != nil {
			return // the reader is gone
		}
	}
}
