package eye

import (
	"cmp"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// Shown is the part of a source that everybody may see: the scheme and host of an address, or
// the name of a file. User, password, path and query of an address may be secret.
func Shown(source string) string {
	u, err := url.Parse(source)
	scheme, _, address := strings.Cut(source, "://")
	switch {
	case err == nil && u.Host != "":
		return u.Scheme + "://" + u.Host
	case err == nil && len(u.Scheme) > 1:
		return u.Scheme + "://…"
	case address:
		return scheme + "://…"
	case source == "", strings.HasPrefix(source, "/dev/"):
		return source
	}
	return filepath.Base(source)
}

// Hide removes the secret parts of the source from a text. Errors from libraries tend to
// contain the whole address.
func Hide(text, source string) string {
	if source == "" || source == Shown(source) {
		return text
	}
	text = strings.ReplaceAll(text, source, Shown(source))
	for _, secret := range secrets(source) {
		text = strings.ReplaceAll(text, secret, "…")
	}
	return text
}

// leastSecret is how many letters a password or a value must have to be looked for in a text: shorter
// ones are parts of common words.
const leastSecret = 4

// secrets are the parts of an address that Shown leaves out, the longest first.
func secrets(source string) []string {
	u, err := url.Parse(source)
	if err != nil || len(u.Scheme) < 2 {
		return nil
	}
	var list []string
	add := func(least int, parts ...string) {
		for _, p := range parts {
			if len(p) >= least {
				list = append(list, p)
			}
		}
	}
	add(2, u.RequestURI(), u.EscapedPath(), u.Path, u.RawQuery, u.Fragment, u.Opaque)
	if u.User != nil {
		password, _ := u.User.Password()
		add(1, u.User.String()+"@", u.User.Username()+":xxxxx@")
		add(leastSecret, password)
	}
	for _, values := range u.Query() {
		add(leastSecret, values...)
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return list
}
