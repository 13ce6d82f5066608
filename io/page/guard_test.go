package page

import (
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"
)

// serve is a server that ends with the test, and a reader who has come in by the address: all of the page's files are below folder.
func serve(t *testing.T, b Buttons) (s *Server, reader *http.Client, folder string) {
	t.Helper()
	s, err := Listen(b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DisableKeepAlives: true}
	t.Cleanup(transport.CloseIdleConnections)
	reader = &http.Client{Jar: jar, Transport: transport}
	answer, err := reader.Get(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("the address answers with %s", answer.Status)
	}
	return s, reader, "http://" + s.host() + s.folder
}

// request makes one with headers, as name: value; Host is the request's.
func request(t *testing.T, method, url string, headers ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			r.Host = value
		} else {
			r.Header.Add(name, value)
		}
	}
	return r
}

// get is the code and the text of an answer.
func get(t *testing.T, c *http.Client, r *http.Request) (code int, text string, h http.Header) {
	t.Helper()
	answer, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body), answer.Header
}

func TestOnlyThoseWhoKnowTheTokenAreLetIn(t *testing.T) {
	pressed := 0
	s, reader, folder := serve(t, Buttons{Checkpoint: func() { pressed++ }, Stop: func() { pressed++ }})
	s.Begin(Head{Case: "case"})
	stranger := &http.Client{Transport: reader.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	entrance := "http://" + s.host() + "/"
	for _, c := range []struct {
		why  string
		by   *http.Client
		r    *http.Request
		code int
	}{
		{"no token", stranger, request(t, "GET", entrance), 403},
		{"a wrong token", stranger, request(t, "GET", entrance+"?token=00000000000000000000000000000000"), 403},
		{"a part of the token", stranger, request(t, "GET", entrance+"?token="+s.token[:31]), 403},
		{"no cookie", stranger, request(t, "GET", folder), 403},
		{"no cookie for data", stranger, request(t, "GET", folder+"events"), 403},
		{"the token in an address that is not the entrance", stranger, request(t, "GET", folder+"series?token="+s.token), 403},
		{"a wrong cookie", stranger, request(t, "GET", folder, "Cookie: lbmib=00000000000000000000000000000000"), 403},
		{"a wrong header", stranger, request(t, "GET", folder, "Authorization: Bearer 1"), 403},
		{"the token in a header", stranger, request(t, "GET", folder, "Authorization: Bearer "+s.token), 200},
		{"a button without a token", stranger, request(t, "POST", folder+"stop"), 403},
		{"a foreign host", reader, request(t, "GET", folder, "Host: evil.example"), 403},
		{"a foreign host at our port", reader, request(t, "GET", folder, "Host: evil.example"+strings.TrimPrefix(s.host(), "127.0.0.1")), 403},
		{"our address at another port", reader, request(t, "GET", folder, "Host: 127.0.0.1:1"), 403},
		{"a foreign host with the token", stranger, request(t, "GET", s.URL(), "Host: evil.example"), 403},
		{"localhost", stranger, request(t, "GET", folder, "Authorization: Bearer "+s.token, "Host: localhost"+strings.TrimPrefix(s.host(), "127.0.0.1")), 200},
		{"a foreign origin", reader, request(t, "GET", folder+"events", "Origin: http://evil.example"), 403},
		{"a foreign origin at a button", reader, request(t, "POST", folder+"stop", "Origin: http://evil.example"), 403},
		{"an opaque origin", reader, request(t, "POST", folder+"stop", "Origin: null"), 403},
		{"another scheme", reader, request(t, "POST", folder+"stop", "Origin: https://"+s.host()), 403},
		{"another port of this address", reader, request(t, "POST", folder+"stop", "Origin: http://127.0.0.1:1"), 403},
		{"a page of another site", reader, request(t, "GET", folder+"app.js", "Sec-Fetch-Site: cross-site"), 403},
		{"a page of another port", reader, request(t, "GET", folder+"events", "Sec-Fetch-Site: same-site"), 403},
		{"a frame of another site", reader, request(t, "GET", folder, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"), 403},
		{"a link of another site with the token", stranger, request(t, "GET", s.URL(), "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"), 200},
		{"a link of the terminal", stranger, request(t, "GET", s.URL(), "Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate"), 303},
		{"GET on a button", reader, request(t, "GET", folder+"stop"), 405},
		{"GET on the other", reader, request(t, "GET", folder+"checkpoint"), 405},
		{"PUT on a button", reader, request(t, "PUT", folder+"stop"), 405},
		{"POST on a file", reader, request(t, "POST", folder+"app.js"), 405},
		{"POST on the stream", reader, request(t, "POST", folder+"events"), 405},
		{"DELETE", reader, request(t, "DELETE", folder+"report"), 405},
		{"what is not there", reader, request(t, "GET", folder+"nothing"), 404},
		{"a list of files", reader, request(t, "GET", folder+"third_party/"), 404},
		{"the report before there is one", reader, request(t, "GET", folder+"report"), 204},
		{"a report by a number that is none", reader, request(t, "GET", folder+"report?run=../../etc/passwd"), 404},
		{"the page", reader, request(t, "GET", folder, "Sec-Fetch-Site: same-origin", "Origin: http://"+s.host()), 200},
	} {
		code, text, h := get(t, c.by, c.r)
		if code != c.code {
			t.Errorf("%s: %d, want %d: %s", c.why, code, c.code, text)
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin"} {
			if h.Get(name) != want {
				t.Errorf("%s: %s is %q, want %q", c.why, name, h.Get(name), want)
			}
		}
		if p := h.Get("Content-Security-Policy"); !strings.HasPrefix(p, "default-src 'none'") || strings.Contains(p, "unsafe-inline") || strings.Contains(p, "unsafe-eval") || !strings.Contains(p, "frame-ancestors 'none'") {
			t.Errorf("%s: the policy is %q", c.why, p)
		}
	}
	if pressed != 0 {
		t.Errorf("buttons were pressed %d times by those who may not", pressed)
	}
}

func TestNoPathLeadsOutOfThePage(t *testing.T) {
	s, _, folder := serve(t, Buttons{})
	for _, path := range []string{"../../../../etc/passwd", "..%2f..%2f..%2fetc/passwd", "%2e%2e/%2e%2e/server.go", "third_party/../../server.go", "/etc/passwd", "//etc/passwd", `..\..\server.go`, "app.js%00.css", "../server.go", "assets/app.js"} {
		c, err := net.Dial("tcp", s.host()) // what a client of HTTP would clean before it asks
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetDeadline(time.Now().Add(20 * time.Second))
		_, err = io.WriteString(c, "GET "+s.folder+path+" HTTP/1.1\r\nHost: "+s.host()+"\r\nAuthorization: Bearer "+s.token+"\r\nConnection: close\r\n\r\n")
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(c)
		c.Close()
		status, _, _ := strings.Cut(string(text), "\r\n")
		if strings.Contains(status, " 200 ") || strings.Contains(string(text), "root:") || strings.Contains(string(text), "package page") {
			t.Errorf("%s%s is answered with %s", folder, path, status)
		}
	}
}

func TestTheCookieIsOfThisPageAlone(t *testing.T) {
	s, _, _ := serve(t, Buttons{})
	other, err := Listen(Buttons{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if len(s.token) != 32 || s.token == other.token || s.folder == other.folder || strings.Contains(s.folder, s.token[:8]) {
		t.Errorf("tokens %s and %s, folders %s and %s", s.token, other.token, s.folder, other.folder)
	}
	if host, _, _ := net.SplitHostPort(s.host()); host != "127.0.0.1" {
		t.Errorf("it listens at %s", s.host())
	}
	answer, err := http.DefaultTransport.RoundTrip(request(t, "GET", s.URL()))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	c := answer.Cookies()
	if len(c) != 1 || !c[0].HttpOnly || c[0].SameSite != http.SameSiteStrictMode || c[0].Path != s.folder || c[0].MaxAge != 0 || !c[0].Expires.IsZero() {
		t.Errorf("the cookie is %v", c)
	}
	if to := answer.Header.Get("Location"); to != s.folder || strings.Contains(to, s.token) {
		t.Errorf("it leads to %q", to)
	}
}

func TestButtonsArePressedOnceAndByPost(t *testing.T) {
	var checkpoints, stops int
	s, reader, folder := serve(t, Buttons{Checkpoint: func() { checkpoints++ }, Stop: func() { stops++ }})
	s.Begin(Head{Case: "case"})
	for range 3 {
		for _, button := range []string{"checkpoint", "stop"} {
			if code, text, _ := get(t, reader, request(t, "POST", folder+button, "Origin: http://"+s.host())); code != 200 || !strings.Contains(text, "step at hand") {
				t.Errorf("%s: %d %s", button, code, text)
			}
		}
	}
	if checkpoints != 3 || stops != 1 { // a second signal would end the process
		t.Errorf("%d checkpoints and %d stops, want 3 and 1", checkpoints, stops)
	}
	s.End(Ending{Status: "done"})
	if code, _, _ := get(t, reader, request(t, "POST", folder+"checkpoint")); code != http.StatusConflict || checkpoints != 3 {
		t.Errorf("after the end: %d, %d checkpoints", code, checkpoints)
	}
}
