// Package view shows a scalar field in a terminal: a picture of half-block
// characters, whose upper half has the foreground's colour and whose lower half
// the background's, so that a character holds two nearly square pixels.
//
// Render writes one picture; a Screen redraws pictures in place above a line of
// text. Nothing here asks the operating system for anything: the size of the
// terminal and the environment come from the caller.
package view
