//go:build !amd64

package bandwidth

func vectorCopies() []copyWay { return nil }

func vectorUpdates() []updateWay { return nil }
