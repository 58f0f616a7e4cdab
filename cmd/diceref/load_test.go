package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"diceref/match"
	"diceref/match/hall"
	"diceref/match/hall/halltest"
	"diceref/match/postgrestest"
	"diceref/table"
	"diceref/web"
)

var (
	loadTables = flag.String("load-tables", "3", "how many tables TestLoad simulates, one number after the other: 10,30,100")
	loadPages  = flag.Int("load-pages", 2, "how many pages of each table TestLoad opens")
	loadTime   = flag.Duration("load-time", 2*time.Second, "how long TestLoad loads each number of tables")
)

// perSecond is how many observations a table's camera sends.
const perSecond = 5

// TestLoad simulates a hall on three servers: tables whose cameras send recorded observations, and pages that follow them at
// any server. It holds that every page gets every event once and in order, and prints how long acknowledgements took and
// how much memory the servers have. make load runs it with many tables.
func TestLoad(t *testing.T) {
	t.Parallel()
	path, seen := program(t), halltest.Recorded(t, filepath.Join(root, "match", "testdata", "dessert-dice.seen.jsonl.gz"))
	for text := range strings.SplitSeq(*loadTables, ",") {
		tables, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(text, func(t *testing.T) { loadHall(t, path, tables, seen) })
	}
}

// loadHall is one run of TestLoad.
func loadHall(t *testing.T, path string, tables int, seen []table.Observation) {
	server := postgrestest.Start(t)
	address := server.Database(t)
	h, err := hall.Open(hall.Config{Address: address, LooksOn: true})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	tokens := map[string]string{}
	for n := range tables {
		added, err := h.Add(fmt.Sprint("Table ", n), "CODE", hall.Setup{Game: table.DessertDice, Players: []string{"Ann", "Ben", "Cleo"}})
		if err != nil {
			t.Fatal(err)
		}
		tokens[added.ID] = added.Token
	}
	servers := []hallProcess{startHall(t, path, address), startHall(t, path, address), startHall(t, path, address)}
	halltest.Await(t, "every table is somebody's", func() bool {
		owned := 0
		for _, s := range servers {
			owned += s.owned()
		}
		return owned == tables
	})
	before, busyBefore, doneBefore := memories(servers), busy(servers), transactions(t, address)
	stop := make(chan struct{})
	var all, cameras sync.WaitGroup
	var mu sync.Mutex
	var took []time.Duration
	pages := map[string][][]int64{} // what each page of a table got
	n := 0
	for id, token := range tokens {
		cameras.Add(1)
		go func(at hallProcess) {
			defer cameras.Done()
			each := at.camera(t, id, token, seen, stop)
			mu.Lock()
			took = append(took, each...)
			mu.Unlock()
		}(servers[n%len(servers)])
		for p := range *loadPages {
			all.Add(1)
			go func(at hallProcess) {
				defer all.Done()
				got := at.follow(t, id, stop)
				mu.Lock()
				pages[id] = append(pages[id], got)
				mu.Unlock()
			}(servers[(n+p)%len(servers)])
		}
		n++
	}
	time.Sleep(*loadTime)
	close(stop)
	cameras.Wait()
	all.Wait()
	slices.Sort(took)
	at := func(part float64) time.Duration { return took[int(part*float64(len(took)-1))].Round(time.Millisecond) }
	t.Logf("%d tables, %d pages, %v: %d requests with observations acknowledged, half of them within %v, 99 %% within %v, all within %v; memory before %v MB, after %v MB",
		tables, tables**loadPages, *loadTime, len(took), at(0.5), at(0.99), at(1), before, memories(servers))
	each := float64(len(took)) // what does not hang on how busy the machine is otherwise
	t.Logf("each request costs the servers %.2f ms of a processor, and the database %.1f transactions",
		1000*(busy(servers)-busyBefore).Seconds()/each, float64(transactions(t, address)-doneBefore)/each)
	for id, each := range pages {
		m, err := match.Reread(h.Journal(), h.Table(id).Snapshot().ID)
		if err != nil {
			t.Fatal(err)
		}
		var want []int64
		for _, e := range m.Events() {
			want = append(want, e.Seq)
		}
		for _, got := range each {
			if len(got) == 0 || len(got) > len(want) || !slices.Equal(got, want[:len(got)]) {
				t.Errorf("a page of %s got events %v of %v", id, got, want)
			}
		}
	}
}

