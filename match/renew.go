package match

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// renew puts a damaged journal aside and goes on with a new one that has what could be read of it.
func (j *Journal) renew(im image, d *damage) error {
	list, lost := gather(im).restore()
	lost.Why, lost.Aside = d.what, j.aside()
	refuse := func(err error) error {
		return fmt.Errorf("match: journal %s is damaged (%s) and cannot be replaced (choose another file with --journal): %w", j.path, d.what, err)
	}
	fresh, err := j.successor(list)
	if err != nil {
		return refuse(err)
	}
	defer os.Remove(fresh.Name()) // has another name by then
	// The damaged one keeps its place until the new one takes it.
	if err := moveAside(j.path, lost.Aside); err != nil {
		return refuse(errors.Join(err, fresh.Close()))
	}
	if err := os.Rename(fresh.Name(), j.path); err != nil {
		return refuse(errors.Join(err, fresh.Close()))
	}
	old := j.engine
	j.engine, j.salvaged = &file{path: j.path, lock: fresh}, lost
	syncFolder(j.path)
	return errors.Join(old.close(), j.connect(j.path), j.private())
}

// successor is a new journal with these matches in a file of its own, which it keeps locked.
func (j *Journal) successor(list []entered) (*os.File, error) {
	f, err := os.CreateTemp(filepath.Dir(j.path), filepath.Base(j.path)+".new-*") // readable by the owner alone
	if err != nil {
		return nil, err
	}
	next := newFile(f.Name(), f)
	err = takeLock(f)
	if err == nil {
		err = next.fill(f.Name(), list)
	}
	if next.db != nil {
		err = errors.Join(err, next.db.Close()) // all of it is in the file itself then
	}
	if err == nil {
		return f, nil
	}
	_ = f.Close()
	for _, end := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(f.Name() + end)
	}
	return nil, err
}

// aside is a name for a damaged journal that no file has.
func (j *Journal) aside() string {
	name := j.path + damagedName + time.Now().Format("20060102-150405")
	for n, first := 2, name; ; n++ {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name
		}
		name = fmt.Sprintf("%s-%d", first, n)
	}
}

// damagedName stands between a journal's name and the day on which it was put aside.
const damagedName = ".damaged-"

// moveAside gives a journal, and the file beside it, another name as well, and takes the old one
// away where a file cannot have two.
func moveAside(path, aside string) error {
	if err := os.Rename(path+"-wal", aside+"-wal"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Remove(path + "-shm"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if os.Link(path, aside) == nil {
		return nil
	}
	return os.Rename(path, aside)
}

// syncFolder makes a file's name last, where the system can.
func syncFolder(path string) {
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
}

// Salvaged is what could be read of a damaged journal; nil: it was not damaged.
func (j *Journal) Salvaged() *Salvage { return j.salvaged }

// Asides are the damaged journals that lie beside this one since what could be read of them went on.
func (j *Journal) Asides() []string {
	if _, ok := j.engine.(*file); !ok {
		return nil
	}
	list, _ := filepath.Glob(globbed(j.path) + damagedName + "*") // a pattern without a flaw
	list = slices.DeleteFunc(list, func(s string) bool { return strings.HasSuffix(s, "-wal") })
	for i := range list {
		list[i] = filepath.Base(list[i])
	}
	return list
}

// globbed is a name in which nothing stands for anything else.
func globbed(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}

// Save writes everything readable in the journal to a new file.
func (j *Journal) Save(path string) error {
	list, err := readMatches(j.db, "")
	if err != nil {
		return j.explain(err)
	}
	for i := range list {
		if list[i], err = j.entered(list[i].id); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("match: cannot write the journal: %w", err)
	}
	saved := newFile(path, f)
	return errors.Join(saved.fill(path, list), saved.Close())
}
