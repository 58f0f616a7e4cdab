package main

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// root is the checkout, seen from this folder.
const root = "../.."

// listed is what go list tells of a package.
type listed struct {
	ImportPath                string
	Imports, Deps             []string
	TestImports, XTestImports []string
}

func listPackages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,Deps,TestImports,XTestImports", "./...")
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestTopLevelFolders(t *testing.T) {
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		built := e.Name() == "bin" || e.Name() == "dist" // by make
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !built {
			got = append(got, e.Name())
		}
	}
	want := []string{"calibration", "cmd", "match", "rules", "scoring", "table", "vision", "web"}
	if !slices.Equal(got, want) {
		t.Errorf("top-level folders are %v, want %v", got, want)
	}
}

const gocv = "gocv.io/x/gocv"

// OpenCV is imported by vision and the packages it is made of alone and linked by the eye alone, so that
// everything else builds, and its tests run, on a machine without it.
func TestOpenCVStaysInVision(t *testing.T) {
	mayImport := []string{
		"diceref/vision", "diceref/vision/camera", "diceref/vision/camera/cameratest",
		"diceref/vision/classify", "diceref/vision/lattice", "diceref/vision/net", "diceref/vision/pixels",
	}
	mayLink := append(slices.Clone(mayImport), "diceref/vision/detect", "diceref/cmd/diceref-eye")
	linked := 0
	for _, p := range listPackages(t) {
		imports := slices.Concat(p.Imports, p.TestImports, p.XTestImports)
		if slices.Contains(imports, gocv) && !slices.Contains(mayImport, p.ImportPath) {
			t.Errorf("%s imports %s: only %v may", p.ImportPath, gocv, mayImport)
		}
		if slices.Contains(mayLink, p.ImportPath) {
			linked++
			if !slices.Contains(p.Deps, gocv) {
				t.Errorf("%s does not link OpenCV: is it listed here for nothing?", p.ImportPath)
			}
			continue
		}
		if slices.Contains(p.Deps, gocv) {
			t.Errorf("%s links OpenCV (through one of %v)", p.ImportPath, p.Imports)
		}
		if slices.Contains(slices.Concat(p.TestImports, p.XTestImports), "diceref/vision") {
			t.Errorf("the tests of %s link OpenCV through vision", p.ImportPath)
		}
	}
	if linked != len(mayLink) {
		t.Errorf("of %v only %d are there", mayLink, linked)
	}
}

// Facts flow one way: vision (with calibration), then match (with rules and
// scoring), then web. No package may depend on one above it, nor on a
// neighbor that is none of its business.
func TestFactsFlowOneWay(t *testing.T) {
	never := map[string][]string{
		"table":       {"calibration", "vision", "scoring", "rules", "match", "web", "cmd"},
		"calibration": {"vision", "scoring", "rules", "match", "web", "cmd"},
		"scoring":     {"calibration", "vision", "rules", "match", "web", "cmd"},
		"rules":       {"calibration", "vision", "match", "web", "cmd"},
		"vision":      {"scoring", "rules", "match", "web", "cmd"},
		"match":       {"vision", hallRoom, "web", "cmd"},
		hallRoom:      {"vision", "web", "cmd"},
		leagueRoom:    {"table", "calibration", "vision", "scoring", "rules", "match", hallRoom, "web", "cmd"},
		"web":         {hallRoom, "cmd"},
	}
	seen := map[string]bool{}
	for _, p := range listPackages(t) {
		folder := roomOf(p.ImportPath)
		seen[folder] = true
		for _, dep := range p.Deps {
			if strings.HasPrefix(dep, "diceref/") && slices.Contains(never[folder], roomOf(dep)) {
				t.Errorf("%s depends on %s", p.ImportPath, dep)
			}
			if folder != "cmd" && (strings.HasPrefix(dep, "github.com/spf13/cobra") || strings.HasPrefix(dep, "github.com/spf13/viper")) {
				t.Errorf("%s depends on %s: the command line and the configuration are cmd's", p.ImportPath, dep)
			}
			if folder == "table" && strings.Contains(strings.Split(dep, "/")[0], ".") {
				t.Errorf("%s depends on %s: the vocabulary needs the standard library alone", p.ImportPath, dep)
			}
		}
	}
	for folder := range never {
		if !seen[folder] {
			t.Errorf("no package in %s", folder)
		}
	}
}

// hallRoom is a room of its own below match: it is made of matches, and neither they nor the page know it.
const hallRoom = "match/hall"

// leagueRoom is a room of its own, too: it knows players and places, and nothing of games.
const leagueRoom = "match/league"

// roomOf is where a package of ours belongs: a folder of the checkout, the hall or the league.
func roomOf(path string) string {
	path = strings.TrimPrefix(path, "diceref/")
	if path == hallRoom || path == leagueRoom {
		return path
	}
	folder, _, _ := strings.Cut(path, "/")
	return folder
}

// A file that can be read in one sitting, which also asks for nothing outside
// of the checkout.
func TestFiles(t *testing.T) {
	const mostLines = 550
	outside := "../" + "shared"
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "bin") {
			return filepath.SkipDir
		}
		if d.IsDir() || !slices.Contains([]string{".go", ".js", ".css", ".html", ".sql", ".py"}, filepath.Ext(path)) {
			return nil
		}
		files++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if n := bytes.Count(text, []byte("\n")); n > mostLines {
			t.Errorf("%s has %d lines, want at most %d: split it", path, n, mostLines)
		}
		if bytes.Contains(text, []byte(outside)) && filepath.Ext(path) == ".go" {
			t.Errorf("%s names %s, which is no part of the checkout", path, outside)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 10 {
		t.Errorf("only %d files seen", files)
	}
}
