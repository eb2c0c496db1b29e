/* SPDX-License-Identifier: MIT
 *
 * Consoles: what boards say becomes their logs, and tells who leads.
 *
 * A log must hold what happened, and nothing else. So a line that was being said when the board was
 * struck is left out, and so is one that is no line of a log, which a board says only when its
 * memory was overwritten; `gap` stands in its place. A board that has lost its way may say anything
 * until its watchdog resets it: what it said since it was struck is taken back then.
 */
#include <unistd.h>

#include "ring.h"

static const double WATCHDOG = 5; /* seconds; it bites before that */

static void write_gap(struct ring *ring, uint32_t i)
{
    fputs("gap\n", ring->boards[i].log);
    ring->boards[i].known = false;
}

/* Back to where the log was when the board was struck. */
static void take_back(struct ring *ring, struct board *board)
{
    if (fflush(board->log) != 0 || fseek(board->log, board->struck_at, SEEK_SET) != 0 ||
        ftruncate(fileno(board->log), board->struck_at) != 0)
        snprintf(ring->broken, sizeof ring->broken, "a log could not be written");
}

static void take_boot(struct ring *ring, uint32_t i)
{
    struct board *board = &ring->boards[i];
    ring->boots++;
    if (!board->boot_due) {
        ring->bites++;
        if (board->struck_at >= 0 && ring->emulator->now(ring) < board->struck_when + WATCHDOG)
            take_back(ring, board);
        tell(ring, "board %u was reset by its watchdog", i);
    }
    board->boot_due = false;
}

static void take_line(struct ring *ring, uint32_t i)
{
    struct board *board = &ring->boards[i];
    struct rl_entry entry;
    if (!rl_journal_parse(board->line, board->used, &entry)) {
        write_gap(ring, i);
        ring->gaps++;
        return;
    }
    if (entry.kind == RL_JOURNAL_GAP)
        return; /* said before every boot, to end a line that was cut off */
    if (entry.kind == RL_JOURNAL_BOOT)
        take_boot(ring, i);
    else if (board->garbled)
        return; /* begun before it was struck, or with what was left of that in registers */
    ring->interactions += entry.kind == RL_JOURNAL_DONE;
    board->known = true;
    board->leads = (entry.kind == RL_JOURNAL_HEARD  ? entry.l_after
                    : entry.kind == RL_JOURNAL_DONE ? entry.r_after
                                                    : entry.r) &
                   1;
    fprintf(board->log, "%.*s\n", (int)board->used, board->line);
}

void board_says(struct ring *ring, uint32_t i, uint8_t byte)
{
    struct board *board = &ring->boards[i];
    if (byte != '\n') {
        if (board->used < sizeof board->line)
            board->line[board->used++] = (char)byte;
        return;
    }
    if (board->used > 0)
        take_line(ring, i);
    board->garbled = board->garbled && board->used == 0;
    board->used = 0;
}

void board_struck(struct ring *ring, uint32_t i)
{
    struct board *board = &ring->boards[i];
    board->used = 0;
    board->garbled = true;
    write_gap(ring, i);
    board->struck_at = ftell(board->log);
    board->struck_when = ring->emulator->now(ring);
}
