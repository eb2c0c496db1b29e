/* SPDX-License-Identifier: MIT
 *
 * board-ring: a ring of emulated boards, from power-on with any memory to one leader, through
 * resets, overwritten memories and bad wires. The story goes to standard output; what the consoles
 * said to a log each, for `ringleader ring --check`.
 *
 * Nothing is done at fixed times: the next blow falls when one leader has led for the holding time
 * since the last one, and the run is over when none is left.
 */
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ring.h"

enum { DONE = 0, NOT_ELECTED = 1, BAD_REQUEST = 2, OUTSIDE = 3 };

static const char HELP[] =
    "board-ring --on qemu|simavr|simavr-328p --firmware FILE --logs DIRECTORY [options]\n"
    "\n"
    "  -n COUNT              boards, 2 to 64 (default 8)\n"
    "  --seed NUMBER         of memories, blows and bad wires (default 1); in simavr of "
    "everything\n"
    "  --memory KIND         random, zeros or ones: all memories at power-on (default random)\n"
    "  --loss SHARE          lose that share of all frames, 0 to 1; likewise\n"
    "  --duplicate SHARE     double them, and\n"
    "  --bad SHARE           make that share of all bytes bad\n"
    "  --cuts COUNT          cut the power of a board, the leader first; it comes back with "
    "random\n"
    "                        memory\n"
    "  --overwrites COUNT    overwrite the variables of a running board, next time all its memory\n"
    "  --images COUNT        cut the power of board 0; it comes back with all zeros, then all "
    "ones,\n"
    "                        then random memories, a new one each time\n"
    "  --hold SECONDS        how long one leader must have led each time (default 2)\n"
    "  --limit SECONDS       give up after that time without one (default 120)\n"
    "\n"
    "Exit status: 0 one leader held to the end, 1 it did not, 2 a wrong request, 3 something "
    "outside\n"
    "failed. No process is left behind.\n";

