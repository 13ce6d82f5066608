package durable

import "path/filepath"

// RemoveInTurn removes files one after the other. Those of one turn, as turn names it, are
// gone from the disk before the first of the next, so that whenever the power fails what is
// left is a file, and with it all behind.
func RemoveInTurn(files []string, turn func(path string) string) error {
	return removeInTurn(files, turn, Remove, SyncDir)
}

func removeInTurn(files []string, turn func(string) string, remove, syncDir func(string) error) error {
	touched := map[string]bool{}
	for i, path := range files {
		if i > 0 && turn(path) != turn(files[i-1]) {
			for dir := range touched {
				if err := syncDir(dir); err != nil {
					return err
				}
			}
			clear(touched)
		}
		if err := remove(path); err != nil {
			return err
		}
		touched[filepath.Dir(path)] = true
	}
	return nil
}
