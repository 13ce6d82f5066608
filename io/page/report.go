package page

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lbmib/internal/regular"
)

// mostReport bounds the report that is read.
const mostReport = 512 << 20

// report answers with report.html of the run that has ended, or of a run of a sweep by its number: no other file. It has its style within
// it, which is let through by its hashes; it may do nothing else, and be shown by this page alone.
func (s *Server) report(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	path, reports := s.reportAt, s.reports
	s.mutex.Unlock()
	if k := r.URL.Query().Get("run"); k != "" {
		i, err := strconv.Atoi(k)
		if err != nil || i < 0 || i >= len(reports) || reports[i] == "" {
			http.Error(w, "there is no such report", http.StatusNotFound)
			return
		}
		path = reports[i]
	}
	if path == "" { // another run has begun
		w.WriteHeader(http.StatusNoContent)
		return
	}
	text, err := regular.ReadFile(path, mostReport)
	if err != nil {
		http.Error(w, "the report cannot be read", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Security-Policy", reportPolicy(string(text)))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(text)
}

var (
	styleElement   = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	styleAttribute = regexp.MustCompile(` style="([^"]*)"`)
)

// reportPolicy lets a document have the styles that are in it, and pictures in it, and nothing else.
func reportPolicy(text string) string {
	hashes := []string{"'unsafe-hashes'"} // which lets attributes be let through by their hashes, and no others
	for _, of := range []*regexp.Regexp{styleElement, styleAttribute} {
		for _, m := range of.FindAllStringSubmatch(text, -1) {
			style := m[1]
			if of == styleAttribute {
				style = html.UnescapeString(style)
			}
			sum := sha256.Sum256([]byte(style))
			hashes = append(hashes, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
		}
	}
	slices.Sort(hashes)
	return "default-src 'none'; img-src data:; style-src " + strings.Join(slices.Compact(hashes), " ") + "; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin"
}
