/* SPDX-License-Identifier: MIT
 *
 * Each task keeps its own counts and first finds; of those, the first of all are kept, so the
 * answer does not depend on the number of threads.
 */
#include "verify/enumerate/verifier.h"
#include "core/inside.h"

#include <pthread.h>
#include <string.h>

/* A configuration and what an arc makes of it, as rings for the protocol's predicates. */
struct scene {
    struct rl_ring before, after;
    bool no_leader; /* what an oracle reports of `before` */
    uint64_t agents[2][RL_VERIFY_AGENTS];
};

static void set_scene(struct scene *scene, const struct rl_words *words, const uint16_t *letters)
{
    const struct rl_table *table = words->classes->table;
    scene->before = (struct rl_ring){table->protocol, table->params, scene->agents[0]};
    rl_words_ring(words, letters, &scene->before);
}

/* Most configurations are not looked at further; `after` is for those that are. */
static void prepare_to_play(struct scene *scene)
{
    const size_t bytes = rl_ring_bytes(scene->before.protocol, scene->before.params.n);
    scene->no_leader = rl_ring_lacks_leader(&scene->before);
    scene->after = scene->before;
    scene->after.agents = scene->agents[1];
    memcpy(scene->agents[1], scene->agents[0], bytes);
}

/* Lets the arc interact in `after`; says whether anything changed. */
static bool play(struct scene *scene, uint32_t arc)
{
    const uint32_t i = rl_ring_initiator(&scene->before, arc);
    const uint32_t j = rl_ring_responder(&scene->before, arc);
    rl_state l = rl_ring_get(&scene->before, i), r = rl_ring_get(&scene->before, j);
    const rl_state l_before = l, r_before = r;
    scene->before.protocol->interact(&scene->before.params, scene->no_leader, &l, &r);
    rl_ring_set(&scene->after, i, l);
    rl_ring_set(&scene->after, j, r);
    return l != l_before || r != r_before;
}

static void rewind_scene(struct scene *scene, uint32_t arc)
{
    const uint32_t i = rl_ring_initiator(&scene->before, arc);
    const uint32_t j = rl_ring_responder(&scene->before, arc);
    rl_ring_set(&scene->after, i, rl_ring_get(&scene->before, i));
    rl_ring_set(&scene->after, j, rl_ring_get(&scene->before, j));
}

static void find(struct rl_find *find, const struct rl_word *word, uint32_t arc)
{
    if (!find->found)
        *find = (struct rl_find){true, false, *word, arc};
}

/* The same; but one that loses the last leader tells more than any other. */
static void find_way_out(struct rl_find *way_out, const struct scene *scene,
                         const struct rl_word *word, uint32_t arc)
{
    const bool lost = rl_ring_leaders(&scene->after) == 0 && rl_ring_leaders(&scene->before) > 0;
    if (!way_out->found || lost)
        *way_out = (struct rl_find){true, lost, *word, arc};
}

/* Of what was found here and there, what one task alone would have found. */
static void keep_first(struct rl_find *first, const struct rl_find *other)
{
    if (other->found && (!first->found || other->lost > first->lost ||
                         (other->lost == first->lost && other->word.code < first->word.code)))
        *first = *other;
}

/* ---- sets ---- */

struct set_job {
    const struct rl_words *words;
    bool (*contains)(const struct rl_ring *ring);
    const struct rl_words *base;
    const uint64_t *safe;
    struct rl_set_survey found;
    pthread_mutex_t lock; /* on what was found by all tasks */
};

static bool is_safe(const struct set_job *job, const struct rl_word *word)
{
    uint16_t letters[RL_VERIFY_AGENTS] = {0};
    rl_words_translate(job->words, word->letters, job->base, letters);
    return rl_bits_have(job->safe, rl_words_canonical(job->base, letters));
}

static void look_at_member(void *user, size_t task, const struct rl_word *word)
{
    (void)task;
    struct set_job *job = user;
    struct scene scene;
    set_scene(&scene, job->words, word->letters);
    if (!job->contains(&scene.before))
        return;
    job->found.size += rl_words_weight(job->words, word);
    if (job->base && !is_safe(job, word))
        find(&job->found.unsafe, word, 0);
    prepare_to_play(&scene);
    for (uint32_t arc = 0; arc < job->words->arcs && !job->found.way_out.lost; arc++) {
        if (play(&scene, arc) && !job->contains(&scene.after))
            find_way_out(&job->found.way_out, &scene, word, arc);
        rewind_scene(&scene, arc);
    }
}

static void set_task(void *user, size_t task)
{
    struct set_job *all = user, job = {all->words, all->contains, all->base, all->safe};
    rl_words_visit(job.words, task, look_at_member, &job);
    pthread_mutex_lock(&all->lock);
    all->found.size += job.found.size;
    keep_first(&all->found.way_out, &job.found.way_out);
    keep_first(&all->found.unsafe, &job.found.unsafe);
    pthread_mutex_unlock(&all->lock);
}

enum rl_status rl_survey_set(const struct rl_words *words, struct rl_workers *workers,
                             bool (*contains)(const struct rl_ring *ring),
                             const struct rl_words *base, const uint64_t *safe,
                             struct rl_set_survey *survey_out)
{
    struct set_job job = {words, contains, base, safe, .lock = PTHREAD_MUTEX_INITIALIZER};
    const enum rl_status status = rl_workers_run(workers, rl_words_tasks(words), set_task, &job);
    *survey_out = job.found;
    return status;
}

/* ---- lemmas ---- */

struct lemma_job {
    const struct rl_words *words;
    const struct rl_lemma *const *lemmas;
    size_t count;
    struct rl_lemma_survey found[RL_MAX_LEMMAS];
    pthread_mutex_t lock;
};

static void look_at_arcs(void *user, size_t task, const struct rl_word *word)
{
    (void)task;
    struct lemma_job *job = user;
    struct scene scene;
    set_scene(&scene, job->words, word->letters);
    prepare_to_play(&scene);
    const uint64_t weight = rl_words_weight(job->words, word);
    for (uint32_t arc = 0; arc < job->words->arcs; arc++) {
        play(&scene, arc);
        for (size_t i = 0; i < job->count; i++) {
            struct rl_lemma_survey *found = &job->found[i];
            const enum rl_verdict verdict = job->lemmas[i]->check(&scene.before, arc, &scene.after);
            found->checked += verdict == RL_NOT_CONCERNED ? 0 : weight;
            if (verdict == RL_VIOLATED) {
                found->violations += weight;
                find(&found->violation, word, arc);
            }
        }
        rewind_scene(&scene, arc);
    }
}

static void lemma_task(void *user, size_t task)
{
    struct lemma_job *all = user, job = {all->words, all->lemmas, all->count};
    rl_words_visit(job.words, task, look_at_arcs, &job);
    pthread_mutex_lock(&all->lock);
    for (size_t i = 0; i < job.count; i++) {
        all->found[i].checked += job.found[i].checked;
        all->found[i].violations += job.found[i].violations;
        keep_first(&all->found[i].violation, &job.found[i].violation);
    }
    pthread_mutex_unlock(&all->lock);
}

enum rl_status rl_survey_lemmas(const struct rl_words *words, struct rl_workers *workers,
                                const struct rl_lemma *const *lemmas, size_t count,
                                struct rl_lemma_survey *surveys_out)
{
    struct lemma_job job = {words, lemmas, count, .lock = PTHREAD_MUTEX_INITIALIZER};
    const enum rl_status status = rl_workers_run(workers, rl_words_tasks(words), lemma_task, &job);
    memcpy(surveys_out, job.found, count * sizeof *surveys_out);
    return status;
}
