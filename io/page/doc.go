// Package page serves a page that shows a run, or the runs of a sweep, while they go on: to the
// browsers of this machine alone, and to those alone that know its token.
//
// A run tells the page what it is (Prepare and Begin), how far it is (Progress), the rows of its tables (Row),
// and how it ended (End). Pictures and shapes go the other way round: readers wait for what they
// want to look at, the run asks for these wishes when it has time (Wishes) and grants them (Grant).
// So nothing is made that nobody waits for, and a slow reader waits for itself alone. No call of
// the run's waits for a reader.
//
//	server.go    the server: address, routes, how it ends
//	guard.go     who is let in, and what a browser may do with an answer
//	state.go     what readers are told: the run, its progress, its ending, the runs of a sweep
//	events.go    the stream of server-sent events that tells it
//	wishes.go    pictures and shapes that readers wait for
//	raster.go    a picture as bytes
//	pack.go      numbers as bytes behind a JSON head
//	series.go    the rows of tables
//	report.go    report.html of a run that has ended
//	assets       the page itself: modules without a build step, and what they take from others
package page
