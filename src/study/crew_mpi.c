/* SPDX-License-Identifier: MIT
 *
 * Workers that are MPI ranks. The only file that includes mpi.h.
 *
 * Rank 0 sends tasks, each with its point as a line of a plan, then a stop, which may come at any
 * time; ranks send back trials. A rank keeps a few tasks, so it never waits for an answer. Nobody
 * blocks in MPI: a blocked call in Open MPI spins at full speed, and then one writer and two
 * workers on two cores would be three busy processes. Instead both sides probe and sleep for a
 * millisecond.
 *
 * A rank that dies takes the others with it: that is what mpirun does. Rank 0 gets a SIGTERM first,
 * which the command line treats as Ctrl-C: what is finished is written.
 */
#include "study/inside.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mpi.h>

enum tag { TAG_TASK = 1, TAG_STOP, TAG_TRIALS };

static const double STOP_SECONDS = 10;

/* A task as it is sent. */
struct message {
    struct rl_task task;
    char text[]; /* the point as a line of a plan, a zero, and the text of its start or "" */
};

struct ranks {
    const struct rl_study *study;
    int count; /* besides rank 0 */
    struct rl_trial dropped[RL_TASK_MOST];
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

/* ---- rank 0 ---- */

static enum rl_status ranks_give(void *self, const struct rl_task *task)
{
    struct ranks *ranks = self;
    int least = 1;
    for (int rank = 2; rank <= ranks->count; rank++)
        if (ranks->load[rank] < ranks->load[least])
            least = rank;
    const struct rl_point *point = &ranks->study->plan->points[task->point];
    const struct rl_plan_line line = plan_line_of(point, false, true);
    const char *start = point->run.start_text ? point->run.start_text : "";
    const size_t length = strlen(line.text) + 1;
    const size_t size = sizeof(struct message) + length + strlen(start) + 1;
    struct message *message = malloc(size);
    if (!message)
        return RL_NO_MEMORY;
    message->task = *task;
    strcpy(message->text, line.text);
    strcpy(message->text + length, start);
    ranks->load[least]++;
    MPI_Send(message, (int)size, MPI_BYTE, least, TAG_TASK, MPI_COMM_WORLD);
    free(message);
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
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
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
static void ranks_stop(void *self)
{
    struct ranks *ranks = self;
    const double until = MPI_Wtime() + STOP_SECONDS;
    MPI_Status status;
    for (int rank = 1; rank <= ranks->count; rank++)
        MPI_Send(NULL, 0, MPI_BYTE, rank, TAG_STOP, MPI_COMM_WORLD);
    for (int home = 0; home < ranks->count;) {
        if (!await(MPI_ANY_SOURCE, MPI_ANY_TAG, until, &status))
            break;
        MPI_Recv(ranks->dropped, (int)sizeof ranks->dropped, MPI_BYTE, status.MPI_SOURCE,
                 status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        home += status.MPI_TAG == TAG_STOP;
    }
    free(ranks);
    MPI_Finalize();
}

/* Without memory there is no polite way out: MPI ends the run, and the store is whole. */
static int begin(const struct rl_study *study, struct rl_crew *workers)
{
    int rank, size;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size == 1)
        MPI_Finalize();
    if (rank > 0 || size == 1)
        return rank;
    struct ranks *ranks = calloc(1, sizeof *ranks + (size_t)size);
    if (!ranks) {
        MPI_Abort(MPI_COMM_WORLD, 3);
        return rank;
    }
    ranks->study = study;
    ranks->count = size - 1;
    *workers = (struct rl_crew){.self = ranks,
                                .count = (size_t)ranks->count,
                                .give = ranks_give,
                                .take = ranks_take,
                                .stop = ranks_stop};
    return rank;
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

static enum rl_status find_start(void *user, const char *word, char **text_out,
                                 struct rl_error *error)
{
    (void)word, (void)error;
    *text_out = strdup(user);
    return *text_out ? RL_OK : RL_NO_MEMORY;
}

/* Does one task and sends its trials; false if it was stopped. */
static bool do_task(const struct message *message)
{
    const struct rl_task *task = &message->task;
    const size_t length = strlen(message->text);
    const struct rl_plan_resolver resolver = {.user = (void *)(message->text + length + 1),
                                              .start = find_start};
    double last = 0;
    const struct rl_trial_stop stop = {&last, stop_asked};
    struct rl_trial trials[RL_TASK_MOST];
    struct rl_plan plan;
    bool goes_on = rl_plan_parse(&plan, message->text, length, &resolver, NULL) == RL_OK;
    if (!goes_on)
        MPI_Abort(MPI_COMM_WORLD, 3);
    for (uint32_t i = 0; i < task->count && goes_on; i++)
        goes_on = rl_trial_run(&plan.points[0], task->point, task->first + i, stop, &trials[i]);
    rl_plan_free(&plan);
    if (goes_on)
        MPI_Send(trials, (int)(task->count * sizeof *trials), MPI_BYTE, 0, TAG_TRIALS,
                 MPI_COMM_WORLD);
    return goes_on;
}

static void serve(void)
{
    bool goes_on = true;
    while (goes_on && !stop_came()) {
        MPI_Status status;
        int size;
        if (!await(0, TAG_TASK, MPI_Wtime() + 0.1, &status))
            continue;
        MPI_Get_count(&status, MPI_BYTE, &size);
        struct message *message = malloc((size_t)size);
        if (!message) {
            MPI_Abort(MPI_COMM_WORLD, 3);
            break;
        }
        MPI_Recv(message, size, MPI_BYTE, 0, TAG_TASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        goes_on = do_task(message);
        free(message);
    }
    MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG_STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_STOP, MPI_COMM_WORLD);
    MPI_Finalize();
}

const struct rl_crew_mpi rl_crew_mpi = {begin, serve};
