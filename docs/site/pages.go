package main

// entry is a page of the navigation: a document of the tree, or what is made.
type entry struct {
	title    string   // in the navigation
	from     string   // the document, from the root of the tree; empty: the reference of the keys
	sections []string // of the document, by their headings; none: all of it
	to       string   // the file of the site; empty: named as the document
}

// group is a part of the navigation.
type group struct {
	title   string
	entries []entry
}

// navigation is all pages, in their order.
var navigation = []group{
	{"", []entry{
		{"Welcome", "docs/index.md", nil, "index.html"},
		{"Getting started", "docs/getting-started.md", nil, "getting-started.html"},
		{"Gallery", "README.md", []string{"Gallery"}, "gallery.html"},
		{"Questions and answers", "docs/faq.md", nil, "faq.html"},
	}},
	{"Tutorials", []entry{
		{"A cylinder in a stream", "docs/tutorials/cylinder.md", nil, "tutorials/cylinder.html"},
		{"Your own STL file", "docs/own-part.md", nil, "own-part.html"},
		{"Free bodies", "docs/tutorials/free-bodies.md", nil, "tutorials/free-bodies.html"},
		{"Cells and capsules", "docs/tutorials/cells.md", nil, "tutorials/cells.html"},
		{"Flow in a vessel", "docs/tutorials/vessel.md", nil, "tutorials/vessel.html"},
		{"Sweeps and convergence", "docs/tutorials/sweep.md", nil, "tutorials/sweep.html"},
		{"On a GPU", "docs/tutorials/gpu.md", nil, "tutorials/gpu.html"},
		{"On a cluster", "docs/tutorials/cluster.md", nil, "tutorials/cluster.html"},
	}},
	{"Reference", []entry{
		{"Overview: commands, outputs", "README.md", nil, "overview.html"},
		{"The case file", "docs/case-file.md", nil, "case-file.html"},
		{"All keys", "", nil, "keys.html"},
		{"The live page", "docs/page.md", nil, "page.html"},
		{"From Python", "docs/python.md", nil, "python.html"},
		{"Many ranks", "docs/cluster.md", nil, "cluster.html"},
	}},
	{"Background", []entry{
		{"The method", "docs/method.md", nil, "method.html"},
		{"Validation", "validation/README.md", nil, "validation/index.html"},
		{"Performance", "README.md", []string{"Is it fast?", "On a GPU"}, "performance.html"},
		{"Architecture", "docs/architecture.md", nil, "architecture.html"},
		{"Extending", "docs/extending.md", nil, "extending.html"},
	}},
	{measured, []entry{
		{"All numbers of validation", "validation/report/report.md", nil, ""},
		{"Stability", "validation/stability/README.md", nil, ""},
		{"Processors", "validation/cpu/README.md", nil, ""},
		{"GPUs", "validation/gpu/README.md", nil, ""},
		{"Markers and grid", "validation/ib/README.md", nil, ""},
		{"Ranks: a model", "validation/cluster/README.md", nil, ""},
		{"Ranks: two cores", "validation/cluster/two-cores.md", nil, ""},
		{"Robustness", "validation/robustness/README.md", nil, ""},
	}},
}

// measured is the group to which documents are added that others link to.
const measured = "Measured"
