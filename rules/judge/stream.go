package judge

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// MaxCase is the size in bytes above which a case is refused unread.
const MaxCase = 16 << 20

// Result counts what a run of cases came to.
type Result struct {
	Cases  int
	Failed int   // could not be read
	First  error // why the first of them could not
}

func (r *Result) add(err error) {
	r.Cases++
	if err != nil {
		if r.Failed++; r.First == nil {
			r.First = err
		}
	}
}

// File answers what a file holds: one document over any number of lines, or one per line.
func File(text []byte, w io.Writer) (Result, error) {
	text = trim(text)
	if first, _, _ := bytes.Cut(text, []byte("\n")); len(text) <= MaxCase && !json.Valid(first) && oneDocument(text) {
		var r Result
		line, err := Append(nil, text)
		r.add(err)
		_, err = w.Write(append(line, '\n'))
		return r, err
	}
	return Stream(bytes.NewReader(text), w)
}

// oneDocument says whether a file whose first line is not a document of its own is
// one document, if perhaps a broken one: none of its lines is the whole of another.
func oneDocument(text []byte) bool {
	if json.Valid(text) {
		return true
	}
	for line := range bytes.Lines(text) {
		if line[0] == '{' && (json.Valid(line) || &line[0] != &text[0] && string(bytes.TrimSpace(line)) == "{") {
			return false
		}
	}
	return true
}

// Stream answers one case after the other, each as soon as it has come: one
// document a line, or indented documents that begin with a line "{" and end
// with a line "}". It ends with the reader; the error is the reader's or the writer's.
func Stream(r io.Reader, w io.Writer) (Result, error) {
	s := stream{in: bufio.NewReaderSize(r, 1<<16), out: bufio.NewWriterSize(w, 1<<16)}
	for {
		doc, err := s.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return s.result, errors.Join(err, s.out.Flush())
		}
		if len(doc) > 0 {
			if werr := s.answer(doc); werr != nil {
				return s.result, werr
			}
		}
		if errors.Is(err, io.EOF) {
			return s.result, s.out.Flush()
		}
	}
}

type stream struct {
	in     *bufio.Reader
	out    *bufio.Writer
	long   []byte // a document that did not fit the reader's buffer
	line   []byte // the answer
	result Result
}

// next is the next document, empty for a blank line; it is valid until the next call.
func (s *stream) next() ([]byte, error) {
	line, err := s.read(s.long[:0])
	if doc := trim(line); err != nil || string(doc) != "{" {
		return doc, err
	}
	doc := append(s.long[:0], line...)
	for !bytes.Equal(bytes.TrimRight(line, " \r\n"), []byte("}")) {
		// The lines of an indented document are indented; any other one is a document of its own.
		if next, _ := s.in.Peek(1); len(next) == 0 || next[0] != ' ' && next[0] != '\t' && next[0] != '}' {
			break
		}
		from := len(doc)
		if doc, err = s.read(doc); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if line = doc[min(from, len(doc)):]; errors.Is(err, io.EOF) {
			break
		}
	}
	s.long = doc
	return trim(doc), err
}

// trim takes blanks away, and the mark with which some editors begin a file, also
// where files were joined.
func trim(text []byte) []byte {
	const mark = "\ufeff"
	return bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(text), []byte(mark)))
}

// read appends the next line to dst, or returns it in place where dst is empty
// and it fits the buffer. Of a line beyond MaxCase only the beginning is kept.
func (s *stream) read(dst []byte) ([]byte, error) {
	if s.in.Buffered() == 0 { // about to wait: whoever waits for the answers gets them first
		if err := s.out.Flush(); err != nil {
			return nil, err
		}
	}
	part, err := s.in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) && len(dst) == 0 {
		return part, err
	}
	for {
		if len(dst) <= MaxCase {
			dst = append(dst, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return dst, err
		}
		s.long = dst
		part, err = s.in.ReadSlice('\n')
	}
}

func (s *stream) answer(doc []byte) error {
	var err error
	if len(doc) > MaxCase {
		err = fmt.Errorf("a case of more than %d MB", MaxCase>>20)
		message, _ := json.Marshal(err.Error())
		id, _ := salvage(doc)
		s.line = fmt.Appendf(s.line[:0], `{"id":%s,"error":%s}`, id, message)
	} else {
		s.line, err = Append(s.line[:0], doc)
	}
	s.result.add(err)
	s.line = append(s.line, '\n')
	_, err = s.out.Write(s.line)
	return err
}