struct story {
    struct ring ring;
    uint64_t seed;
    enum image memory;
    uint32_t cuts, overwrites, images;
    double hold, limit;
    uint32_t blows;   /* fallen so far */
    uint32_t leaders; /* MOST_BOARDS + 1: not known */
    uint32_t leader;  /* the sole one */
    double since;     /* when it began to lead alone, or there ceased to be one */
    double healed;    /* the longest time from a blow to one leader */
    double blow_at;   /* the end of the last one: power is back; or the start */
    bool terminal;
    double shown;
};

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static int complain(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("board-ring: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return status;
}

/* ---- the request ---- */

enum {
    ON = 1000,
    FIRMWARE,
    LOGS,
    SEED,
    MEMORY,
    LOSS,
    DUPLICATE,
    BAD,
    CUTS,
    OVERWRITES,
    IMAGES,
    HOLD,
    LIMIT,
    SHOW_HELP
};
static const struct option OPTIONS[] = {
    {"on", required_argument, NULL, ON},
    {"firmware", required_argument, NULL, FIRMWARE},
    {"logs", required_argument, NULL, LOGS},
    {"seed", required_argument, NULL, SEED},
    {"memory", required_argument, NULL, MEMORY},
    {"loss", required_argument, NULL, LOSS},
    {"duplicate", required_argument, NULL, DUPLICATE},
    {"bad", required_argument, NULL, BAD},
    {"cuts", required_argument, NULL, CUTS},
    {"overwrites", required_argument, NULL, OVERWRITES},
    {"images", required_argument, NULL, IMAGES},
    {"hold", required_argument, NULL, HOLD},
    {"limit", required_argument, NULL, LIMIT},
    {"help", no_argument, NULL, SHOW_HELP},
    {NULL, 0, NULL, 0},
};

static bool read_number(const char *text, double most, double *number_out)
{
    char *end;
    *number_out = strtod(text, &end);
    return *text && !*end && *number_out >= 0 && *number_out <= most;
}

static bool read_count(const char *text, double most, uint32_t *count_out)
{
    double number;
    if (!read_number(text, most, &number) || number != (double)(uint32_t)number)
        return false;
    *count_out = (uint32_t)number;
    return true;
}

static bool read_seed(const char *text, uint64_t *seed_out)
{
    char *end;
    *seed_out = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end;
}

static bool read_emulator(const char *text, const struct emulator **emulator_out)
{
    if (strcmp(text, "qemu") == 0)
        *emulator_out = &qemu_emulator;
    else if (strcmp(text, "simavr") == 0)
        *emulator_out = &simavr_emulator;
    else if (strcmp(text, "simavr-328p") == 0)
        *emulator_out = &simavr_328p_emulator;
    else
        return false;
    return true;
}

static bool read_memory(const char *text, enum image *image_out)
{
    static const char *const names[] = {"random", "zeros", "ones"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            *image_out = (enum image)i;
            return true;
        }
    return false;
}

static bool read_option(struct story *story, int option, const char *text)
{
    struct ring *ring = &story->ring;
    switch (option) {
    case ON:
        return read_emulator(text, &ring->emulator);
    case FIRMWARE:
        ring->firmware = text;
        return true;
    case LOGS:
        ring->logs = text;
        return true;
    case 'n':
        return read_count(text, MOST_BOARDS, &ring->n) && ring->n >= 2;
    case SEED:
        return read_seed(text, &story->seed);
    case MEMORY:
        return read_memory(text, &story->memory);
    case LOSS:
        return read_number(text, 1, &ring->loss);
    case DUPLICATE:
        return read_number(text, 1, &ring->duplicate);
    case BAD:
        return read_number(text, 1, &ring->bad);
    case CUTS:
        return read_count(text, 1e6, &story->cuts);
    case OVERWRITES:
        return read_count(text, 1e6, &story->overwrites);
    case IMAGES:
        return read_count(text, 1e6, &story->images);
    case HOLD:
        return read_number(text, 1e6, &story->hold);
    case LIMIT:
        return read_number(text, 1e6, &story->limit);
    default:
        return false;
    }
}

/* -1: go on; else an exit status. */
static int read_request(struct story *story, int argc, char **argv)
{
    *story = (struct story){.seed = 1, .hold = 2, .limit = 120, .ring = {.n = 8}};
    int option;
    while ((option = getopt_long(argc, argv, "n:", OPTIONS, NULL)) != -1) {
        if (option == SHOW_HELP) {
            fputs(HELP, stdout);
            return DONE;
        }
        if (option == '?')
            return BAD_REQUEST;
        if (!read_option(story, option, optarg))
            return complain(BAD_REQUEST, "%s: not a value of that option; see --help", optarg);
    }
    if (optind < argc)
        return complain(BAD_REQUEST, "%s: not an option; see --help", argv[optind]);
    if (!story->ring.emulator || !story->ring.firmware || !story->ring.logs)
        return complain(BAD_REQUEST, "--on, --firmware and --logs are needed; see --help");
    return -1;
}

/* ---- the story ---- */

static struct story *story_of(struct ring *ring)
{
    return (struct story *)ring; /* its first member */
}

static void clear_progress(const struct story *story)
{
    if (story->terminal)
        fputs("\r\033[K", stderr);
}

/* L leads, . follows, ? not known, x off. */
static const char *faces(const struct ring *ring)
{
    static char face[MOST_BOARDS + 1];
    for (uint32_t i = 0; i < ring->n; i++) {
        const struct board *board = &ring->boards[i];
        face[i] = !board->on ? 'x' : !board->known ? '?' : board->leads ? 'L' : '.';
    }
    face[ring->n] = '\0';
    return face;
}

void tell(struct ring *ring, const char *format, ...)
{
    va_list arguments;
    clear_progress(story_of(ring));
    printf("%8.2f s  %s  ", ring->emulator->now(ring), faces(ring));
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

static void show_progress(struct story *story)
{
    struct timespec clock;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    const double now = (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
    if (!story->terminal || now < story->shown + 0.1)
        return;
    story->shown = now;
    struct ring *ring = &story->ring;
    fprintf(stderr, "\r\033[K%8.2f s  %s  %llu interactions, blow %u of %u",
            ring->emulator->now(ring), faces(ring), (unsigned long long)ring->interactions,
            story->blows, story->cuts + story->overwrites + story->images);
}

/* Looks who leads now, and tells what has changed. */
static void look(struct story *story)
{
    struct ring *ring = &story->ring;
    uint32_t leaders = 0, leader = 0;
    for (uint32_t i = 0; i < ring->n; i++) {
        const struct board *board = &ring->boards[i];
        if (!board->on || !board->known)
            leaders = 2 * MOST_BOARDS;
        else if (board->leads) {
            leaders++;
            leader = i;
        }
    }
    const bool known = leaders <= MOST_BOARDS;
    leaders = known ? leaders : MOST_BOARDS + 1;
    if (leaders == story->leaders && (leaders != 1 || leader == story->leader))
        return;
    story->leaders = leaders;
    story->leader = leader;
    story->since = ring->emulator->now(ring);
    if (leaders == 1)
        tell(ring, "board %u leads alone", leader);
    else if (known)
        tell(ring, "%s", leaders == 0 ? "nobody leads" : "several lead");
}

/* ---- blows ---- */

void fill_memory(struct ring *ring, enum image image, uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = image == IMAGE_ZEROS  ? 0
                   : image == IMAGE_ONES ? 0xff
                                         : (uint8_t)rl_random_next(&ring->random);
}

static void cut_power(struct story *story, uint32_t i, enum image image, const char *memory)
{
    struct ring *ring = &story->ring;
    struct board *board = &ring->boards[i];
    ring->emulator->switch_off(ring, i);
    board_struck(ring, i);
    board->on = false;
    board->image = image;
    board->back_at = ring->emulator->now(ring) + 0.5;
    tell(ring, "board %u: power cut; it will be back with %s", i, memory);
}

static void strike(struct story *story)
{
    struct ring *ring = &story->ring;
    const uint32_t number = story->blows++, any = rl_random_below(&ring->random, ring->n);
    story->blow_at = ring->emulator->now(ring);
    if (number < story->cuts)
        cut_power(story, number == 0 ? story->leader : any, IMAGE_RANDOM, "random memory");
    else if (number < story->cuts + story->overwrites) {
        const bool all = (number - story->cuts) % 2 != 0;
        ring->emulator->overwrite(ring, any, all);
        tell(ring, "board %u: its %s overwritten", any, all ? "whole memory is" : "variables are");
    } else {
        const uint32_t image = number - story->cuts - story->overwrites;
        cut_power(story, 0,
                  image == 0   ? IMAGE_ZEROS
                  : image == 1 ? IMAGE_ONES
                               : IMAGE_RANDOM,
                  image == 0   ? "all zeros"
                  : image == 1 ? "all ones"
                               : "random memory");
    }
}

static void switch_boards_on(struct story *story)
{
    struct ring *ring = &story->ring;
    for (uint32_t i = 0; i < ring->n; i++) {
        struct board *board = &ring->boards[i];
        if (board->on || ring->emulator->now(ring) < board->back_at)
            continue;
        board->on = board->boot_due = true;
        ring->emulator->switch_on(ring, i);
        story->blow_at = ring->emulator->now(ring); /* the blow is over */
    }
}

/* ---- the whole run ---- */

/* One leader has held through all blows; false: not within the limit, or something broke. */
static bool run_story(struct story *story)
{
    struct ring *ring = &story->ring;
    const uint32_t all = story->cuts + story->overwrites + story->images;
    while (!interrupted && !ring->broken[0]) {
        switch_boards_on(story);
        ring->emulator->run(ring);
        look(story);
        show_progress(story);
        const double now = ring->emulator->now(ring);
        if (story->leaders == 1 && now >= story->since + story->hold) {
            const double healing = story->since - story->blow_at;
            story->healed = healing > story->healed ? healing : story->healed;
            if (story->blows == all)
                return true;
            strike(story);
            look(story);
        } else if (now > story->blow_at + story->limit)
            return false;
    }
    return false;
}

static bool open_logs(struct story *story)
{
    char path[4096];
    for (uint32_t i = 0; i < story->ring.n; i++) {
        struct board *board = &story->ring.boards[i];
        snprintf(path, sizeof path, "%s/%02u.log", story->ring.logs, i);
        board->log = fopen(path, "w");
        if (!board->log) {
            complain(OUTSIDE, "%s: cannot be written", path);
            return false;
        }
        setvbuf(board->log, NULL, _IOLBF, 0); /* for who looks on */
        board->struck_at = -1;
        board->image = story->memory;
        board->back_at = 0.001 * rl_random_below(&story->ring.random, 100);
    }
    return true;
}

static bool close_logs(struct story *story)
{
    bool good = true;
    for (uint32_t i = 0; i < story->ring.n; i++)
        if (story->ring.boards[i].log)
            good &= fclose(story->ring.boards[i].log) == 0;
    return good;
}

static int report(struct story *story, bool held)
{
    struct ring *ring = &story->ring;
    clear_progress(story);
    if (ring->broken[0])
        return complain(OUTSIDE, "%s", ring->broken);
    if (interrupted)
        return complain(NOT_ELECTED, "interrupted");
    if (held)
        tell(ring, "board %u has led alone for %g s, after %u blow%s", story->leader, story->hold,
             story->blows, story->blows == 1 ? "" : "s");
    else
        tell(ring, "no leader for %g s within %g s of the last blow", story->hold, story->limit);
    printf("\nboards   %u, %s; %u boots, %u of them by a watchdog; %u lines cut off\n", ring->n,
           ring->emulator->name, ring->boots, ring->bites, ring->gaps);
    printf("ring     %llu interactions", (unsigned long long)ring->interactions);
    if (held)
        printf("; one leader at most %.2f s after power-on or a blow", story->healed);
    putchar('\n');
    printf("wires    %llu frames; %llu lost, %llu doubled, %llu bytes made bad on purpose\n",
           (unsigned long long)ring->frames, (unsigned long long)ring->lost,
           (unsigned long long)ring->doubled, (unsigned long long)ring->bad_bytes);
    return held ? DONE : NOT_ELECTED;
}

int main(int argc, char **argv)
{
    static struct story story;
    bool held = false;
    int status = read_request(&story, argc, argv);
    if (status >= 0)
        return status;
    struct ring *ring = &story.ring;
    rl_random_init(&ring->random, story.seed, 0, RL_PURPOSE_FAULT);
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
    signal(SIGPIPE, SIG_IGN);
    story.terminal = isatty(STDERR_FILENO);
    story.leaders = MOST_BOARDS + 1;
    const bool opened = open_logs(&story);
    if (opened && ring->emulator->begin(ring)) {
        held = run_story(&story);
        ring->emulator->halt(ring);
    }
    status = opened ? report(&story, held) : OUTSIDE;
    ring->emulator->end(ring);
    return close_logs(&story) ? status : complain(OUTSIDE, "a log could not be written");
}
