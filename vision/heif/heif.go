// Package heif decodes HEIC and AVIF pictures with libheif. Check a file with eye.CheckPicture
// before decoding it.
package heif

/*
#cgo pkg-config: libheif
#include <stdlib.h>
#include <libheif/heif.h>

static struct heif_error decode(const void* data, size_t size, struct heif_context** ctx, struct heif_image_handle** handle, struct heif_image** img) {
	*ctx = heif_context_alloc();
	struct heif_error err = heif_context_read_from_memory_without_copy(*ctx, data, size, NULL);
	if (err.code == heif_error_Ok) err = heif_context_get_primary_image_handle(*ctx, handle);
	if (err.code != heif_error_Ok) return err;
	struct heif_decoding_options* options = heif_decoding_options_alloc();
	options->ignore_transformations = 1;
	options->convert_hdr_to_8bit = 1;
	err = heif_decode_image(*handle, img, heif_colorspace_RGB, heif_chroma_interleaved_RGB, options);
	heif_decoding_options_free(options);
	return err;
}

static void release(struct heif_context* ctx, struct heif_image_handle* handle, struct heif_image* img) {
	if (img) heif_image_release(img);
	if (handle) heif_image_handle_release(handle);
	heif_context_free(ctx);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"unsafe"
)

// start loads libheif's decoders.
var start = sync.OnceFunc(func() { C.heif_init(nil) })

// Picture is a decoded picture in red, green and blue, a byte each. Close frees it.
type Picture struct {
	Width, Height int
	Stride        int    // bytes from a row to the next
	Pixels        []byte // not after Close

	ctx    *C.struct_heif_context
	handle *C.struct_heif_image_handle
	img    *C.struct_heif_image
	data   unsafe.Pointer
}

// Decode decodes the main picture of a file as stored: neither cropped nor turned.
func Decode(data []byte) (*Picture, error) {
	start()
	p := &Picture{data: C.CBytes(data)}
	err := C.decode(p.data, C.size_t(len(data)), &p.ctx, &p.handle, &p.img)
	if err.code != C.heif_error_Ok {
		text := strings.Join(strings.Fields(C.GoString(err.message)), " ") // it may be several lines
		p.Close()
		return nil, fmt.Errorf("damaged: the picture cannot be decoded (%s)", text)
	}
	p.Width = int(C.heif_image_get_width(p.img, C.heif_channel_interleaved))
	p.Height = int(C.heif_image_get_height(p.img, C.heif_channel_interleaved))
	var stride C.int
	plane := C.heif_image_get_plane_readonly(p.img, C.heif_channel_interleaved, &stride)
	p.Stride = int(stride)
	if plane == nil || p.Width < 1 || p.Height < 1 || p.Stride < 3*p.Width {
		p.Close()
		return nil, errors.New("damaged: the picture cannot be decoded")
	}
	p.Pixels = unsafe.Slice((*byte)(plane), p.Stride*(p.Height-1)+3*p.Width)
	return p, nil
}

// Close frees the picture.
func (p *Picture) Close() {
	C.release(p.ctx, p.handle, p.img)
	C.free(p.data)
	*p = Picture{}
}
