// Command write makes THIRD_PARTY_NOTICES in the working directory, which is the module's root.
package main

import (
	"fmt"
	"os"

	"lbmib/internal/notices"
)

func main() {
	text, err := notices.Text(".")
	if err == nil {
		err = os.WriteFile(notices.File, []byte(text), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}
