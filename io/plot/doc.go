// Package plot draws the pictures of a run as PNG files: the history of the
// forces, maps of a scalar field with the bodies on it, profiles against
// reference data and convergence in log–log axes.
//
// Everything is drawn with gonum/plot's canvas, fonts and colour maps. Axes are
// laid out here, because a map of a domain needs a data area of exactly the
// domain's aspect ratio, and stacked panels need data areas that line up.
//
// A picture is written beside its final name and renamed when it is complete,
// so a reader never sees half of one. Folders are not created. Functions may be
// called from several goroutines at a time.
package plot
