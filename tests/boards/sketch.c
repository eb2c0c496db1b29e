/* SPDX-License-Identifier: MIT
 *
 * The example's main loop, run: four boards in one program, joined by queues. Compiled once for
 * each board, with its number as BOARD, and once without, as what is around them. Ends well when
 * one has led alone for a minute; all memories are zero at the start, so the boards boot alike.
 */
#define JOIN(name, number)  name##_##number
#define NAMED(name, number) JOIN(name, number)

#ifdef BOARD
#define left_read    NAMED(left_read, BOARD)
#define right_read   NAMED(right_read, BOARD)
#define left_write   NAMED(left_write, BOARD)
#define right_write  NAMED(right_write, BOARD)
#define microseconds NAMED(microseconds, BOARD)
#define lead         NAMED(lead, BOARD)
#define loop         NAMED(loop, BOARD)
#include "../../examples/arduino-like.c"
#else

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { BOARDS = 4, QUEUE = 256 };

/* What is under way to the right and to the left of each board. */
static struct queue {
    uint8_t bytes[QUEUE], first, next;
} rightwards[BOARDS], leftwards[BOARDS];
static uint32_t now; /* microseconds */
static bool leading[BOARDS];

static bool get(struct queue *queue, uint8_t *byte_out)
{
    if (queue->first == queue->next)
        return false;
    *byte_out = queue->bytes[queue->first++];
    return true;
}

static void put(struct queue *queue, const uint8_t *bytes, uint8_t count)
{
    while (count-- > 0)
        queue->bytes[queue->next++] = *bytes++;
}

#define AROUND(i)                                                                                  \
    void loop_##i(void);                                                                           \
    bool left_read_##i(uint8_t *byte_out);                                                         \
    bool left_read_##i(uint8_t *byte_out)                                                          \
    {                                                                                              \
        return get(&rightwards[(i + BOARDS - 1) % BOARDS], byte_out);                              \
    }                                                                                              \
    bool right_read_##i(uint8_t *byte_out);                                                        \
    bool right_read_##i(uint8_t *byte_out)                                                         \
    {                                                                                              \
        return get(&leftwards[(i + 1) % BOARDS], byte_out);                                        \
    }                                                                                              \
    void left_write_##i(const uint8_t *bytes, uint8_t count);                                      \
    void left_write_##i(const uint8_t *bytes, uint8_t count)                                       \
    {                                                                                              \
        put(&leftwards[i], bytes, count);                                                          \
    }                                                                                              \
    void right_write_##i(const uint8_t *bytes, uint8_t count);                                     \
    void right_write_##i(const uint8_t *bytes, uint8_t count)                                      \
    {                                                                                              \
        put(&rightwards[i], bytes, count);                                                         \
    }                                                                                              \
    uint16_t microseconds_##i(void);                                                               \
    uint16_t microseconds_##i(void)                                                                \
    {                                                                                              \
        return (uint16_t)(now + i * 1234u); /* clocks are not set */                               \
    }                                                                                              \
    void lead_##i(bool on);                                                                        \
    void lead_##i(bool on)                                                                         \
    {                                                                                              \
        leading[i] = on;                                                                           \
    }
AROUND(0)
AROUND(1)
AROUND(2)
AROUND(3)

int main(void)
{
    static void (*const loops[BOARDS])(void) = {loop_0, loop_1, loop_2, loop_3};
    uint32_t since = 0, most = 0;
    for (now = 0; now < 3600000000u; now += 100) {
        uint32_t leaders = 0;
        for (int i = 0; i < BOARDS; i++) {
            loops[i]();
            leaders += leading[i];
        }
        most = leaders > most ? leaders : most;
        if (leaders != 1)
            since = now;
        else if (now - since > 60000000) {
            printf("one leader after %.1f s; at most %u before\n", since / 1e6, most);
            return 0;
        }
    }
    puts("no leader for a minute within an hour");
    return 1;
}
#endif
