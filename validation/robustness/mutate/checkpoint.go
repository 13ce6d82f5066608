package mutate

import (
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"math/rand/v2"
)

// Of a checkpoint (io/checkpoint): the last bytes are the length of the index, its
// checksum, the checksum of these twelve bytes, and eight bytes that end it.
const checkpointTail = 8 + 4 + 4 + 8

// Checkpoint changes the description in a checkpoint and makes its checksums right
// again, so that what lies behind them is reached. What is no checkpoint gets other bytes.
func Checkpoint(file []byte, r *rand.Rand) []byte {
	index, ok := IndexOf(file)
	if !ok {
		return Bytes(file, r)
	}
	if r.IntN(2) == 0 {
		if changed, ok := meta(index, r); ok {
			return WithIndex(file, changed)
		}
	}
	changed := string(index)
	for range 1 + r.IntN(3) {
		if r.IntN(5) == 0 {
			changed = string(Bytes([]byte(changed), r))
		} else {
			changed = document(changed, r)
		}
	}
	return WithIndex(file, []byte(changed))
}

// meta is a description in which only what the run wrote of itself is changed, and
// perhaps the step.
func meta(index []byte, r *rand.Rand) ([]byte, bool) {
	var x struct {
		Step     json.RawMessage `json:"step"`
		Meta     json.RawMessage `json:"meta"`
		Sections json.RawMessage `json:"sections"`
	}
	if json.Unmarshal(index, &x) != nil {
		return nil, false
	}
	for range 1 + r.IntN(3) {
		x.Meta = json.RawMessage(document(string(x.Meta), r))
	}
	if r.IntN(5) == 0 {
		x.Step = json.RawMessage(pick(r, []string{"0", "1", "-1", "9223372036854775807", "100", "7"}))
	}
	changed, err := json.Marshal(x)
	return changed, err == nil
}

// IndexOf is the description in a checkpoint, a JSON document.
func IndexOf(file []byte) (index []byte, ok bool) {
	at := len(file) - checkpointTail
	if at < 0 {
		return nil, false
	}
	n := binary.LittleEndian.Uint64(file[at:])
	if n > uint64(at) {
		return nil, false
	}
	return file[at-int(n) : at], true
}

// WithIndex is a checkpoint with another description.
func WithIndex(file, index []byte) []byte {
	old, _ := IndexOf(file)
	at := len(file) - checkpointTail
	sum := func(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }
	out := append(append([]byte{}, file[:at-len(old)]...), index...)
	tail := binary.LittleEndian.AppendUint64(nil, uint64(len(index)))
	tail = binary.LittleEndian.AppendUint32(tail, sum(index))
	tail = binary.LittleEndian.AppendUint32(tail, sum(tail))
	return append(append(out, tail...), file[len(file)-8:]...)
}

// document changes a value in a JSON document.
func document(text string, r *rand.Rand) string {
	all := tokens(jsonAsTOML(text))
	if len(all) == 0 {
		return text
	}
	return replaceAny(text, all, value, r, func(old string, _ token) string {
		switch r.IntN(4) {
		case 0:
			return nudged(old, r)
		case 1:
			return pick(r, []string{"0", "-1", "1", "9223372036854775807", "-9223372036854775808", "1e300", "1e999", "4294967296", "1048576", "1e-5"})
		}
		return pick(r, []string{"null", "true", "{}", "[]", `""`, `"x"`, `"f64"`, `"float32"`, "[null]", `{"a":1}`})
	})
}

// jsonAsTOML has the tokens of a JSON document at the same places.
func jsonAsTOML(text string) string {
	b := []byte(text)
	quoted := false
	for i, c := range b {
		switch {
		case c == '"' && (i == 0 || b[i-1] != '\\'):
			quoted = !quoted
		case c == ':' && !quoted:
			b[i] = '='
		}
	}
	return string(b)
}
