package mutate

import (
	"bytes"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"lbmib/io/checkpoint"
)

const small = `# a = 1
title = "x # y"
[domain]
size = [1.0, 2]   # in L
boundary.left = { type = "velocity", value = [1.0, 0.0] }
[[body]]
points = [
  [0.0, 1.0],
  [1.0, 1.0]]
name = """a
b"""
`

func TestTokensKnowKeysAndValues(t *testing.T) {
	var keys, values, headers []string
	for _, k := range tokens(small) {
		word := small[k.at:k.end]
		switch k.kind {
		case key:
			keys = append(keys, word)
		case value:
			values = append(values, k.of+"="+word)
		case header:
			headers = append(headers, word)
		}
	}
	for _, c := range []struct{ got, want string }{
		{strings.Join(keys, " "), "title size boundary.left type value points name"},
		{strings.Join(headers, " "), "domain body"},
		{strings.Join(values, " "), `title="x # y" size=1.0 size=2 type="velocity" value=1.0 value=0.0 points=0.0 points=1.0 points=1.0 points=1.0 name="""a` + "\nb" + `"""`},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

// Of changed cases a good part must still be TOML, or nothing behind the decoder is
// reached; most must differ from each other.
func TestChangedCasesReachWhatLiesBehindTheDecoder(t *testing.T) {
	c := NewCases([]string{small})
	seen, decoded := map[string]bool{}, 0
	const n = 2000
	for i := range uint64(n) {
		text, sets := c.Mutant(rand.New(rand.NewPCG(1, i)))
		again, _ := c.Mutant(rand.New(rand.NewPCG(1, i)))
		if text != again {
			t.Fatalf("mutant %d is not always the same", i)
		}
		seen[text+strings.Join(sets, "\n")] = true
		var v map[string]any
		if _, err := toml.Decode(text, &v); err == nil {
			decoded++
		}
	}
	if decoded < n/3 || len(seen) < n*8/10 {
		t.Errorf("of %d mutants %d are TOML and %d are different", n, decoded, len(seen))
	}
}

func TestAChangedDescriptionOfACheckpointHasRightChecksums(t *testing.T) {
	path, err := checkpoint.Write(t.TempDir(), 3, map[string]int{"offset": 7}, []checkpoint.Section{{Name: "f", Data: []float64{1, 2}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	index, ok := IndexOf(file)
	if !ok || !bytes.Equal(WithIndex(file, index), file) {
		t.Fatal("the same description gives another file")
	}
	changed := WithIndex(file, bytes.Replace(index, []byte(`"offset":7`), []byte(`"offset":-81`), 1))
	if err := os.WriteFile(path, changed, 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := checkpoint.Read(path)
	if err != nil || string(c.Meta) != `{"offset":-81}` {
		t.Errorf("read %s: %v", c.Meta, err)
	}
	read := 0
	for i := range uint64(500) {
		if err := os.WriteFile(path, Checkpoint(file, rand.New(rand.NewPCG(1, i))), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := checkpoint.Read(path); err == nil {
			read++
		}
	}
	if read == 0 {
		t.Error("no changed description is ever read")
	}
}
