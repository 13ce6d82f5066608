package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"lbmib/run/check"
	"lbmib/run/setup"
)

// mostText bounds what the program may say about a case, in bytes. A case may have many
// faults; nobody reads more than some pages of them.
const mostText = 64 << 10

// judge lets the program judge a case, and judges what it says. The class is what it
// made of the case.
func judge(name string, text []byte, sets []string) (class string, problem error) {
	r := check.Judge(name, text, sets, setup.Kernel{})
	class = "accepted"
	if len(r.Errors) > 0 {
		class = "refused"
	}
	var said bytes.Buffer
	r.Write(&said, nil)
	if err := speaks(said.String()); err != nil {
		return class, err
	}
	if !bytes.Contains(text, []byte("92233720368547")) && !strings.Contains(strings.Join(sets, ""), "92233720368547") {
		if err := without(said.String(), overflown...); err != nil {
			return class, err
		}
	}
	document, err := json.Marshal(r)
	if err != nil {
		return class, fmt.Errorf("check --json: %w", err)
	}
	if len(document) > 4*mostText && len(r.Bodies) < 100 {
		return class, fmt.Errorf("check --json prints %d bytes", len(document))
	}
	return class, nil
}

// speaks holds a text that the program prints against what a terminal and a reader bear.
func speaks(text string) error {
	if len(text) > mostText && strings.Count(text, "\n") < 1000 {
		return fmt.Errorf("%d bytes are printed in %d lines", len(text), strings.Count(text, "\n"))
	}
	for i, c := range text {
		if unicode.IsControl(c) && c != '\n' && c != '\t' || unicode.Is(unicode.Bidi_Control, c) {
			return fmt.Errorf("the character %U reaches the terminal, behind %.60q", c, text[max(0, i-60):i])
		}
	}
	return without(text, "%!", "<nil>")
}

// overflown are beginnings of numbers that are the ends of integers.
var overflown = []string{"-92233720368547758", "−92233720368547758"}

// without holds that none of the passages stands in a text.
func without(text string, passages ...string) error {
	for _, p := range passages {
		if i := strings.Index(text, p); i >= 0 {
			return fmt.Errorf("%s is printed: %.200q", p, text[max(0, i-100):min(len(text), i+100)])
		}
	}
	return nil
}
