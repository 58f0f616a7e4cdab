#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// View is a part of a picture and how large it shall become: no larger than it is.
typedef struct {
    int row; // bytes from a row of the picture to the next
    int width, height;
    int toWidth, toHeight;
    int planeWidth, planeHeight; // filled up with what lies at the border
} View;

// shrink draws a view, whose first pixel (blue, green, red) is at from, as three planes, red, green and blue, 0 to 1.
void shrink(const unsigned char *from, const View *v, float *planes);

#ifdef __cplusplus
}
#endif
