// Package jpeg decodes JPEGs with libjpeg-turbo, straight into blue, green and red: OpenCV swaps the colors of
// each pixel afterwards, which takes longer than the decoding. Check a file with eye.CheckPicture before decoding it.
package jpeg

/*
#cgo pkg-config: libjpeg
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <jpeglib.h>

struct failure {
	struct jpeg_error_mgr manager;
	jmp_buf to;
};

static void fail(j_common_ptr info) { longjmp(((struct failure*)info->err)->to, 1); }

// warn takes a warning for a failure, too.
static void warn(j_common_ptr info, int level) { if (level < 0) fail(info); }

// decode returns 1 if a picture of just that size was decoded without any warning.
static int decode(const unsigned char* data, unsigned long size, int scale, unsigned char* to, int width, int height) {
#ifdef JCS_EXTENSIONS // of libjpeg-turbo
	struct jpeg_decompress_struct info;
	struct failure err;
	info.err = jpeg_std_error(&err.manager);
	err.manager.error_exit = fail;
	err.manager.emit_message = warn;
	if (setjmp(err.to)) {
		jpeg_destroy_decompress(&info);
		return 0;
	}
	jpeg_create_decompress(&info);
	jpeg_mem_src(&info, (unsigned char*)data, size);
	jpeg_read_header(&info, TRUE);
	if (info.num_components != 3) {
		jpeg_destroy_decompress(&info);
		return 0;
	}
	info.scale_num = 1;
	info.scale_denom = scale;
	info.out_color_space = JCS_EXT_BGR;
	jpeg_start_decompress(&info);
	int fits = info.output_width == (JDIMENSION)width && info.output_height == (JDIMENSION)height;
	while (fits && info.output_scanline < info.output_height) {
		JSAMPROW row = to + 3 * (size_t)width * info.output_scanline;
		jpeg_read_scanlines(&info, &row, 1);
	}
	if (fits) jpeg_finish_decompress(&info);
	jpeg_destroy_decompress(&info);
	return fits;
#else
	return 0;
#endif
}
*/
import "C"

import "unsafe"

// Decode decodes a JPEG in color as stored, at 1/scale of its size (1, 2, 4 or 8), into to: width × height × 3 bytes
// in blue, green and red. It says whether it did, and leaves out what is anything but plain: a file that is damaged,
// gray or of four inks, or of another size; to holds anything then.
func Decode(data []byte, scale, width, height int, to []byte) bool {
	if len(data) == 0 || width <= 0 || height <= 0 || len(to) < 3*width*height {
		return false
	}
	return C.decode((*C.uchar)(unsafe.Pointer(&data[0])), C.ulong(len(data)), C.int(scale),
		(*C.uchar)(unsafe.Pointer(&to[0])), C.int(width), C.int(height)) == 1
}
