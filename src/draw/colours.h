/* SPDX-License-Identifier: MIT
 *
 * The colours of pictures. They can be told apart by people who see colours differently, and the
 * page's light theme (web/src/style.css) has the same ones.
 */
#ifndef RINGLEADER_DRAW_COLOURS_H
#define RINGLEADER_DRAW_COLOURS_H

enum {
    COLOUR_PAPER = 0xffffff,
    COLOUR_INK = 0x1c1e24,
    COLOUR_MUTED = 0x5d626e,
    COLOUR_LINE = 0xdfdcd4,
    COLOUR_ACCENT = 0x4450d6,
    COLOUR_LEADER = 0xf2b01e,
    COLOUR_LEADER_EDGE = 0x9a6a00,
    COLOUR_SHIELD = 0x1f74d8,
    COLOUR_FAINT_SHIELD = 0xa8cdf5,
    COLOUR_LIVE = 0xd93a16,
    COLOUR_DUMMY = 0x6d7480,
    COLOUR_SIGNAL = 0x0b8878,
    COLOUR_FAINT_SIGNAL = 0xb4dcd6,
    COLOUR_FOLLOWER = 0xf1f1f6,
    COLOUR_NEAR = 0xdcdff2,
    COLOUR_FAR = 0x666eb8,
};

/* From near to far: part 0 .. 255. */
static inline unsigned colour_shade(unsigned part)
{
    unsigned colour = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        const unsigned a = COLOUR_NEAR >> shift & 255, b = COLOUR_FAR >> shift & 255;
        colour |= (a * (255 - part) + b * part) / 255 << shift;
    }
    return colour;
}

#endif
