// Package trust lets the page be reached over HTTPS in a local network, where
// no public authority gives certificates: it keeps an authority of this
// machine's own and certificates for the addresses that it has.
//
// Browsers open a phone's camera on secure pages alone. A person trusts the
// authority once (the page at /trust says how); it can vouch for private
// addresses and this machine's name in its local network only, so that its key,
// were it stolen, is worth nothing elsewhere.
package trust

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// How long certificates hold. Phones refuse leaves of more than 825 days.
const (
	authorityLife = 10 * 365 * 24 * time.Hour
	leafLife      = 90 * 24 * time.Hour
	leafRest      = 30 * 24 * time.Hour // a leaf with less left is made again
	backdated     = 24 * time.Hour      // clocks of phones may be slow
	lookEvery     = 10 * time.Second    // at the machine's addresses
)

// Files of an authority in its folder. The key is readable by its owner alone.
const (
	certificateFile = "authority.crt"
	keyFile         = "authority.key"
)

// Authority is a certificate authority for this machine in its local network. Several
// goroutines may call its methods.
type Authority struct {
	cert      *x509.Certificate
	key       *ecdsa.PrivateKey
	addresses func() []net.IP
	now       func() time.Time
	host      string // this machine's name
	renewed   bool

	mu     sync.Mutex
	leaf   *tls.Certificate
	looked time.Time // when the addresses were looked at last
}

// Open returns the authority kept in the folder; a new one is made if there is
// none yet, or if it would not outlive its certificates. addresses tells this
// machine's addresses; nil: those of its interfaces.
func Open(dir string, addresses func() []net.IP) (*Authority, error) {
	host, _ := os.Hostname() // without one it vouches for localhost and addresses
	return open(dir, host, addresses, time.Now)
}

func open(dir, host string, addresses func() []net.IP, now func() time.Time) (*Authority, error) {
	if addresses == nil {
		addresses = Addresses
	}
	a := &Authority{addresses: addresses, now: now, host: host}
	if err := a.load(dir); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("trust: cannot use the certificate authority in %s: %w (delete that folder to create a new one)", dir, err)
	}
	a.renewed = a.cert != nil && tooWide(a.cert)
	if a.cert != nil && !a.renewed && a.now().Before(a.cert.NotAfter.Add(-leafLife)) {
		return a, nil
	}
	if err := a.make(); err != nil {
		return nil, fmt.Errorf("trust: cannot create a certificate authority: %w", err)
	}
	if err := a.save(dir); err != nil {
		return nil, fmt.Errorf("trust: cannot save the certificate authority: %w", err)
	}
	return a, nil
}

// Renewed reports whether an authority was replaced because it could vouch for too much.
// Phones that trusted it must remove it and trust the new one.
func (a *Authority) Renewed() bool { return a.renewed }

// Certificate is the authority's certificate (DER), which phones are asked to trust.
func (a *Authority) Certificate() []byte { return slices.Clone(a.cert.Raw) }

// TLS is the configuration of a server that shows a certificate for the
// addresses of the moment.
func (a *Authority) TLS() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		NextProtos:     []string{"http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return a.Leaf() },
	}
}

// Leaf is the certificate for this machine. It is renewed when the addresses change or
// it is about to expire. It is only in memory.
func (a *Authority) Leaf() (*tls.Certificate, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	if a.leaf != nil && now.Sub(a.looked) < lookEvery && now.Sub(a.looked) >= 0 {
		return a.leaf, nil
	}
	ips := a.permitted(a.addresses())
	a.looked = now
	if a.leaf != nil && sameIPs(a.leaf.Leaf.IPAddresses, ips) && now.Before(a.leaf.Leaf.NotAfter.Add(-leafRest)) {
		return a.leaf, nil
	}
	leaf, err := a.sign(ips)
	if err != nil {
		return nil, fmt.Errorf("trust: cannot create a certificate: %w", err)
	}
	a.leaf = leaf
	return leaf, nil
}

// Covers reports whether the authority may vouch for an address: a private one, or one
// that the machine had when the authority was created.
func (a *Authority) Covers(ip net.IP) bool {
	return slices.ContainsFunc(a.cert.PermittedIPRanges, func(n *net.IPNet) bool { return n.Contains(ip) })
}

// private are the networks that the authority may vouch for wherever it is made.
func private() []*net.IPNet {
	var nets []*net.IPNet
	for _, s := range []string{"127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "::1/128", "fc00::/7", "fe80::/10"} {
		_, n, err := net.ParseCIDR(s)
		if err != nil {
			panic(err) // a constant of this program
		}
		nets = append(nets, n)
	}
	return nets
}

// names are the names that the authority may vouch for: a constraint on a name holds for all names
// that end in it, so that a bare one, such as dev, would be a whole top-level domain.
func names(host string) []string {
	list := []string{"localhost"}
	host, _, _ = strings.Cut(strings.ToLower(host), ".")
	if plainName(host) && host != "localhost" {
		list = append(list, host+localDomain)
	}
	return list
}

// localDomain is the domain of names that are found in the local network alone (RFC 6762).
const localDomain = ".local"

// tooWide says whether an authority may vouch for names that others may have.
func tooWide(cert *x509.Certificate) bool {
	return len(cert.PermittedDNSDomains) == 0 || slices.ContainsFunc(cert.PermittedDNSDomains, func(name string) bool {
		return name != "localhost" && !strings.HasSuffix(name, localDomain) || strings.HasPrefix(name, ".")
	})
}

