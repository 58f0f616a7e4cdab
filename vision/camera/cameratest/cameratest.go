// Package cameratest gives tests pictures, films and cameras.
package cameratest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"net"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gocv.io/x/gocv"
)

// Quarters is a picture whose quarters are red, green, blue and white, clockwise from
// the left upper one.
func Quarters(width, height int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.RGBA{255, 0, 0, 255}
			switch {
			case x >= width/2 && y < height/2:
				c = color.RGBA{0, 255, 0, 255}
			case x >= width/2:
				c = color.RGBA{0, 0, 255, 255}
			case y >= height/2:
				c = color.RGBA{255, 255, 255, 255}
			}
			img.Set(x, y, c)
		}
	}
	return img
}

// JPEG is a picture as a file.
func JPEG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Turned is a JPEG with an EXIF orientation.
func Turned(data []byte, orientation byte) []byte {
	exif := append([]byte("Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00"), orientation, 0, 0, 0, 0, 0, 0)
	out := append([]byte{0xff, 0xd8, 0xff, 0xe1, 0, byte(len(exif) + 2)}, exif...)
	return append(out, data[2:]...)
}

// Film is a short video of a kind that can be played while it comes.
func Film(t *testing.T, ext, codec string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "film"+ext)
	w, err := gocv.VideoWriterFile(file, codec, 25, 64, 32, true)
	if err != nil {
		t.Fatal(err)
	}
	img, err := gocv.IMDecode(JPEG(t, Quarters(64, 32)), gocv.IMReadColor)
	if err != nil {
		t.Fatal(err)
	}
	defer img.Close()
	for range 50 {
		if err := w.Write(img); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	data, err := os.ReadFile(file)
	if err != nil || len(data) == 0 {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	return data
}

// ServeRTSP is a camera that plays a film of MPEG packets, or answers otherwise.
func ServeRTSP(conn net.Conn, answer func(method string) string, film []byte) {
	in := textproto.NewReader(bufio.NewReader(conn))
	for {
		line, err := in.ReadLine()
		if err != nil {
			return
		}
		header, err := in.ReadMIMEHeader()
		if err != nil {
			return
		}
		method, _, _ := strings.Cut(line, " ")
		status, rest, _ := strings.Cut(answer(method), "\n")
		fmt.Fprintf(conn, "RTSP/1.0 %s\r\nCSeq: %s\r\n%s", status, header.Get("CSeq"), strings.ReplaceAll(rest, "\n", "\r\n"))
		if method != "PLAY" {
			continue
		}
		for n := 0; len(film) > 0; n++ {
			piece := film[:min(7*188, len(film))]
			film = film[len(piece):]
			packet := []byte{'$', 0, 0, 0, 0x80, 33, byte(n >> 8), byte(n), 0, 0, byte(n), 0, 0, 0, 0, 1}
			binary.BigEndian.PutUint16(packet[2:], uint16(12+len(piece)))
			_, _ = conn.Write(append(packet, piece...))
			time.Sleep(time.Millisecond)
		}
	}
}

// Willing is what a camera answers that does as it is asked.
func Willing(method string) string {
	switch method {
	case "OPTIONS":
		return "200 OK\nPublic: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\n\n"
	case "DESCRIBE":
		const text = "v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=table\r\nt=0 0\r\nm=video 0 RTP/AVP 33\r\na=control:track1\r\n"
		return fmt.Sprintf("200 OK\nContent-Type: application/sdp\nContent-Length: %d\n\n%s", len(text), strings.ReplaceAll(text, "\r\n", "\n"))
	case "SETUP":
		return "200 OK\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1\nSession: 1\n\n"
	}
	return "200 OK\nSession: 1\n\n"
}
