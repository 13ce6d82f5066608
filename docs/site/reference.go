package main

import (
	"bytes"
	"fmt"
	"strings"

	"lbmib/io/casefile"
)

// introductions are what stands below the heading of a table: where the document of the case file has more of it.
var introductions = map[string]string{
	"":                      "These stand above all tables.",
	"domain.boundary":       "More on [faces](case-file.md#domainboundary).",
	"domain.boundary.FACE":  "FACE is one of `left`, `right`, `bottom`, `top`, `front`, `back`. More on [faces](case-file.md#domainboundary).",
	"domain.flow":           "More on [flow rates that are held](case-file.md#a-flow-rate-that-is-held).",
	"domain.vessel":         "More on [vessels](case-file.md#vessels-and-port).",
	"port":                  "More on [ports](case-file.md#vessels-and-port).",
	"shape":                 "The table `shape` of a `[[body]]`, a `[[solid]]`, a `[[suspension]]`, and the parts of a union. More on [shapes](case-file.md#shapes).",
	"body.motion":           "Also the table `material` of a `[[suspension]]`, whose cells are elastic. d is the number of dimensions. More on [motions](case-file.md#motions).",
	"body.motion.hold.END":  "END is `start` or `end` of a line.",
	"body.motion.capillary": "In place of a number.",
	"suspension":            "More on [suspensions](case-file.md#suspension).",
	"refine":                "More on [nested grids](case-file.md#refine).",
	"output":                "More on [what each writes](case-file.md#output).",
	"reference":             "More on [scales](case-file.md#reference).",
	"fluid":                 "More on [the fluid](case-file.md#fluid).",
	"ib":                    "More on [the coupling](case-file.md#ib).",
	"run":                   "More on [runs](case-file.md#run).",
	"domain":                "More on [the domain](case-file.md#domain).",
	"body":                  "More on [bodies](case-file.md#body).",
	"solid":                 "More on [solids](case-file.md#solid).",
	"constants":             "More on [constants](case-file.md#constants).",
}

// reference is the document of all keys, made of what the reader of case files knows.
func reference() []byte {
	var b bytes.Buffer
	b.WriteString("# All keys of a case file\n\n" +
		"This page is made from the tables by which the program reads a case: a key that is here is read, and none is read that is not here. " +
		"[The case file](case-file.md) explains them, with expressions, units and examples.\n\n" +
		"Plain numbers are in the unit given. Where an example stands beside it a string with a unit will do, if `[reference]` has `length`, `speed` and, " +
		"where there is a mass, `density`. Lengths are in L, velocities in U, times in L/U; vectors have as many entries as the lattice has dimensions.\n")
	for _, t := range casefile.KeyTables() {
		name := "[" + t.Name + "]"
		switch {
		case t.Name == "":
			name = "The case"
		case t.Array:
			name = "[" + name + "]"
		}
		fmt.Fprintf(&b, "\n## %s\n\n", name)
		if text := introductions[t.Name]; text != "" {
			fmt.Fprintf(&b, "%s\n\n", text)
		}
		b.WriteString("| key | meaning | value | unit | default |\n|---|---|---|---|---|\n")
		for _, k := range t.Keys {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", k.Name, cell(k.Means+of(k)), cell(value(k)), cell(unit(k)), cell(orCode(k.Default)))
		}
	}
	return b.Bytes()
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// value is what a key may be.
func value(k casefile.Key) string {
	if len(k.Words) == 0 {
		return k.Type
	}
	words := "`\"" + strings.Join(k.Words, "\"`, `\"") + "\"`"
	switch {
	case k.Type == "one of the words":
		return words
	case strings.Contains(k.Type, "one of the words"):
		return strings.Replace(k.Type, "one of the words", words, 1)
	}
	return strings.Replace(k.Type, "the words", words, 1)
}

// unit is that of its numbers.
func unit(k casefile.Key) string {
	if k.Example == "" {
		return k.Unit
	}
	return fmt.Sprintf("%s, or as `\"%s\"`", k.Unit, k.Example)
}

// orCode sets off a default that can stand in a case.
func orCode(def string) string {
	if def == "true" || def == "false" || strings.HasPrefix(def, "[") || strings.HasPrefix(def, `"`) && strings.HasSuffix(def, `"`) || strings.Trim(def, "0123456789.e-") == "" {
		return "`" + def + "`"
	}
	if def == "required" {
		return "**required**"
	}
	return def
}

// of tells which types of a table have a key.
func of(k casefile.Key) string {
	if len(k.Of) == 0 {
		return ""
	}
	return " *With `" + strings.Join(k.Of, "`, `") + "`.*"
}
