// Package harness is what benchmarks have in common. A selection of flags becomes specs
// (Choose, Expand); a Bench measures them, one by one or in groups that take turns, as
// rows with an Outcome; a Table writes rows for terminals and in Markdown, a Report puts
// sections of them together with plots. A benchmark adds what a spec is, how it is
// measured, and the columns. Besides, there are the machine (Host), the limits that its
// memory sets (Limits), how long to measure (Effort) and what results are held to (Check).
package harness