// plainName says whether a name may stand in a certificate.
func plainName(s string) bool {
	return s != "" && len(s) <= 63 && !strings.HasPrefix(s, "-") && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// permitted are the addresses that the authority may vouch for, and this machine's own.
func (a *Authority) permitted(all []net.IP) []net.IP {
	list := []net.IP{net.IPv4(127, 0, 0, 1).To4(), net.IPv6loopback}
	for _, ip := range all {
		if v4 := ip.To4(); v4 != nil {
			ip = v4
		}
		if a.Covers(ip) && !slices.ContainsFunc(list, ip.Equal) {
			list = append(list, ip)
		}
	}
	return list
}

func sameIPs(a, b []net.IP) bool {
	in := func(list []net.IP) func(net.IP) bool {
		return func(ip net.IP) bool { return !slices.ContainsFunc(list, ip.Equal) }
	}
	return !slices.ContainsFunc(a, in(b)) && !slices.ContainsFunc(b, in(a))
}

// make makes a new authority.
func (a *Authority) make() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	serial, err := newSerial()
	if err != nil {
		return err
	}
	domains := names(a.host)
	machine := domains[len(domains)-1]
	nets := private()
	for _, ip := range a.addresses() { // some networks at home use public addresses
		if v4 := ip.To4(); v4 != nil {
			nets = append(nets, &net.IPNet{IP: v4, Mask: net.CIDRMask(32, 32)})
		}
	}
	template := &x509.Certificate{
		SerialNumber:                serial,
		Subject:                     pkix.Name{CommonName: "diceref on " + machine, Organization: []string{"diceref"}},
		NotBefore:                   a.now().Add(-backdated),
		NotAfter:                    a.now().Add(authorityLife),
		KeyUsage:                    x509.KeyUsageCertSign,
		ExtKeyUsage:                 []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid:       true,
		IsCA:                        true,
		MaxPathLenZero:              true,
		PermittedDNSDomainsCritical: true,
		PermittedDNSDomains:         domains,
		PermittedIPRanges:           nets,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return err
	}
	a.key = key
	a.cert, err = x509.ParseCertificate(der)
	return err
}

// sign makes a leaf for the addresses.
func (a *Authority) sign(ips []net.IP) (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := newSerial()
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: "diceref"},
		NotBefore:    a.now().Add(-backdated),
		NotAfter:     a.now().Add(leafLife),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:     slices.DeleteFunc(names(a.host), func(n string) bool { return !slices.Contains(a.cert.PermittedDNSDomains, n) }),
		IPAddresses:  ips,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &key.PublicKey, a.key)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{der, a.cert.Raw}, PrivateKey: key, Leaf: leaf}, nil
}

func newSerial() (*big.Int, error) {
	return rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
}

// load reads the authority of the folder; os.ErrNotExist if there is none.
func (a *Authority) load(dir string) error {
	certPEM, err := os.ReadFile(filepath.Join(dir, certificateFile))
	if err != nil {
		return err
	}
	file := filepath.Join(dir, keyFile)
	keyPEM, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := ownerOnly(file); err != nil {
		return err
	}
	pair, err := tls.X509KeyPair(certPEM, keyPEM) // also checks that they belong together
	if err != nil {
		return err
	}
	key, ok := pair.PrivateKey.(*ecdsa.PrivateKey)
	if !ok {
		return errors.New("its key is of another kind")
	}
	if !pair.Leaf.IsCA {
		return errors.New("its certificate is not that of an authority")
	}
	a.cert, a.key = pair.Leaf, key
	return nil
}

// ownerOnly takes from others what a copy or a restored backup gave them.
func ownerOnly(file string) error {
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm()&0o077 == 0 {
		return err
	}
	return os.Chmod(file, 0o600)
}

// save writes the authority into the folder; the key first, so that a
// certificate never lies there without it.
func (a *Authority) save(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	der, err := x509.MarshalPKCS8PrivateKey(a.key)
	if err != nil {
		return err
	}
	if err := replace(filepath.Join(dir, keyFile), 0o600, &pem.Block{Type: "PRIVATE KEY", Bytes: der}); err != nil {
		return err
	}
	return replace(filepath.Join(dir, certificateFile), 0o644, &pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw})
}

// replace writes a file in one step; it is never there in part, nor for a
// moment readable by others.
func replace(file string, mode os.FileMode, block *pem.Block) error {
	temp, err := os.CreateTemp(filepath.Dir(file), ".new-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	err = errors.Join(pem.Encode(temp, block), temp.Chmod(mode), temp.Close())
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), file)
}

// Addresses are this machine's addresses in networks that others are in too,
// IPv4 first, leaving out what virtual machines and containers use if there is another.
func Addresses() []net.IP {
	var list, inner []net.IP
	interfaces, err := net.Interfaces()
	if err != nil {
		return nil
	}
	for _, i := range interfaces {
		if i.Flags&net.FlagUp == 0 || i.Flags&net.FlagLoopback != 0 {
			continue
		}
		addresses, err := i.Addrs()
		if err != nil {
			continue
		}
		for _, a := range addresses {
			n, ok := a.(*net.IPNet)
			if !ok || n.IP.To4() == nil || !n.IP.IsGlobalUnicast() {
				continue
			}
			if virtual(i.Name) {
				inner = append(inner, n.IP)
			} else {
				list = append(list, n.IP)
			}
		}
	}
	return append(list, inner...)
}

// virtual says whether an interface leads nowhere but into this machine.
func virtual(name string) bool {
	return slices.ContainsFunc([]string{"docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "lxc", "cni"}, func(p string) bool { return strings.HasPrefix(name, p) })
}
