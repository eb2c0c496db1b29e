/* SPDX-License-Identifier: MIT
 *
 * Workers that are MPI ranks. The only file that includes mpi.h.
 *
 * Rank 0 sends tasks, each with all that is known of its point, then a stop, which may come at any
 * time; ranks send back trials. A rank keeps a few tasks, so it never waits for an answer. Nobody
 * blocks in MPI: a blocked call in Open MPI spins at full speed, and then one writer and two
 * workers on two cores would be three busy processes. Instead both sides probe and sleep for a
 * millisecond.
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

enum tag { TAG_TASK = 1, TAG_STOP, TAG_TRIALS };

static const double STOP_SECONDS = 10;

/* A task as it is sent: what its point has pointers to follows by name and as text. */
struct message {
    struct rl_task task;
    struct rl_point point;
    char protocol[RL_PLAN_NAME], start[RL_PLAN_NAME];
    struct rl_fault faults[RL_PLAN_FAULTS];
    char text[]; /* a configuration, unless the start is named */
};

struct ranks {
    const struct rl_plan *plan;
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
    const struct rl_point *point = &ranks->plan->points[task->point];
    const char *text = point->run.start_text ? point->run.start_text : "";
    const size_t size = sizeof(struct message) + strlen(text) + 1;
    struct message *message = calloc(1, size);
    if (!message)
        return RL_NO_MEMORY;
    message->task = *task;
    message->point = *point;
    snprintf(message->protocol, sizeof message->protocol, "%s", point->run.protocol->name);
    snprintf(message->start, sizeof message->start, "%s", point->run.start);
    for (size_t i = 0; i < point->run.fault_count; i++)
        message->faults[i] = point->run.faults[i];
    strcpy(message->text, text);
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

static enum rl_status hire(struct rl_crew *workers, const struct rl_plan *plan)
{
    *workers = (struct rl_crew){0};
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct ranks *ranks = calloc(1, sizeof *ranks + (size_t)size);
    if (!ranks) {
        dismiss();
        return RL_NO_MEMORY;
    }
    ranks->plan = plan;
    ranks->count = size - 1;
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
static bool do_task(struct message *message, struct rl_trial *trials)
{
    struct rl_experiment *run = &message->point.run;
    const struct rl_task *task = &message->task;
    double last = 0;
    const struct rl_trial_stop stop = {&last, stop_asked};
    run->protocol = rl_protocol_named(message->protocol);
    if (!run->protocol) {
        MPI_Abort(MPI_COMM_WORLD, 3);
        return false;
    }
    run->params.data = run->protocol->data;
    run->start = message->start;
    run->start_text = run->start_text ? message->text : NULL;
    run->faults = message->faults;
    for (uint32_t i = 0; i < task->count; i++)
        if (!rl_trial_run(&message->point, task->point, task->first + i, stop, &trials[i]))
            return false;
    MPI_Send(trials, (int)(task->count * sizeof *trials), MPI_BYTE, 0, TAG_TRIALS, MPI_COMM_WORLD);
    return true;
}

/* Without memory there is no polite way out: MPI ends the run, and the store is whole. */
static void serve(void)
{
    struct rl_trial *trials = calloc(RL_TASK_MOST, sizeof *trials);
    bool goes_on = true;
    while (goes_on && !stop_came()) {
        MPI_Status status;
        int size;
        if (!await(0, TAG_TASK, MPI_Wtime() + 0.1, &status))
            continue;
        MPI_Get_count(&status, MPI_BYTE, &size);
        struct message *message = malloc((size_t)size);
        if (!trials || !message) {
            free(message);
            MPI_Abort(MPI_COMM_WORLD, 3);
            break;
        }
        MPI_Recv(message, size, MPI_BYTE, 0, TAG_TASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        goes_on = do_task(message, trials);
        free(message);
    }
    MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG_STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_STOP, MPI_COMM_WORLD);
    free(trials);
}

static void end(void)
{
    MPI_Finalize();
}

static const struct rl_crew_mpi RANKS = {begin, end, hire, serve, dismiss};
const struct rl_crew_mpi *const rl_crew_mpi = &RANKS;
