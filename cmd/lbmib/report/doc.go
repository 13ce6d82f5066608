// Package report draws pictures of what a run left in its directory and makes
// one page of all of it, report.html. It knows a run by its files only, so that
// it serves runs that are finished, interrupted or still going on.
package report
