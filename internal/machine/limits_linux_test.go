package machine

import "testing"

func TestTheModeOfHugePagesIsTheWordInBrackets(t *testing.T) {
	for list, want := range map[string]string{"always [madvise] never\n": "madvise", "[always] madvise never": "always", "always madvise [never]": "never"} {
		if got, err := chosen(list); err != nil || got != want {
			t.Errorf("%q is read as %q (%v), want %q", list, got, err, want)
		}
	}
	for _, list := range []string{"", "always madvise never", "[always"} {
		if got, err := chosen(list); err == nil {
			t.Errorf("%q is read as %q", list, got)
		}
	}
}
