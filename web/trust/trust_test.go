package trust

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func lan(list ...string) func() []net.IP {
	return func() (ips []net.IP) {
		for _, s := range list {
			ips = append(ips, net.ParseIP(s))
		}
		return ips
	}
}

// verify checks a leaf as a browser would that trusts the authority.
func verify(a *Authority, leaf *tls.Certificate, name string, at time.Time) error {
	roots := x509.NewCertPool()
	roots.AddCert(a.cert)
	_, err := leaf.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: name, CurrentTime: at})
	return err
}

func TestAuthorityIsMadeOnceAndKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tls")
	first, err := Open(dir, lan("192.168.1.5"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := Open(dir, lan("192.168.1.6"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Certificate(), again.Certificate()) {
		t.Error("another authority was made: phones would have to trust it again")
	}
	leaf, err := again.Leaf()
	if err != nil {
		t.Fatal(err)
	}
	for name, ok := range map[string]bool{"192.168.1.6": true, "127.0.0.1": true, "localhost": true, "192.168.1.5": false, "example.org": false} {
		if err := verify(first, leaf, name, time.Now()); (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestKeysAreTheOwnersAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tls")
	if _, err := Open(dir, lan()); err != nil {
		t.Fatal(err)
	}
	check := func() {
		t.Helper()
		for name, want := range map[string]os.FileMode{"": 0o700, keyFile: 0o600} {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil || info.Mode().Perm() != want {
				t.Errorf("%q: %v %v, want %v", name, info.Mode().Perm(), err, want)
			}
		}
	}
	check()
	if err := os.Chmod(filepath.Join(dir, keyFile), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, lan()); err != nil {
		t.Fatal(err)
	}
	check()
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 2 {
		t.Errorf("files %v, %v: the leaf's key is to stay in memory", files, err)
	}
}

// TestStolenKeyIsWorthless: whatever the authority signs holds for private
// addresses and this machine's names alone.
func TestStolenKeyIsWorthless(t *testing.T) {
	a, err := Open(t.TempDir(), lan("203.0.113.5"))
	if err != nil {
		t.Fatal(err)
	}
	if !a.Covers(net.ParseIP("203.0.113.5")) || !a.Covers(net.ParseIP("10.1.2.3")) || a.Covers(net.ParseIP("203.0.113.6")) {
		t.Error("covers other addresses than private ones and its own")
	}
	a.cert.PermittedIPRanges = append(a.cert.PermittedIPRanges, &net.IPNet{IP: net.IPv4zero.To4(), Mask: net.CIDRMask(0, 32)})
	forged, err := a.sign(a.permitted(lan("93.184.216.34")()))
	if err != nil {
		t.Fatal(err)
	}
	if honest, err := x509.ParseCertificate(a.cert.Raw); err != nil {
		t.Fatal(err)
	} else {
		a.cert = honest
	}
	if err := verify(a, forged, "93.184.216.34", time.Now()); err == nil || !strings.Contains(err.Error(), "not permitted") {
		t.Errorf("a public address is vouched for: %v", err)
	}
	leaf, err := a.Leaf()
	if err != nil {
		t.Fatal(err)
	}
	if leaf.Leaf.IsCA || a.cert.MaxPathLen != 0 || !a.cert.MaxPathLenZero || leaf.Leaf.NotAfter.Sub(leaf.Leaf.NotBefore) > 100*24*time.Hour {
		t.Error("the leaf can vouch for others, or holds long")
	}
}

// forge signs a leaf for a name with an authority's key, as whoever stole it would.
func forge(t *testing.T, a *Authority, name string) *tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, DNSNames: []string{name},
	}, a.cert, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Certificate{Leaf: leaf}
}

// TestAttackStolenAuthority: on a machine that is named like a top-level domain the authority cannot
// vouch for anything under that. One that can, of an earlier version, is replaced.
func TestAttackStolenAuthority(t *testing.T) {
	for _, host := range []string{"dev", "app", "zip.example.org", "local", "localhost", "", "com.", "DEV", "my pc", "-x"} {
		a, err := open(t.TempDir(), host, lan("192.168.1.5"), time.Now)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"www.google.dev", "dev", "www.app", "app", "example.org", "zip", "x.zip", "local", "printer.local", "com", "a.com", "pc"} {
			if err := verify(a, forge(t, a, name), name, time.Now()); err == nil {
				t.Errorf("on the machine %q the authority vouches for %s", host, name)
			}
		}
		leaf, err := a.Leaf()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range append(names(host), "192.168.1.5") {
			if err := verify(a, leaf, name, time.Now()); err != nil {
				t.Errorf("on the machine %q: %s: %v", host, name, err)
			}
		}
	}
}

func TestAttackWideAuthority(t *testing.T) {
	for _, domains := range [][]string{{"localhost", "dev", "dev.local"}, {"localhost", "laptop", "laptop.local"}, {".local"}, {}} {
		dir := t.TempDir()
		wide := &Authority{addresses: lan(), now: time.Now, host: "dev"}
		if err := wide.make(); err != nil {
			t.Fatal(err)
		}
		template := *wide.cert
		template.PermittedDNSDomains = domains
		der, err := x509.CreateCertificate(rand.Reader, &template, &template, &wide.key.PublicKey, wide.key)
		if err != nil {
			t.Fatal(err)
		}
		if wide.cert, err = x509.ParseCertificate(der); err != nil {
			t.Fatal(err)
		}
		if err := wide.save(dir); err != nil {
			t.Fatal(err)
		}
		narrow, err := open(dir, "dev", lan(), time.Now)
		if err != nil {
			t.Fatal(err)
		}
		if !narrow.Renewed() || bytes.Equal(narrow.Certificate(), der) || verify(narrow, forge(t, wide, "www.google.dev"), "www.google.dev", time.Now()) == nil {
			t.Errorf("%v: not replaced", domains)
		}
		if again, err := open(dir, "dev", lan(), time.Now); err != nil || again.Renewed() || !bytes.Equal(again.Certificate(), narrow.Certificate()) {
			t.Errorf("%v: replaced again: %v", domains, err)
		}
	}
}

func TestLeafIsMadeAgain(t *testing.T) {
	now, ips := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), lan("192.168.1.5")
	a, err := open(t.TempDir(), "table", func() []net.IP { return ips() }, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	get := func() *tls.Certificate {
		t.Helper()
		leaf, err := a.Leaf()
		if err != nil {
			t.Fatal(err)
		}
		return leaf
	}
	first := get()
	now = now.Add(time.Hour)
	if get() != first {
		t.Error("made again for nothing")
	}
	ips = lan("192.168.1.5", "10.0.0.7", "8.8.8.8")
	now = now.Add(time.Minute)
	moved := get()
	if moved == first || verify(a, moved, "10.0.0.7", now) != nil {
		t.Error("not made again for another address")
	}
	if verify(a, moved, "8.8.8.8", now) == nil {
		t.Error("a public address is vouched for")
	}
	now = now.Add(leafLife - leafRest + time.Hour)
	if late := get(); late == moved || verify(a, late, "10.0.0.7", now.Add(leafRest)) != nil {
		t.Error("not made again before its end")
	}
}

func TestAuthorityNearItsEndIsMadeAgain(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	first, err := open(dir, "table", lan(), clock)
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(authorityLife - leafLife + time.Hour)
	second, err := open(dir, "table", lan(), clock)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(first.Certificate(), second.Certificate()) {
		t.Error("its leaves would outlive it")
	}
}

func TestDamagedFiles(t *testing.T) {
	for _, name := range []string{keyFile, certificateFile} {
		dir := t.TempDir()
		if _, err := Open(dir, lan()); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("rubbish"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir, lan()); err == nil || !strings.Contains(err.Error(), "delete that folder") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSplit answers both kinds on one port, and holds nobody up that says nothing.
func TestSplit(t *testing.T) {
	a, err := Open(t.TempDir(), lan())
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	plain, secure := Split(ln, a.TLS())
	srv := &http.Server{ErrorLog: log.New(io.Discard, "", 0), Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.TLS != nil {
			io.WriteString(w, "secure")
			return
		}
		io.WriteString(w, "plain")
	})}
	done := make(chan error, 2)
	go func() { done <- srv.Serve(plain) }()
	go func() { done <- srv.Serve(secure) }()
	silent, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	roots := x509.NewCertPool()
	roots.AddCert(a.cert)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}, Timeout: 10 * time.Second}
	for _, scheme := range []string{"http", "https", "http"} {
		r, err := client.Get(scheme + "://" + ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if want := map[string]string{"http": "plain", "https": "secure"}[scheme]; string(body) != want {
			t.Errorf("%s answers %q", scheme, body)
		}
	}
	if r, err := http.Get("https://" + ln.Addr().String()); err == nil {
		r.Body.Close()
		t.Error("somebody who does not know the authority trusts it")
	}
	client.CloseIdleConnections()
	if err := srv.Shutdown(context.Background()); err != nil {
		t.Error(err)
	}
	for range 2 {
		if err := <-done; err != http.ErrServerClosed {
			t.Error(err)
		}
	}
}
