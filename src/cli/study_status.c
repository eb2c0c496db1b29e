/* SPDX-License-Identifier: MIT
 *
 * How the study in a file stands, and the words for a point and for a time.
 */
#include "cli/study.h"

const char *duration_text(double seconds)
{
    static char text[32];
    const unsigned long long s = (unsigned long long)(seconds + 0.5);
    snprintf(text, sizeof text, "%llu:%02llu:%02llu", s / 3600, s / 60 % 60, s % 60);
    return text;
}

const char *point_label(const struct rl_point *point)
{
    static char label[RL_PLAN_LINE];
    struct rl_text text = rl_text_into(label, sizeof label);
    const struct rl_field *field;
    rl_text_format(&text, "%s n=%s", point->protocol->name, grouped(point->params.n));
    for (size_t i = 0; i < point->protocol->parameter_count; i++) {
        const struct rl_parameter *parameter = &point->protocol->parameters[i];
        rl_text_format(&text, " %s=%s", parameter->name,
                       parameter_text(parameter, point->params.value[i]));
    }
    rl_text_format(&text, " %s", point->start);
    if (point->engine != RL_ENGINE_EVENT)
        rl_text_format(&text, " engine=%s", rl_engine_name(point->engine));
    if (point->fault_count > 0)
        rl_text_format(&text, " fault=%s", rl_plan_faults(point).text);
    for (size_t i = 0; (field = rl_field_at(i)); i++)
        if (field->kind == RL_FIELD_COUNT && field->identity &&
            rl_field_count(field, point) != field->otherwise) {
            rl_text_format(&text, " %s=", field->key);
            rl_field_print(field, point, &text);
        }
    return label;
}

static void print_points(const struct rl_queue *queue)
{
    int width = 40;
    for (size_t i = 0; i < queue->plan->count; i++) {
        const int length = (int)strlen(point_label(&queue->plan->points[i]));
        width = length > width ? length : width;
    }
    printf("\n  %-*s %15s %9s %14s\n", width, "point", "trials", "gave up", "seconds each");
    for (size_t i = 0; i < queue->plan->count; i++) {
        const struct rl_queue_point *point = &queue->points[i];
        char progress[48], seconds[32] = "-";
        snprintf(progress, sizeof progress, "%s/%s", grouped(point->done), grouped(point->ours));
        if (point->timed > 0)
            snprintf(seconds, sizeof seconds, "%.2g", point->seconds / (double)point->timed);
        printf("  %-*s %15s %9s %14s\n", width, point_label(&queue->plan->points[i]), progress,
               grouped(point->gave_up), seconds);
    }
}

static void print_status(const struct rl_queue *queue, const struct rl_store_session *session,
                         const char *path)
{
    const struct rl_queue_outlook look = rl_queue_look(queue);
    const double workers = session->workers > 0 ? (double)session->workers : 1;
    printf("%s: %s of %s trials done\n", path, grouped(look.done), grouped(look.total));
    if (!session->alive)
        printf("nobody is working on it%s\n",
               look.done < look.total ? "; to go on: ringleader study --db FILE" : "");
    else
        printf("at work for %s with %s workers: %s trials, %.3g a second; last written %.1f s "
               "ago\n",
               duration_text(session->age), grouped(session->workers), grouped(session->written),
               (double)session->written / (session->age - session->idle + 0.25), session->idle);
    if (look.done < look.total)
        printf("about %s left; slowest %s (%.2g s)\n", duration_text(look.seconds_left / workers),
               point_label(&queue->plan->points[look.slowest]), look.slowest_seconds);
    print_points(queue);
}

static void print_status_json(const struct rl_queue *queue, const struct rl_store_session *session,
                              const char *path)
{
    const struct rl_queue_outlook look = rl_queue_look(queue);
    struct rl_json json = rl_json_begin(stdout);
    rl_json_put(&json,
                "db=%s points=%zu trials=%ju done=%ju gave_up=%ju at_work=%d workers=%ju "
                "worker_seconds_left=%g",
                path, queue->plan->count, look.total, look.done, look.gave_up, session->alive,
                session->workers, look.seconds_left);
    rl_json_end(&json);
}

static void close_study(void *thing)
{
    rl_study_close(thing);
}

int show_study_status(const char *path, bool json)
{
    struct rl_study *study = claim(sizeof *study, close_study);
    struct rl_store_session session;
    check(rl_study_open(study, &(struct rl_study_options){.path = path, .look = true}, why()),
          NULL);
    check(rl_store_last_session(study->store, &session, why()), NULL);
    if (rl_store_was_interrupted(study->store))
        complain("%s was not ended, and there is no %s-wal: if this is a copy, copy that file too",
                 path, path);
    (json ? print_status_json : print_status)(&study->queue, &session, path);
    return EXIT_DONE;
}
