/* SPDX-License-Identifier: MIT
 *
 * Each task keeps its own counts and first finds; they are put together in order, so the answer
 * does not depend on the number of threads.
 */
#include "verify/enumerate/survey.h"
#include "core/inside.h"

#include <stdlib.h>
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

/* ---- sets -------------------------------------------------------------------------------------
 */

struct set_job {
    const struct rl_words *words;
    bool (*contains)(const struct rl_ring *ring);
    const struct rl_space *base;
    const uint8_t *safe;
    uint16_t *to_base; /* [class] the class of the base */
    struct rl_set_survey *parts;
};

static bool is_safe(const struct set_job *job, const struct rl_word *word)
{
    uint16_t letters[RL_VERIFY_AGENTS] = {0};
    for (uint32_t i = 0; i < job->words->n; i++)
        letters[i] = job->to_base[word->letters[i]];
    return job->safe[rl_space_number(job->base, rl_words_canonical(&job->base->words, letters))];
}

static void look_at_member(void *user, size_t task, const struct rl_word *word)
{
    const struct set_job *job = user;
    struct rl_set_survey *part = &job->parts[task];
    struct scene scene;
    set_scene(&scene, job->words, word->letters);
    if (!job->contains(&scene.before))
        return;
    part->size += rl_words_weight(job->words, word);
    if (job->safe && !is_safe(job, word))
        find(&part->unsafe, word, 0);
    prepare_to_play(&scene);
    for (uint32_t arc = 0; arc < job->words->arcs && !part->way_out.lost; arc++) {
        if (play(&scene, arc) && !job->contains(&scene.after))
            find_way_out(&part->way_out, &scene, word, arc);
        rewind_scene(&scene, arc);
    }
}

static void set_task(void *user, size_t task)
{
    rl_words_visit(((struct set_job *)user)->words, task, look_at_member, user);
}

enum rl_status rl_survey_set(const struct rl_words *words, struct rl_workers *workers,
                             bool (*contains)(const struct rl_ring *ring),
                             const struct rl_space *base, const uint8_t *safe,
                             struct rl_set_survey *survey_out)
{
    const size_t tasks = rl_words_tasks(words);
    const struct rl_classes *classes = words->classes;
    struct set_job job = {words, contains, base, safe, NULL, NULL};
    *survey_out = (struct rl_set_survey){0};
    job.parts = calloc(tasks, sizeof *job.parts);
    job.to_base = malloc(classes->count * sizeof *job.to_base);
    enum rl_status status = RL_NO_MEMORY;
    if (job.parts && job.to_base) {
        for (uint32_t c = 0; base && c < classes->count; c++)
            job.to_base[c] = base->words.classes->of[classes->first[c]];
        status = rl_workers_run(workers, tasks, set_task, &job);
    }
    for (size_t task = 0; !status && task < tasks; task++) {
        survey_out->size += job.parts[task].size;
        if (!survey_out->way_out.found ||
            (job.parts[task].way_out.lost && !survey_out->way_out.lost))
            survey_out->way_out = job.parts[task].way_out;
        if (!survey_out->unsafe.found)
            survey_out->unsafe = job.parts[task].unsafe;
    }
    free(job.parts);
    free(job.to_base);
    return status;
}

/* ---- lemmas -----------------------------------------------------------------------------------
 */

struct lemma_job {
    const struct rl_words *words;
    const struct rl_lemma *lemma;
    struct rl_lemma_survey *parts;
};

static void look_at_arcs(void *user, size_t task, const struct rl_word *word)
{
    const struct lemma_job *job = user;
    struct rl_lemma_survey *part = &job->parts[task];
    struct scene scene;
    set_scene(&scene, job->words, word->letters);
    prepare_to_play(&scene);
    const uint64_t weight = rl_words_weight(job->words, word);
    for (uint32_t arc = 0; arc < job->words->arcs; arc++) {
        play(&scene, arc);
        const enum rl_verdict verdict = job->lemma->check(&scene.before, arc, &scene.after);
        rewind_scene(&scene, arc);
        if (verdict == RL_NOT_CONCERNED)
            continue;
        part->checked += weight;
        if (verdict == RL_VIOLATED) {
            part->violations += weight;
            find(&part->violation, word, arc);
        }
    }
}

static void lemma_task(void *user, size_t task)
{
    rl_words_visit(((struct lemma_job *)user)->words, task, look_at_arcs, user);
}

enum rl_status rl_survey_lemma(const struct rl_words *words, struct rl_workers *workers,
                               const struct rl_lemma *lemma, struct rl_lemma_survey *survey_out)
{
    const size_t tasks = rl_words_tasks(words);
    struct lemma_job job = {words, lemma, calloc(tasks, sizeof *job.parts)};
    *survey_out = (struct rl_lemma_survey){0};
    const enum rl_status status =
        job.parts ? rl_workers_run(workers, tasks, lemma_task, &job) : RL_NO_MEMORY;
    for (size_t task = 0; !status && task < tasks; task++) {
        survey_out->checked += job.parts[task].checked;
        survey_out->violations += job.parts[task].violations;
        if (!survey_out->violation.found)
            survey_out->violation = job.parts[task].violation;
    }
    free(job.parts);
    return status;
}
