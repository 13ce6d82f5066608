package main

import (
	"path/filepath"
	"testing"

	"lbmib/internal/browser"
)

// In a browser, from files, without a server: the search box finds a key, a page is as wide as a phone, and nothing is
// missing or refused.
func TestTheSiteInABrowser(t *testing.T) {
	_, dir, _ := made(t)
	tab := browser.Open(t, "file://"+filepath.Join(dir, "tutorials", "cylinder.html"), browser.View{Width: 390, Height: 844, Dark: true})
	tab.Until(`document.readyState === "complete" && typeof pages === "object"`)
	tab.Eval(`box.value = "viscosity_ratio"; box.dispatchEvent(new Event("input"))`)
	if to, _ := tab.Eval(`found.querySelector("a").getAttribute("href")`).(string); to == "" {
		t.Error("the search box finds no viscosity_ratio")
	}
	if shown, _ := tab.Eval(`getComputedStyle(nav).display`).(string); shown != "none" {
		t.Errorf("the menu of a phone is %q at first, want none", shown)
	}
	tab.Eval(`menu.click()`)
	if shown, _ := tab.Eval(`getComputedStyle(nav).display`).(string); shown != "block" {
		t.Errorf("the menu of a phone is %q after a press, want block", shown)
	}
	for _, page := range []string{"tutorials/cylinder.html", "index.html", "keys.html", "case-file.html", "faq.html", "overview.html", "gallery.html", "method.html", "validation/index.html", "architecture.html"} {
		tab.Go("file://" + filepath.Join(dir, page))
		tab.Until(`location.pathname.endsWith("/` + page + `") && document.readyState === "complete" && typeof pages === "object" && document.documentElement !== null`)
		if wide, _ := tab.Eval(`document.documentElement.scrollWidth`).(float64); wide < 300 || wide > 390 {
			t.Errorf("%s is %v pixels wide on a phone of 390", page, wide)
		}
	}
	for _, f := range tab.Faults() {
		t.Error(f)
	}
}
