/* SPDX-License-Identifier: MIT
 *
 * Workers that are MPI ranks. The only file that includes mpi.h.
 *
 * Rank 0 sends every rank the points as text, then tasks, then a stop, which may come at any time;
 * ranks send back trials. A rank keeps a few tasks, so it never waits for an answer. Nobody blocks
 * in MPI: a blocked call in Open MPI spins at full speed, and then one writer and two workers on
 * two cores would be three busy processes. Instead both sides probe and sleep for a millisecond.
 *
 * A rank that dies takes the others with it: that is what mpirun does. Rank 0 gets a SIGTERM first,
 * which the command line treats as Ctrl-C: what is finished is written.
 */
#include "study/crew_mpi.h"
#include "study/inside.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mpi.h>

enum tag { TAG_PLAN = 1, TAG_TASK, TAG_STOP, TAG_TRIALS };

static const double STOP_SECONDS = 10;

struct ranks {
    int count;            /* besides rank 0 */
    unsigned char load[]; /* tasks that each rank holds; index 1 .. count */
};

/* Open MPI 5 brings a library that takes SIGHUP for itself as it is loaded: the program would
 * outlive its terminal, or no longer outlive it under nohup. What was there before any library was
 * loaded is put back after the last one. */
static struct sigaction hangup;

static void remember_hangup(void)
{
    sigaction(SIGHUP, NULL, &hangup);
}
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = remember_hangup;

__attribute__((constructor)) static void restore_hangup(void)
{
    sigaction(SIGHUP, &hangup, NULL);
}

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void begin(int *rank_out, int *size_out)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, rank_out);
    MPI_Comm_size(MPI_COMM_WORLD, size_out);
}

/* ---- rank 0 ---- */

static enum rl_status ranks_give(void *self, const struct rl_task *task)
{
    struct ranks *ranks = self;
    int least = 1;
    for (int rank = 2; rank <= ranks->count; rank++)
        if (ranks->load[rank] < ranks->load[least])
            least = rank;
    ranks->load[least]++;
    MPI_Send(task, sizeof *task, MPI_BYTE, least, TAG_TASK, MPI_COMM_WORLD);
    return RL_OK;
}

/* Waits for a message until `until` by MPI's clock; false: none came. */
static bool await(int source, int tag, double until, MPI_Status *status_out)
{
    int arrived;
    for (;;) {
        MPI_Iprobe(source, tag, MPI_COMM_WORLD, &arrived, status_out);
        if (arrived || MPI_Wtime() >= until)
            return arrived;
        nap();
    }
}

