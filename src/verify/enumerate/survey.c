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
    uint64_t agents[2][RL_VERIFY_AGENTS];
};

static void set_scene(struct scene *scene, const struct rl_words *words, const uint16_t *letters)
{
    const struct rl_table *table = words->classes->table;
    scene->before = (struct rl_ring){table->protocol, table->params, scene->agents[0]};
    scene->after = (struct rl_ring){table->protocol, table->params, scene->agents[1]};
    rl_words_ring(words, letters, &scene->before);
}

/* Lets the arc interact in `after`; says whether anything changed. */
static bool play(struct scene *scene, uint32_t arc)
{
    memcpy(scene->agents[1], scene->agents[0],
           rl_ring_bytes(scene->before.protocol, scene->before.params.n));
    return rl_ring_interact(&scene->after, arc);
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

/* What is asked, and what all tasks have found of it. */
struct survey {
    const struct rl_words *words;
    bool (*contains)(const struct rl_ring *ring); /* of a set, or ... */
    const struct rl_words *base;
    const uint64_t *safe;
    const struct rl_lemma *const *lemmas; /* ... lemmas */
    size_t count;
    struct rl_survey *found;
    pthread_mutex_t lock;
};

/* What one task has found. */
struct part {
    const struct survey *survey;
    struct rl_survey found[RL_MAX_LEMMAS];
};

static void look_at_member(void *user, const struct rl_word *word)
{
    struct part *part = user;
    struct rl_survey *found = part->found;
    const struct survey *survey = part->survey;
    struct scene scene;
    set_scene(&scene, survey->words, word->letters);
    if (!survey->contains(&scene.before))
        return;
    found->size += rl_words_weight(survey->words, word);
    if (survey->base &&
        !rl_bits_have(survey->safe, rl_words_coarser(survey->words, word->letters, survey->base)))
        find(&found->unsafe, word, 0);
    for (uint32_t arc = 0; arc < survey->words->arcs && !found->violation.lost; arc++)
        if (play(&scene, arc) && !survey->contains(&scene.after))
            find_way_out(&found->violation, &scene, word, arc);
}

static void look_at_arcs(void *user, const struct rl_word *word)
{
    struct part *part = user;
    const struct survey *survey = part->survey;
    struct scene scene;
    set_scene(&scene, survey->words, word->letters);
    const uint64_t weight = rl_words_weight(survey->words, word);
    for (uint32_t arc = 0; arc < survey->words->arcs; arc++) {
        play(&scene, arc);
        for (size_t i = 0; i < survey->count; i++) {
            struct rl_survey *found = &part->found[i];
            const enum rl_verdict verdict =
                survey->lemmas[i]->check(&scene.before, arc, &scene.after);
            found->size += verdict == RL_NOT_CONCERNED ? 0 : weight;
            if (verdict == RL_VIOLATED) {
                found->violations += weight;
                find(&found->violation, word, arc);
            }
        }
    }
}

static void survey_task(void *user, size_t task)
{
    struct survey *all = user;
    struct part part = {.survey = all};
    rl_words_visit(all->words, task, all->contains ? look_at_member : look_at_arcs, &part);
    pthread_mutex_lock(&all->lock);
    for (size_t i = 0; i < all->count; i++) {
        all->found[i].size += part.found[i].size;
        all->found[i].violations += part.found[i].violations;
        keep_first(&all->found[i].violation, &part.found[i].violation);
        keep_first(&all->found[i].unsafe, &part.found[i].unsafe);
    }
    pthread_mutex_unlock(&all->lock);
}

struct rl_survey rl_survey_set(const struct rl_words *words, struct rl_effort *effort,
                               bool (*contains)(const struct rl_ring *ring),
                               const struct rl_words *base, const uint64_t *safe)
{
    struct rl_survey found = {0};
    struct survey survey = {words, contains, base,   safe,
                            NULL,  1,        &found, PTHREAD_MUTEX_INITIALIZER};
    rl_effort_run(effort, rl_words_tasks(words), survey_task, &survey);
    return found;
}

void rl_survey_lemmas(const struct rl_words *words, struct rl_effort *effort,
                      const struct rl_lemma *const *lemmas, size_t count,
                      struct rl_survey *surveys_out)
{
    struct survey survey = {words,  NULL,  NULL,        NULL,
                            lemmas, count, surveys_out, PTHREAD_MUTEX_INITIALIZER};
    memset(surveys_out, 0, count * sizeof *surveys_out);
    rl_effort_run(effort, rl_words_tasks(words), survey_task, &survey);
}