// owned is how many tables a server has.
func (p hallProcess) owned() (n int) {
	answer, err := http.Get(p.url + "/metrics")
	if err != nil {
		return 0
	}
	defer answer.Body.Close()
	for scan := bufio.NewScanner(answer.Body); scan.Scan(); {
		if strings.HasPrefix(scan.Text(), "diceref_table_owned{") && strings.HasSuffix(scan.Text(), " 1") {
			n++
		}
	}
	return n
}

// memories is how many megabytes each server has in memory.
func memories(servers []hallProcess) (list []int) {
	for _, s := range servers {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			var kB int
			if _, err := fmt.Sscanf(line, "VmRSS: %d kB", &kB); err == nil {
				list = append(list, kB>>10)
			}
		}
	}
	return list
}

// busy is how long the servers have used a processor.
func busy(servers []hallProcess) time.Duration {
	const tick = 100 // a second, as Linux counts for programs
	var ticks int64
	for _, s := range servers {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
		if err != nil {
			continue
		}
		_, after, _ := strings.Cut(string(text), ") ")
		var user, system int64
		if f := strings.Fields(after); len(f) > 12 {
			fmt.Sscan(f[11], &user)
			fmt.Sscan(f[12], &system)
		}
		ticks += user + system
	}
	return time.Duration(ticks) * time.Second / tick
}

// transactions is how many transactions the database has ended.
func transactions(t *testing.T, address string) (n int64) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if err := conn.QueryRow(t.Context(), "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// camera sends what was recorded, one observation a request, and returns how long each took. A server that is too slow
// gets the next one as soon as it has answered.
func (p hallProcess) camera(t *testing.T, id, token string, seen []table.Observation, stop <-chan struct{}) (took []time.Duration) {
	tick := time.NewTicker(time.Second / perSecond)
	defer tick.Stop()
	for n := 0; n < len(seen); n++ {
		select {
		case <-stop:
			return took
		case <-tick.C:
		}
		body, err := json.Marshal(web.Pushed{Camera: "camera", First: int64(n + 1), Observations: seen[n : n+1]})
		if err != nil {
			t.Error(err)
			return took
		}
		for status := 0; status != http.StatusOK; {
			r, err := http.NewRequest(http.MethodPost, p.url+"/t/"+id+"/api/v1/observations", bytes.NewReader(body))
			if err != nil {
				t.Error(err)
				return took
			}
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set(web.TokenHeader, token)
			began := time.Now()
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				continue
			}
			answer.Body.Close()
			status = answer.StatusCode
			took = append(took, time.Since(began))
		}
	}
	return took
}

// follow is a page, and returns the numbers of the events that it got.
func (p hallProcess) follow(t *testing.T, id string, stop <-chan struct{}) (got []int64) {
	r, err := http.NewRequest(http.MethodGet, p.url+"/t/"+id+"/api/v1/events", nil)
	if err != nil {
		t.Error(err)
		return nil
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return nil
	}
	go func() {
		<-stop
		answer.Body.Close()
	}()
	scan := bufio.NewScanner(answer.Body)
	scan.Buffer(nil, 4<<20)
	for scan.Scan() {
		data, ok := strings.CutPrefix(scan.Text(), "data: ")
		var news struct {
			Reset  bool
			Seq    int64
			Events []struct{ Seq int64 }
		}
		if !ok || json.Unmarshal([]byte(data), &news) != nil {
			continue
		}
		if news.Reset {
			got = nil
		}
		for _, e := range news.Events {
			got = append(got, e.Seq)
		}
	}
	return got
}