static size_t ranks_take(void *self, double seconds, struct rl_trial *trials_out)
{
    struct ranks *ranks = self;
    MPI_Status status;
    int bytes = 0;
    if (!await(MPI_ANY_SOURCE, TAG_TRIALS, MPI_Wtime() + seconds, &status))
        return 0;
    MPI_Recv(trials_out, RL_TASK_MOST * (int)sizeof *trials_out, MPI_BYTE, status.MPI_SOURCE,
             TAG_TRIALS, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    ranks->load[status.MPI_SOURCE]--;
    return (size_t)bytes / sizeof *trials_out;
}

/* Every rank answers the stop with one of its own. Until then it may be sending trials and would
 * never get home if nobody received them. A rank that is dead must not keep us for ever. */
static void dismiss(void)
{
    struct rl_trial *trials = malloc(RL_TASK_MOST * sizeof *trials);
    const double until = MPI_Wtime() + STOP_SECONDS;
    MPI_Status status;
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int rank = 1; rank < size; rank++)
        MPI_Send(NULL, 0, MPI_BYTE, rank, TAG_STOP, MPI_COMM_WORLD);
    for (int home = 1; trials && home < size;) {
        if (!await(MPI_ANY_SOURCE, MPI_ANY_TAG, until, &status))
            break;
        MPI_Recv(trials, RL_TASK_MOST * (int)sizeof *trials, MPI_BYTE, status.MPI_SOURCE,
                 status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        home += status.MPI_TAG == TAG_STOP;
    }
    free(trials);
}

static void ranks_stop(void *self)
{
    dismiss();
    free(self);
}

/* The points of a plan as a plan, one `grid` a point; behind it, each with a zero at its end, the
 * names and texts of the configurations that they begin from. NULL without memory. */
static char *plan_as_text(const struct rl_plan *plan, size_t *size_out)
{
    char *memory = NULL;
    FILE *stream = open_memstream(&memory, size_out);
    for (size_t i = 0; stream && i < plan->count; i++)
        fprintf(stream, "grid\n%s%s%s\n", rl_plan_line(&plan->points[i]).text,
                plan->points[i].curve[0] ? "; curve=" : "", plan->points[i].curve);
    for (const struct rl_plan_start *start = plan->starts; stream && start; start = start->next)
        fprintf(stream, "%c%s%c%s", 0, start->name, 0, start->text);
    if (stream && fputc('\0', stream) == 0 && fclose(stream) == 0)
        return memory;
    free(memory);
    return NULL;
}

struct received {
    const char *text;
    size_t length;
};

static enum rl_status find_start(void *user, const char *word, char **text_out,
                                 struct rl_error *error)
{
    const struct received *received = user;
    const char *at = received->text, *end = received->text + received->length;
    (void)error;
    for (at += strlen(at) + 1; at < end; at += strlen(at) + 1) {
        const char *name = at;
        at += strlen(at) + 1;
        if (strcmp(name, word) == 0)
            return (*text_out = strdup(at)) ? RL_OK : RL_NO_MEMORY;
    }
    return RL_OK;
}

static enum rl_status hire(struct rl_crew *workers, const struct rl_plan *plan)
{
    *workers = (struct rl_crew){0};
    size_t length = 0;
    char *text = plan_as_text(plan, &length);
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct ranks *ranks = calloc(1, sizeof *ranks + (size_t)size);
    if (!text || !ranks) {
        free(text);
        free(ranks);
        dismiss();
        return RL_NO_MEMORY;
    }
    ranks->count = size - 1;
    for (int rank = 1; rank < size; rank++)
        MPI_Send(text, (int)length, MPI_BYTE, rank, TAG_PLAN, MPI_COMM_WORLD);
    free(text);
    *workers = (struct rl_crew){.self = ranks,
                                .count = (size_t)ranks->count,
                                .give = ranks_give,
                                .take = ranks_take,
                                .stop = ranks_stop};
    return RL_OK;
}

/* ---- the other ranks ---- */

static bool stop_came(void)
{
    int arrived;
    MPI_Iprobe(0, TAG_STOP, MPI_COMM_WORLD, &arrived, MPI_STATUS_IGNORE);
    return arrived;
}

/* A probe costs about as much as a spell of work on a small ring: one every some milliseconds. */
static bool stop_asked(void *last)
{
    const double now = MPI_Wtime();
    if (now < *(double *)last + 0.005)
        return false;
    *(double *)last = now;
    return stop_came();
}

/* Does one task and sends its trials; false if it was stopped. */
static bool do_task(const struct rl_plan *plan, const struct rl_task *task, struct rl_trial *trials)
{
    double last = 0;
    const struct rl_trial_stop stop = {&last, stop_asked};
    for (uint32_t i = 0; i < task->count; i++)
        if (!rl_trial_run(&plan->points[task->point], task->point, task->first + i, stop,
                          &trials[i]))
            return false;
    MPI_Send(trials, (int)(task->count * sizeof *trials), MPI_BYTE, 0, TAG_TRIALS, MPI_COMM_WORLD);
    return true;
}

/* Reads the plan that has arrived. Without memory, or if it cannot be read, there is no polite way
 * out: MPI ends the run, and the store is whole. */
static enum rl_status receive_plan(const MPI_Status *message, struct rl_plan *plan_out)
{
    int length;
    MPI_Get_count(message, MPI_BYTE, &length);
    char *text = malloc((size_t)length);
    enum rl_status status = text ? RL_OK : RL_NO_MEMORY;
    if (text) {
        struct received received = {text, (size_t)length};
        const struct rl_plan_resolver resolver = {.user = &received, .start = find_start};
        MPI_Recv(text, length, MPI_BYTE, 0, TAG_PLAN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        status = rl_plan_parse(plan_out, text, strlen(text), &resolver, NULL);
    }
    if (status)
        MPI_Abort(MPI_COMM_WORLD, 3);
    free(text);
    return status;
}

static enum rl_status serve(void)
{
    struct rl_trial *trials = calloc(RL_TASK_MOST, sizeof *trials);
    struct rl_plan plan = {0};
    enum rl_status status = trials ? RL_OK : RL_NO_MEMORY;
    MPI_Status message = {.MPI_TAG = 0};
    if (!trials)
        MPI_Abort(MPI_COMM_WORLD, 3);
    while (!status && !stop_came()) {
        struct rl_task task;
        if (!await(0, MPI_ANY_TAG, MPI_Wtime() + 1, &message))
            continue;
        if (message.MPI_TAG == TAG_PLAN) {
            status = receive_plan(&message, &plan);
        } else if (message.MPI_TAG == TAG_TASK) {
            MPI_Recv(&task, sizeof task, MPI_BYTE, 0, TAG_TASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (!do_task(&plan, &task, trials))
                break;
        }
    }
    if (!status) {
        MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG_STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_STOP, MPI_COMM_WORLD);
    }
    rl_plan_free(&plan);
    free(trials);
    return status;
}

static void end(void)
{
    MPI_Finalize();
}

static const struct rl_crew_mpi RANKS = {begin, end, hire, serve, dismiss};
const struct rl_crew_mpi *const rl_crew_mpi = &RANKS;
