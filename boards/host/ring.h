/* SPDX-License-Identifier: MIT
 *
 * A ring of emulated boards, as its host program sees it: boards, the wires between them, trouble.
 *
 * The emulator (struct emulator) lets time pass and hands over every byte: those of a console go to
 * board_says (console.c), those for a neighbour to wire_carry (wire.c), which hands them, with
 * trouble, to the neighbour. main.c switches boards off and on, overwrites their memories, and
 * decides when it is over.
 */
#ifndef RINGLEADER_BOARDS_HOST_RING_H
#define RINGLEADER_BOARDS_HOST_RING_H

#include <stdio.h>

#include "net/journal.h"
#include "ringleader/protocol.h"

enum { MOST_BOARDS = 64, FRAME_BYTES = 10 };
enum side { LEFT, RIGHT };

/* What comes out of a board to one side: the frame that is under way, and what becomes of it. */
struct wire {
    uint8_t frame[FRAME_BYTES];
    uint8_t count;
    bool lost, doubled;
};

/* What a memory holds when the power comes on. */
enum image { IMAGE_RANDOM, IMAGE_ZEROS, IMAGE_ONES };

struct board {
    struct wire wires[2];
    FILE *log;
    char line[RL_JOURNAL_LINE]; /* of the console, as far as said */
    size_t used;
    bool on;
    bool boot_due; /* the power came on: a boot that is not due is the watchdog's */
    bool known;    /* its state is: it has said so since it was struck */
    bool garbled;  /* its memory was overwritten in this line */
    bool leads;
    long struck_at; /* the length of its log when it was struck last, at ...; -1: never */
    double struck_when;
    enum image image; /* when it is switched on again, at ... */
    double back_at;
    void *emulated; /* the emulator's */
};

struct ring {
    const struct emulator *emulator;
    const char *firmware;
    const char *logs; /* a directory */
    void *emulated;   /* the emulator's */
    uint32_t n;
    struct board boards[MOST_BOARDS];
    struct rl_random random;
    double loss, duplicate, bad; /* shares: of frames, of frames, of bytes */
    bool deaf;                   /* nothing is carried any more */
    uint64_t interactions, frames, lost, doubled, bad_bytes;
    uint32_t boots, bites, gaps; /* gaps: lines that were no lines */
    char broken[128];            /* what went wrong outside, if anything */
};

struct emulator {
    const char *name;
    const char *chip; /* its name there, if there are several */
    bool (*begin)(struct ring *ring);
    double (*now)(struct ring *ring); /* seconds */
    /* Switches a board on, its memory filled as board->image says. */
    void (*switch_on)(struct ring *ring, uint32_t i);
    void (*switch_off)(struct ring *ring, uint32_t i);
    /* Overwrites the memory of a board that is on: its variables, or all with the stack. What it
     * said before has been heard. */
    void (*overwrite)(struct ring *ring, uint32_t i, bool all);
    void (*deliver)(struct ring *ring, uint32_t i, enum side from, uint8_t byte);
    /* Lets some hundredths of a second pass. */
    void (*run)(struct ring *ring);
    /* All boards stand still, and all that they said has been heard. */
    void (*halt)(struct ring *ring);
    void (*end)(struct ring *ring);
};
extern const struct emulator qemu_emulator, simavr_emulator, simavr_328p_emulator;

/* wire.c: a byte that board i sends to a side. */
void wire_carry(struct ring *ring, uint32_t i, enum side to, uint8_t byte);

/* console.c */
void board_says(struct ring *ring, uint32_t i, uint8_t byte);
/* Its memory is being overwritten, or its power is cut: what it is saying now is worth nothing. */
void board_struck(struct ring *ring, uint32_t i);
/* main.c: a line of the story. */
void tell(struct ring *ring, const char *format, ...) RL_FORMAT(2, 3);

/* A memory as an image says, for the emulators. */
void fill_memory(struct ring *ring, enum image image, uint8_t *bytes, size_t count);

#endif
