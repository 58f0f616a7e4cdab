package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unsafe"
)

// Requests of Video4Linux2 (linux/videodev2.h): what the device is, which
// formats it sends, and whether its buffers can be had.
const (
	vidiocQueryCap = 0x80685600
	vidiocEnumFmt  = 0xc0405602
	vidiocReqBufs  = 0xc0145608

	capVideoCapture = 0x1
	typeCapture     = 1
	memoryMmap      = 1
)

// capability is what a device says of itself.
type capability struct {
	driver, name string
	device       uint32 // what this node of the device can do
}

// listCameras lists the video devices in the order of their numbers.
func listCameras() []string {
	paths, _ := filepath.Glob("/dev/video*") // the pattern is right
	number := func(path string) int {
		n, _ := strconv.Atoi(strings.TrimPrefix(path, "/dev/video"))
		return n
	}
	slices.SortFunc(paths, func(a, b string) int { return number(a) - number(b) })
	return paths
}

// lookAtCamera opens a device and asks what it is and whether it is free. It
// takes no picture.
func lookAtCamera(path string) (camera, error) {
	var c camera
	f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.EBUSY) {
		c.holder = holder(path)
		return c, errBusy
	}
	if err != nil {
		return c, err
	}
	defer f.Close()

	caps, err := queryCapability(f)
	if errors.Is(err, syscall.ENOTTY) || errors.Is(err, syscall.EINVAL) {
		return c, errNoCamera
	}
	if err != nil {
		return c, fmt.Errorf("does not answer: %w", err)
	}
	c.name, c.driver = caps.name, caps.driver
	if caps.device&capVideoCapture == 0 {
		return c, errNoCamera
	}
	c.formats = formats(f)
	if err := tryBuffers(f); errors.Is(err, syscall.EBUSY) {
		c.holder = holder(path)
		return c, errBusy
	}
	return c, nil
}

func queryCapability(f *os.File) (capability, error) {
	// struct v4l2_capability: driver[16], card[32], bus_info[32], then 32-bit
	// version, capabilities, device_caps, reserved[3].
	var raw [104]byte
	if err := ioctl(f, vidiocQueryCap, unsafe.Pointer(&raw)); err != nil {
		return capability{}, err
	}
	device := *(*uint32)(unsafe.Pointer(&raw[88]))
	if device == 0 { // drivers of old kernels tell only what all nodes can do together
		device = *(*uint32)(unsafe.Pointer(&raw[84]))
	}
	return capability{cString(raw[:16]), cString(raw[16:48]), device}, nil
}

// formats lists the formats that a camera sends, as their four letters.
func formats(f *os.File) []string {
	// struct v4l2_fmtdesc: 32-bit index, type, flags, description[32],
	// pixelformat, mbus_code, reserved[3].
	var list []string
	for index := range uint32(64) {
		var raw [64]byte
		*(*uint32)(unsafe.Pointer(&raw[0])) = index
		*(*uint32)(unsafe.Pointer(&raw[4])) = typeCapture
		if ioctl(f, vidiocEnumFmt, unsafe.Pointer(&raw)) != nil {
			break // that was the last one
		}
		if name := strings.TrimSpace(cString(raw[44:48])); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// tryBuffers asks for a picture buffer and gives it back: the driver refuses
// it while another program is taking pictures.
func tryBuffers(f *os.File) error {
	// struct v4l2_requestbuffers: 32-bit count, type, memory, capabilities, flags.
	request := [5]uint32{1, typeCapture, memoryMmap}
	if err := ioctl(f, vidiocReqBufs, unsafe.Pointer(&request)); err != nil {
		return err
	}
	request = [5]uint32{0, typeCapture, memoryMmap}
	return ioctl(f, vidiocReqBufs, unsafe.Pointer(&request))
}

func ioctl(f *os.File, request uintptr, argument unsafe.Pointer) error {
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), request, uintptr(argument)); errno != 0 {
		return errno
	}
	return nil
}

// cString reads the bytes up to the first zero.
func cString(b []byte) string {
	b, _, _ = bytes.Cut(b, []byte{0})
	return string(b)
}

// holder names the program that has a device open, as far as we may know.
func holder(device string) string {
	links, _ := filepath.Glob("/proc/[0-9]*/fd/*") // the pattern is right
	for _, link := range links {
		target, err := os.Readlink(link)
		if err != nil || target != device {
			continue
		}
		process := filepath.Dir(filepath.Dir(link))
		if filepath.Base(process) == strconv.Itoa(os.Getpid()) {
			continue
		}
		name, err := os.ReadFile(filepath.Join(process, "comm"))
		if err == nil {
			return fmt.Sprintf("%s (process %s)", strings.TrimSpace(string(name)), filepath.Base(process))
		}
	}
	return ""
}

// freeSpace is how many bytes may still be written to the disk of a folder.
func freeSpace(dir string) (uint64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(existingFolder(dir), &s); err != nil {
		return 0, err
	}
	return s.Bavail * uint64(s.Bsize), nil
}
