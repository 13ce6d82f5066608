package kernels

import (
	"bytes"
	"strings"
	"testing"
)

func TestImagesOfAllFilesAreForSeveralAgesOfDevices(t *testing.T) {
	if len(Stems()) == 0 {
		t.Fatal("there are no kernels")
	}
	for _, stem := range Stems() {
		images, err := Images(stem)
		if err != nil || len(images) < 2 {
			t.Fatalf("%s: %d images, %v", stem, len(images), err)
		}
		for n, i := range images {
			if n > 0 && i.Compute >= images[n-1].Compute {
				t.Errorf("%s: the image for %d comes after that for %d: the newest must come first", stem, i.Compute, images[n-1].Compute)
			}
			if head := ".version " + i.Version + "\n.target " + i.Arch + "\n.address_size 64\n"; !bytes.HasPrefix(i.PTX, []byte(head)) || bytes.Count(i.PTX, []byte(".target")) != 1 {
				t.Errorf("%s, %v: the text begins %q", stem, i, i.PTX[:60])
			}
		}
		if text, err := PTX(stem); err != nil || !bytes.Equal(text, images[len(images)-1].PTX) {
			t.Errorf("%s: PTX is not that of the oldest: %v", stem, err)
		}
		if strings.Contains(stem, ".") {
			t.Errorf("%s is taken for a file of kernels", stem)
		}
	}
}
