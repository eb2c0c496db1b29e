/* SPDX-License-Identifier: MIT
 *
 * What tests of pictures share: a file in memory, the golden ones, the pixels of a PNG.
 */
#ifndef RINGLEADER_TEST_PICTURE_H
#define RINGLEADER_TEST_PICTURE_H

#include "test.h"

#include <cairo.h>

#include "draw/colours.h"

__attribute__((unused)) static bool refuse_bytes(void *user, const void *bytes, size_t size)
{
    (void)user, (void)bytes, (void)size;
    return false;
}

/* The same as tests/golden/pictures/NAME, byte for byte. */
static inline void assert_golden(const struct bytes *bytes, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", GOLDEN_PICTURES, name);
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    char *expected = malloc(bytes->size + 1);
    const size_t size = fread(expected, 1, bytes->size + 1, stream);
    fclose(stream);
    assert_int_equal(size, bytes->size);
    assert_memory_equal(expected, bytes->at, size);
    free(expected);
}

static inline cairo_status_t give_bytes(void *user, unsigned char *to, unsigned size)
{
    struct bytes *file = user;
    if (file->read + size > file->size)
        return CAIRO_STATUS_READ_ERROR;
    memcpy(to, file->at + file->read, size);
    file->read += size;
    return CAIRO_STATUS_SUCCESS;
}

static inline cairo_surface_t *read_png(struct bytes *bytes)
{
    cairo_surface_t *surface = cairo_image_surface_create_from_png_stream(give_bytes, bytes);
    assert_int_equal(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
    return surface;
}

static inline size_t count_pixels(cairo_surface_t *surface, uint32_t colour)
{
    const uint32_t *pixels = (const uint32_t *)cairo_image_surface_get_data(surface);
    const int stride = cairo_image_surface_get_stride(surface) / 4;
    size_t count = 0;
    for (int y = 0; y < cairo_image_surface_get_height(surface); y++)
        for (int x = 0; x < cairo_image_surface_get_width(surface); x++)
            count += (pixels[y * stride + x] & 0xffffff) == colour;
    return count;
}

#endif
