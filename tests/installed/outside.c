/* SPDX-License-Identifier: MIT
 *
 * A program outside the tree, which has only what `make install` gave it: outside NAME. It is built
 * as C and as C++, and does the same from two threads at once: an election, an election with a
 * protocol of its own, a verification, a study read back, a picture. It prints what it found.
 * NAME.1.db, NAME.1.svg and so on are its files.
 */
#include <pthread.h>
#include <ringleader.h>
#include <stdio.h>
#include <string.h>

struct worker {
    char db[200], svg[200];
    unsigned long long steps;  /* of an election with seed 7 */
    unsigned leader;           /* of it */
    unsigned walkers;          /* leaders that its own protocol left of 100 */
    int self_stabilizing;      /* prl on 3 agents */
    unsigned long long trials; /* read back */
    unsigned long long sum;    /* of their steps */
    enum rl_status failed;
};

static enum rl_status elect(struct worker *worker)
{
    struct rl_experiment options;
    struct rl_run run;
    rl_experiment_init(&options, rl_protocol_named("prl"), 1000);
    options.seed = 7;
    enum rl_status status = rl_run_init(&run, &options, NULL);
    while (!status && rl_run_advance(&run) == RL_RUNNING)
        continue;
    worker->steps = status ? 0 : run.step;
    worker->leader = status ? 0 : rl_ring_first_leader(&run.ring);
    rl_run_free(&run);
    return status;
}

/* ---- a protocol of its own --------------------------------------------------------------------
 *
 * Leaders walk to the right, and of two that meet one is left. If there is a leader at all.
 */

static void walk(const struct rl_params *params, bool no_leader, rl_state *l, rl_state *r)
{
    (void)params, (void)no_leader;
    const rl_state both = *l | *r;
    *l = 0;
    *r = both;
}

static bool leads(rl_state state)
{
    return state == 1;
}

static bool has_one(const struct rl_ring *ring)
{
    return rl_ring_leaders(ring) == 1;
}

static enum rl_status everywhere(struct rl_ring *ring, struct rl_random *random,
                                 struct rl_error *error)
{
    (void)random, (void)error;
    for (uint32_t i = 0; i < ring->params.n; i++)
        rl_ring_set(ring, i, 1);
    return RL_OK;
}

static enum rl_status elect_walker(struct worker *worker)
{
    static const char *const symbols[] = {"-", "L", NULL};
    struct rl_variable variable = {};
    struct rl_set one = {};
    struct rl_start start = {};
    struct rl_protocol walkers = {};
    variable.name = "leader";
    variable.width = 1;
    variable.size = 2;
    variable.symbols = symbols;
    one.name = "one";
    one.contains = has_one;
    start.name = "everywhere";
    start.fill = everywhere;
    walkers.name = "walkers";
    walkers.interact = walk;
    walkers.leads = leads;
    walkers.width = 4;
    walkers.variables = &variable;
    walkers.variable_count = 1;
    walkers.starts = &start;
    walkers.start_count = 1;
    walkers.sets = &one;
    walkers.set_count = 1;
    struct rl_experiment options;
    struct rl_run run;
    rl_experiment_init(&options, &walkers, 100);
    options.start = "everywhere";
    enum rl_status status = rl_run_init(&run, &options, NULL);
    while (!status && rl_run_advance(&run) == RL_RUNNING)
        continue;
    worker->walkers = status ? 0 : rl_ring_leaders(&run.ring);
    rl_run_free(&run);
    return status;
}

/* ---- the rest ---- */

static enum rl_status verify(struct worker *worker)
{
    struct rl_verify_options options;
    struct rl_verification answer;
    rl_verify_options_init(&options, rl_protocol_named("prl"), 3);
    const enum rl_status status = rl_verify(&answer, &options, NULL);
    worker->self_stabilizing = answer.self_stabilizing;
    rl_verify_free(&answer);
    return status;
}

static void count_trial(void *user, const struct rl_trial *trial)
{
    struct worker *worker = (struct worker *)user;
    worker->trials++;
    worker->sum += trial->steps;
}

static enum rl_status study(struct worker *worker)
{
    struct rl_study_options options = {};
    struct rl_store *store = NULL;
    bool finished;
    options.path = worker->db;
    options.plan = "protocol = prl; n = 16, 32; trials = 50";
    options.jobs = 2;
    enum rl_status status = rl_study_run(&options, &finished, NULL);
    if (status)
        return status;
    status = rl_store_open(&store, worker->db, RL_STORE_READ, NULL);
    if (!status)
        status = rl_store_trials(store, count_trial, worker, NULL);
    if (!status && rl_store_points(store)->count != 2)
        status = RL_BAD_STUDY;
    rl_store_close(store);
    return status;
}

static bool put(void *stream, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, (FILE *)stream) == size;
}

static enum rl_status draw(struct worker *worker)
{
    uint32_t agents[12];
    struct rl_random random;
    struct rl_ring ring = {};
    ring.protocol = rl_protocol_named("prl");
    ring.params.n = ring.params.value[0] = 12;
    ring.agents = agents;
    rl_random_init(&random, 1, 0, RL_PURPOSE_START);
    enum rl_status status = rl_ring_start(&ring, "random", &random, NULL);
    FILE *stream = fopen(worker->svg, "wb");
    if (!status)
        status = stream ? rl_ringpicture_draw(&ring, "outside", RL_PEN_SVG, put, stream) : RL_IO;
    if (stream)
        fclose(stream);
    return status;
}

static void *work(void *user)
{
    struct worker *worker = (struct worker *)user;
    worker->failed = elect(worker);
    if (!worker->failed)
        worker->failed = elect_walker(worker);
    if (!worker->failed)
        worker->failed = verify(worker);
    if (!worker->failed)
        worker->failed = study(worker);
    if (!worker->failed)
        worker->failed = draw(worker);
    return NULL;
}

int main(int argc, char **argv)
{
    static struct worker workers[2];
    pthread_t threads[2];
    if (argc != 2)
        return 2;
    printf("version %s\n", rl_version());
    for (int i = 0; i < 2; i++) {
        snprintf(workers[i].db, sizeof workers[i].db, "%s.%d.db", argv[1], i + 1);
        snprintf(workers[i].svg, sizeof workers[i].svg, "%s.%d.svg", argv[1], i + 1);
        pthread_create(&threads[i], NULL, work, &workers[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++) {
        const struct worker *worker = &workers[i];
        if (worker->failed)
            printf("failed: %s\n", rl_status_message(worker->failed));
        printf("u_%u leads after %llu steps\n", worker->leader, worker->steps);
        printf("walkers: %u left\n", worker->walkers);
        printf("self-stabilizing: %s\n", worker->self_stabilizing ? "yes" : "no");
        printf("%llu trials, %llu steps\n", worker->trials, worker->sum);
    }
    return workers[0].failed || workers[1].failed;
}
