package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"lbmib/run/exit"
)

// said is what a command line prints, and must end with code 0.
func said(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs strings.Builder
	if code := invoke(args, &out, &errs); code != exit.Done {
		t.Fatalf("lbmib %s ends with %d: %s", strings.Join(args, " "), code, &errs)
	}
	return out.String()
}

func TestVersionAndHelpAreFlagsAndCommands(t *testing.T) {
	if flag, command := said(t, "--version"), said(t, "version"); flag != command || !strings.HasPrefix(flag, "lbmib "+release) {
		t.Errorf("--version prints %q, version %q", flag, command)
	}
	for _, of := range [][]string{{}, {"run"}, {"bench", "ib"}} {
		if command, flag := said(t, append([]string{"help"}, of...)...), said(t, append(of, "--help")...); command != flag || !strings.Contains(flag, "Examples:") {
			t.Errorf("help %v prints\n%s\nand --help\n%s", of, command, flag)
		}
	}
	for _, args := range [][]string{{"help", "rum"}, {"completion", "tcsh"}} {
		var out, errs strings.Builder
		if code := invoke(args, &out, &errs); code != exit.BadCase || out.Len() > 0 {
			t.Errorf("%v ends with %d, prints %q and says %q", args, code, &out, &errs)
		}
	}
}

// Every command and flag is in the completion of every shell, and in the manual.
func TestCompletionAndManualHaveEveryCommandAndFlag(t *testing.T) {
	s := &surroundings{}
	texts := map[string]string{"man": strings.ReplaceAll(said(t, "man"), `\-`, "-")}
	for shell := range shells {
		texts[shell] = said(t, "completion", shell)
	}
	for _, n := range commandsOf(s.model().Node) {
		for what, text := range texts {
			if !strings.Contains(text, n.Name) {
				t.Errorf("%s lacks the command %s", what, nameOf(n))
			}
			for _, f := range n.Flags {
				name := "--" + f.Name
				if what == "fish" {
					name = "-l " + f.Name
				}
				if what == "man" && f.Name == "help" || f.Hidden {
					continue
				}
				if !strings.Contains(text, name) {
					t.Errorf("%s lacks %s of %s", what, name, nameOf(n))
				}
			}
		}
	}
}

// Bash completes what is typed; the others are read without an error where they are installed.
func TestCompletionsWorkInTheirShells(t *testing.T) {
	dir := t.TempDir()
	for shell := range shells {
		file := filepath.Join(dir, shell)
		if err := os.WriteFile(file, []byte(said(t, "completion", shell)), 0o666); err != nil {
			t.Fatal(err)
		}
		if path, err := exec.LookPath(shell); err == nil {
			if out, err := exec.Command(path, "-n", file).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%s -n: %v: %s", shell, err, out)
			}
		}
	}
	for typed, want := range map[string]string{
		"lbmib be": "bench", "lbmib bench co": "coupled", "lbmib run --se": "--set", "lbmib new settl": "settling-sphere",
		"lbmib completion z": "zsh", "lbmib help doc": "doctor", "lbmib check ca": "case.toml",
	} {
		script := fmt.Sprintf(`source %q; COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _lbmib; echo "${COMPREPLY[*]}"`, filepath.Join(dir, "bash"), typed)
		c := exec.Command("bash", "-c", "touch case.toml; "+script)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != want {
			t.Errorf("%q completes to %q (%v), want %q", typed, out, err, want)
		}
	}
}

// No text of the manual is taken for a request: lines that begin with a dot are those of the page's macros.
func TestTheManualIsPlainRoff(t *testing.T) {
	request := regexp.MustCompile(`^\.(TH|SH|SS|TP|B|I|PP|RS|RE|nf|fi|br)\b`)
	for i, line := range strings.Split(said(t, "man"), "\n") {
		if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !request.MatchString(line) {
			t.Errorf("line %d of the manual is %q", i+1, line)
		}
	}
}
