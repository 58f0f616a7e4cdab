package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html/template"
	"os"

	"diceref/vision/owned"
)

// writeDicePage writes a page that shows the groups of a set.
func writeDicePage(path string, s *owned.Sheet) error {
	type group struct {
		Letter, Name, Perhaps string
		Pictures              []template.URL
	}
	var page struct {
		Title, Missing string
		Groups         []group
	}
	page.Title, page.Missing = s.Set.Game.Kit().Title, missingWords(s.Set)
	for i, g := range s.Set.Groups {
		out := group{Letter: s.Letters[i], Name: string(g.Name)}
		if g.Name == "" {
			out.Perhaps = string(s.Set.Suggest(i))
		}
		for _, t := range g.Tops {
			out.Pictures = append(out.Pictures, template.URL("data:image/png;base64,"+base64.StdEncoding.EncodeToString(t.Picture.PNG())))
		}
		page.Groups = append(page.Groups, out)
	}
	var b bytes.Buffer
	if err := dicePage.Execute(&b, page); err != nil {
		return fmt.Errorf("cannot write the page of the dice: %w", err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		return fmt.Errorf("cannot write the page of the dice: %w", reasonOf(err))
	}
	return nil
}

var dicePage = template.Must(template.New("dice").Funcs(template.FuncMap{"add1": func(n int) int { return n + 1 }}).Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Your dice: {{.Title}}</title>
<style>
body { font: 16px/1.4 system-ui, sans-serif; margin: 1rem auto; max-width: 60rem; padding: 0 1rem; color-scheme: light dark }
section { border-top: 1px solid #8886; padding: .5rem 0 }
h2 { margin: 0 0 .3rem; font-size: 1.1rem }
figure { display: inline-block; margin: 0 .4rem .4rem 0; text-align: center; font-size: .8rem }
img { width: 5rem; height: 5rem; border-radius: .3rem; display: block }
.open { color: #b45309 }
</style>
<h1>Your dice: {{.Title}}</h1>
{{if .Missing}}<p class="open">Not shown yet: {{.Missing}}.</p>{{end}}
{{range .Groups}}<section>
<h2>{{.Letter}}: {{if .Name}}{{.Name}}{{else}}<span class="open">what does it show?{{if .Perhaps}} Perhaps {{.Perhaps}}.{{end}}</span>{{end}}</h2>
{{range $n, $p := .Pictures}}<figure><img src="{{$p}}" alt=""><figcaption>{{$n | add1}}</figcaption></figure>{{end}}
</section>
{{end}}
`))
