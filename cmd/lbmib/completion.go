package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"lbmib/run/exit"
)

// shells are those that can complete command lines, and what each reads.
var shells = map[string]func(w io.Writer, of []completed){"bash": completeBash, "zsh": completeZsh, "fish": completeFish}

type completionCommand struct {
	Shell string `arg:"" name:"SHELL" help:"bash, zsh or fish."`
}

func (completionCommand) examples() []string {
	return []string{
		"lbmib completion bash > ~/.local/share/bash-completion/completions/lbmib",
		"lbmib completion zsh > ~/.zfunc/_lbmib",
		"lbmib completion fish > ~/.config/fish/completions/lbmib.fish",
	}
}

// Run prints a script that has a shell complete command lines.
func (c *completionCommand) Run(s *surroundings) error {
	write := shells[c.Shell]
	if write == nil {
		return usage("there is no completion for %q: choose bash, zsh or fish", c.Shell)
	}
	var text strings.Builder
	write(&text, completedOf(s.model()))
	if _, err := io.WriteString(s.stdout, text.String()); err != nil {
		return &exit.Error{Code: exit.InputOutput, Err: err}
	}
	return nil
}

// completed is what may follow a command: words and flags. The first is the program itself.
type completed struct {
	path  []string // of the command: "bench", "ib"
	about string
	words []word // subcommands, templates, …
	flags []word
	files bool // names of files may follow
}

// word is one that can be completed, and what it is.
type word struct {
	text, about string
	takes       bool // a flag that has a value
}

// completedOf are all commands, those above others first.
func completedOf(app *kong.Application) (all []completed) {
	var add func(n *kong.Node, path []string)
	add = func(n *kong.Node, path []string) {
		c := completed{path: path, about: firstSentence(n.Help)}
		for _, group := range n.AllFlags(true) {
			for _, f := range group {
				c.flags = append(c.flags, word{"--" + f.Name, firstSentence(f.Help), !f.IsBool()})
			}
		}
		for _, p := range n.Positional {
			switch p.Name {
			case "TEMPLATE":
				for _, name := range templateNames() {
					c.words = append(c.words, word{text: name, about: "a template"})
				}
			case "SHELL":
				c.words = append(c.words, word{text: "bash"}, word{text: "fish"}, word{text: "zsh"})
			case "COMMAND":
				for _, child := range app.Children {
					if !child.Hidden {
						c.words = append(c.words, word{text: child.Name, about: firstSentence(child.Help)})
					}
				}
			default:
				c.files = true
			}
		}
		at := len(all)
		all = append(all, c)
		for _, child := range n.Children {
			if child.Hidden {
				continue
			}
			all[at].words = append(all[at].words, word{text: child.Name, about: firstSentence(child.Help)})
			add(child, append(slices.Clone(path), child.Name))
		}
	}
	add(app.Node, nil)
	return all
}

// endOfSentence is a full stop with a capital behind it: that of "e.g." is none.
var endOfSentence = regexp.MustCompile(`\. [A-Z]`)

// firstSentence is that of a help, without its full stop.
func firstSentence(help string) string {
	if at := endOfSentence.FindStringIndex(help); at != nil {
		help = help[:at[0]]
	}
	help, _, _ = strings.Cut(help, " (default")
	return strings.TrimSuffix(help, ".")
}

// texts are words as they are typed.
func texts(words ...word) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.text
	}
	return out
}

// completeBash completes commands, flags and files by a function.
func completeBash(w io.Writer, of []completed) {
	fmt.Fprint(w, "# bash completion of lbmib; made by: lbmib completion bash\n_lbmib() {\n\tlocal cur=${COMP_WORDS[COMP_CWORD]} command= words= files= i\n\tfor ((i = 1; i < COMP_CWORD; i++)); do\n\t\tcase \"$command ${COMP_WORDS[i]}\" in\n")
	for _, c := range of[1:] {
		above := strings.Join(c.path[:len(c.path)-1], " ")
		fmt.Fprintf(w, "\t\t%q) command=%q ;;\n", above+" "+c.path[len(c.path)-1], strings.Join(c.path, " "))
	}
	fmt.Fprint(w, "\t\tesac\n\tdone\n\tcase $command in\n")
	for _, c := range of {
		files := ""
		if c.files {
			files = " files=1"
		}
		fmt.Fprintf(w, "\t%q) words=%q%s ;;\n", strings.Join(c.path, " "), strings.Join(texts(append(slices.Clone(c.words), c.flags...)...), " "), files)
	}
	fmt.Fprint(w, "\tesac\n\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n\tif [[ -n $files && $cur != -* || ${COMP_WORDS[COMP_CWORD-1]} == --out || ${COMP_WORDS[COMP_CWORD-1]} == --report ]]; then\n"+
		"\t\tlocal named\n\t\tmapfile -t named < <(compgen -f -- \"$cur\")\n\t\tCOMPREPLY=(\"${COMPREPLY[@]}\" \"${named[@]}\")\n\tfi\n}\ncomplete -o filenames -F _lbmib lbmib\n")
}

