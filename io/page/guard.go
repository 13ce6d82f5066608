package page

import (
	"crypto/subtle"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"strings"
	"time"
)

// cookieName is of the cookie that holds the token. It is sent to the page's folder alone, whose
// name nobody else knows: cookies know no ports, and other servers of this address get none.
const cookieName = "lbmib"

// policy is what the page may do: load what is served here, and nothing that is written into it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// quiet is where the HTTP server's own messages go: nobody can do anything about a reader that is gone.
var quiet = log.New(io.Discard, "", 0)

// guarded lets in who asks this address by its name, from its own pages, and knows the token.
func (s *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.served.Add(1)
		defer s.served.Done()
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		switch {
		case !s.isOurs(r.Host):
			refuse(w, "this page is asked for by another name than its own")
		case !s.isFromHere(r):
			refuse(w, "this page is not for others")
		case !s.knowsToken(r):
			refuse(w, "the token is missing or wrong: open the address that the run has printed")
		default:
			r.Body = http.MaxBytesReader(w, r.Body, mostBody)
			_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writePatience))
			next.ServeHTTP(w, r)
		}
	})
}

func refuse(w http.ResponseWriter, why string) { http.Error(w, why, http.StatusForbidden) }

// isOurs tells whether a name with its port is this server's: a name that another site has led to
// this address (DNS rebinding) is not.
func (s *Server) isOurs(host string) bool {
	return host == s.host() || host == "localhost"+strings.TrimPrefix(s.host(), "127.0.0.1")
}

// isFromHere tells whether a browser asks from one of this server's own pages, or its user does.
func (s *Server) isFromHere(r *http.Request) bool {
	if from := r.Header.Get("Sec-Fetch-Site"); from != "" && from != "same-origin" && from != "none" {
		// A link elsewhere may lead here: to the entrance, where the token itself is asked for.
		if r.URL.Path != "/" || r.Method != http.MethodGet || r.Header.Get("Sec-Fetch-Mode") != "navigate" {
			return false
		}
	}
	for _, origin := range r.Header.Values("Origin") {
		host, ok := strings.CutPrefix(origin, "http://")
		if !ok || host != r.Host {
			return false
		}
	}
	return true
}

// knowsToken tells whether the token is in the address of the entrance, or else in the cookie or a header.
func (s *Server) knowsToken(r *http.Request) bool {
	if r.URL.Path == "/" {
		return s.isToken(r.URL.Query().Get("token"))
	}
	if given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return s.isToken(given)
	}
	c, err := r.Cookie(cookieName)
	return err == nil && s.isToken(c.Value)
}

func (s *Server) isToken(given string) bool {
	return subtle.ConstantTimeCompare([]byte(given), []byte(s.token)) == 1
}

// enter takes the token out of the address, into a cookie. Browsers send no such cookie along the
// redirection of a link from elsewhere; a page of here that leads on is another matter.
func (s *Server) enter(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: s.token, Path: s.folder, HttpOnly: true, SameSite: http.SameSiteStrictMode})
	if from := r.Header.Get("Sec-Fetch-Site"); from == "" || from == "none" {
		http.Redirect(w, r, s.folder, http.StatusSeeOther)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Refresh", "0; url="+s.folder)
	_, _ = io.WriteString(w, "<!doctype html><title>lbmib</title><p><a href=\""+s.folder+"\">The run</a>")
}

// answer writes a JSON document.
func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the reader may be gone
}
