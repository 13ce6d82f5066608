// Package run turns a case into a finished run directory: it steps what package setup makes of
// the case and lets observers write what the case asks for. It is what the commands of lbmib share.
package run