// quoted is a text between single quotes for a shell; apostrophe is how it writes one there.
func quoted(text, apostrophe string) string {
	return "'" + strings.ReplaceAll(text, "'", apostrophe) + "'"
}

// completeZsh completes by zsh's own functions, with what each word is.
func completeZsh(w io.Writer, of []completed) {
	quote := func(s string) string { return quoted(s, `'\''`) }
	plain := strings.NewReplacer("[", "(", "]", ")", ":", " -", "\\", "")
	fmt.Fprint(w, "#compdef lbmib\n# zsh completion of lbmib; made by: lbmib completion zsh\n_lbmib() {\n\tlocal -a words_of\n\tlocal command=\"\" i\n\tfor ((i = 2; i < CURRENT; i++)); do\n\t\tcase \"$command $words[i]\" in\n")
	for _, c := range of[1:] {
		above := strings.Join(c.path[:len(c.path)-1], " ")
		fmt.Fprintf(w, "\t\t%q) command=%q ;;\n", above+" "+c.path[len(c.path)-1], strings.Join(c.path, " "))
	}
	fmt.Fprint(w, "\t\tesac\n\tdone\n\tcase $command in\n")
	for _, c := range of {
		fmt.Fprintf(w, "\t%q)\n\t\twords_of=(", strings.Join(c.path, " "))
		for _, x := range append(slices.Clone(c.words), c.flags...) {
			fmt.Fprintf(w, "\n\t\t\t%s", quote(plain.Replace(x.text)+":"+plain.Replace(x.about)))
		}
		fmt.Fprint(w, ")\n\t\t_describe -o lbmib words_of\n")
		if c.files {
			fmt.Fprint(w, "\t\t_files\n")
		}
		fmt.Fprint(w, "\t\t;;\n")
	}
	fmt.Fprint(w, "\tesac\n}\nif [ \"$funcstack[1]\" = \"_lbmib\" ]; then\n\t_lbmib \"$@\"\nelse\n\tcompdef _lbmib lbmib\nfi\n")
}

// completeFish completes by conditions on the commands before.
func completeFish(w io.Writer, of []completed) {
	quote := func(s string) string { return quoted(strings.ReplaceAll(s, `\`, `\\`), `\'`) }
	fmt.Fprint(w, "# fish completion of lbmib; made by: lbmib completion fish\ncomplete -c lbmib -f\n")
	for _, c := range of {
		when := "__fish_use_subcommand"
		if n := len(c.path); n > 0 {
			when = "__fish_seen_subcommand_from " + c.path[0]
			if n > 1 {
				when += "; and __fish_seen_subcommand_from " + c.path[1]
			} else if below := subcommands(of, c.path[0]); len(below) > 0 {
				when += "; and not __fish_seen_subcommand_from " + strings.Join(below, " ")
			}
		}
		for _, x := range c.words {
			fmt.Fprintf(w, "complete -c lbmib -n %s -a %s -d %s\n", quote(when), quote(x.text), quote(x.about))
		}
		for _, x := range c.flags {
			value := ""
			if x.takes {
				value = " -r"
			}
			fmt.Fprintf(w, "complete -c lbmib -n %s -l %s%s -d %s\n", quote(when), strings.TrimPrefix(x.text, "--"), value, quote(x.about))
		}
		if c.files {
			fmt.Fprintf(w, "complete -c lbmib -n %s -F\n", quote(when))
		}
	}
}

// subcommands are the commands right below one.
func subcommands(of []completed, command string) (names []string) {
	for _, c := range of {
		if len(c.path) == 2 && c.path[0] == command {
			names = append(names, c.path[1])
		}
	}
	return names
}
