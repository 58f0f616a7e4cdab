package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"diceref/match"
	"diceref/match/hall"
	"diceref/match/hall/halltest"
	"diceref/match/postgrestest"
	"diceref/table"
)

// hallProcess is a diceref serve --hall.
type hallProcess struct {
	cmd *exec.Cmd
	url string
}

// startHall starts the program, and waits until it says where the hall is.
func startHall(t *testing.T, program, address string) hallProcess {
	t.Helper()
	p, err := tryHall(exec.Command(program, "serve", "--hall", "--listen", "127.0.0.1:0", "--journal", address, "--data", t.TempDir()), (*exec.Cmd).Start)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	return p
}

// tryHall is startHall with a command; it may fail.
func tryHall(cmd *exec.Cmd, start func(*exec.Cmd) error) (hallProcess, error) {
	out, err := cmd.StdoutPipe()
	if err != nil {
		return hallProcess{}, err
	}
	cmd.Stderr = os.Stderr
	if err := start(cmd); err != nil {
		return hallProcess{}, err
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if url, ok := strings.CutPrefix(lines.Text(), "the hall is at "); ok {
			go io.Copy(io.Discard, out)
			return hallProcess{cmd, strings.TrimSuffix(url, "/hall")}, nil
		}
	}
	return hallProcess{}, errors.Join(errors.New("the program does not say where the hall is"), cmd.Wait())
}

// kill ends the program at once.
func (p hallProcess) kill() {
	_ = p.cmd.Process.Kill() // else it has ended
	_ = p.cmd.Wait()
}

// post says something with a code and a key, and returns the status.
func (p hallProcess) post(path, code, key, body string) int {
	r, err := http.NewRequest(http.MethodPost, p.url+path, strings.NewReader(body))
	if err != nil {
		return 0
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Table-Code", code)
	r.Header.Set("Idempotency-Key", key)
	client := http.Client{Timeout: 15 * time.Second}
	answer, err := client.Do(r)
	if err != nil {
		return 0
	}
	answer.Body.Close()
	return answer.StatusCode
}

// get reads JSON from a page.
func (p hallProcess) get(path string, into any) int {
	answer, err := http.Get(p.url + path)
	if err != nil {
		return 0
	}
	defer answer.Body.Close()
	_ = json.NewDecoder(answer.Body).Decode(into)
	return answer.StatusCode
}

// program is diceref for tests that start and kill it: this binary under that name (TestMain).
func program(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("diceref")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestServeHall: three servers share two tables. A page that follows a table at a server sees what is said at the others;
// whichever server is killed, what was acknowledged stays, once, and the others go on within seconds.
func TestServeHall(t *testing.T) {
	server := postgrestest.Start(t)
	address := server.Database(t)
	h, err := hall.Open(hall.Config{Address: address, LooksOn: true})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := h.AddReferee("Ina", "REFEREE1"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Window", "Bar"} {
		if _, err := h.Add(name, "CODE-"+strings.ToUpper(name), hall.Setup{Game: table.DiceFlick, Players: []string{"Ann", "Ben"}}); err != nil {
			t.Fatal(err)
		}
	}
	path := program(t)
	servers := []hallProcess{startHall(t, path, address), startHall(t, path, address), startHall(t, path, address)}
	halltest.Await(t, "every server shows the match", func() bool {
		for _, s := range servers {
			var now match.Snapshot
			if s.get("/t/window/api/v1/state", &now) != http.StatusOK || now.Seq < 1 {
				return false
			}
		}
		return true
	})
	page, err := http.Get(servers[2].url + "/t/window/api/v1/events")
	if err != nil {
		t.Fatal(err)
	}
	defer page.Body.Close()
	seen := make(chan string, 1000)
	go func() {
		for scan := bufio.NewScanner(page.Body); scan.Scan(); {
			seen <- scan.Text()
		}
	}()

	acknowledged := map[string]bool{}
	n := 0
	say := func(alive []hallProcess, code string) {
		key := fmt.Sprint("k", n)
		halltest.Await(t, "it is acknowledged", func() bool {
			status := alive[n%len(alive)].post("/t/window/api/v1/declare", code, key, fmt.Sprintf(`{"say":%q}`, []string{"pause", "resume"}[n%2]))
			return status == http.StatusOK
		})
		acknowledged[key] = true
		n++
	}
	for range 6 {
		say(servers, "CODE-WINDOW")
	}
	say(servers, "REFEREE1")
	for told := 0; told < 4; { // what was paused is told at the third server, wherever it was said
		select {
		case line := <-seen:
			told += strings.Count(line, `"type":"pause"`)
		case <-time.After(10 * time.Second):
			t.Fatal("the page at the third server was not told")
		}
	}
	for kill := range 2 {
		servers[0].cmd.Process.Kill()
		began := time.Now()
		servers = servers[1:]
		for range 4 {
			say(servers, "CODE-WINDOW")
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("after kill %d it took %v to go on", kill, took)
		}
	}
	records, err := h.Journal().Records(latest(t, h, "Window"))
	if err != nil {
		t.Fatal(err)
	}
	times, who := map[string]int{}, map[string]int{}
	for _, r := range records {
		if r.Key != "" {
			times[r.Key]++
			who[r.Who]++
		}
	}
	for key := range acknowledged {
		if times[key] != 1 {
			t.Errorf("%s was acknowledged, and is in the journal %d times", key, times[key])
		}
	}
	if len(times) != len(acknowledged) || who["referee Ina"] != 1 || who["player"] != len(acknowledged)-1 {
		t.Errorf("%d of %d, said by %v", len(times), len(acknowledged), who)
	}
	if status := servers[0].get("/healthz", &struct{}{}); status != http.StatusOK {
		t.Errorf("health is %d", status)
	}
}

// latest is the match at a table.
func latest(t *testing.T, h *hall.Hall, name string) string {
	t.Helper()
	id := ""
	halltest.Await(t, "the table is there", func() bool {
		for _, each := range h.Tables() {
			if each.Name() == name {
				id = each.Snapshot().ID
			}
		}
		return id != ""
	})
	return id
}
