/* SPDX-License-Identifier: MIT
 *
 * Executions on record, written and read.
 *
 * The text is cut into lines of a key and a value. Those of an experiment are read as such,
 * wherever they stand; the others need n, or the names of the protocol's sets, and come after it.
 */
#include "ringleader/run.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ringleader/experiment.h"
#include "ringleader/status.h"
#include "base/grow.h"
#include "base/printer.h"
#include "core/inside.h"
#include "simulate/inside.h"

#define HEAD "ringleader execution 1"
enum { HASH_DIGITS = 16 };

/* ---- writing ---- */

static void write_protocol(struct printer *to, const struct rl_protocol *protocol,
                           const struct rl_params *params)
{
    print(to, "protocol %s\n", protocol->name);
    if (protocol->hash)
        print(to, "hash %.*s\n", HASH_DIGITS, protocol->hash);
    print(to, "n %u\n", params->n);
    for (size_t i = 0; i < protocol->parameter_count; i++) {
        char memory[64];
        struct rl_text value = rl_text_into(memory, sizeof memory);
        rl_parameter_print(&protocol->parameters[i], params->value[i], &value);
        print(to, "%s %s\n", protocol->parameters[i].name, memory);
    }
}

static void write_start(struct printer *to, const struct rl_experiment *experiment)
{
    struct rl_ring ring = {.protocol = experiment->protocol, .params = experiment->params};
    if (!experiment->configuration) {
        print(to, "start %s\n", experiment->start ? experiment->start : RL_START_RANDOM);
        return;
    }
    ring.agents = (void *)experiment->configuration; /* only read */
    print_text(to, "start\n");
    for (uint32_t i = 0; i < ring.params.n; i++)
        print(to, "%s%s", i ? " " : "", rl_ring_state(ring.protocol, rl_ring_get(&ring, i)).text);
    print_text(to, "\n");
}

static void write_hits(struct printer *to, const struct rl_execution *execution)
{
    const struct rl_protocol *protocol = execution->experiment.protocol;
    for (size_t i = 0; i < protocol->set_count; i++) {
        if (!protocol->sets[i].contains)
            continue;
        print(to, "hit %s ", protocol->sets[i].name);
        if (execution->hits[i] == RL_NEVER)
            print_text(to, "never\n");
        else
            print(to, "%llu\n", (unsigned long long)execution->hits[i]);
    }
}

enum rl_status rl_execution_write(const struct rl_execution *execution, void *user, rl_put put)
{
    struct printer printer = {.user = user, .put = put}, *const to = &printer;
    const struct rl_experiment *experiment = &execution->experiment;
    print_text(to, HEAD "\n");
    write_protocol(to, experiment->protocol, &experiment->params);
    write_start(to, experiment);
    if (!experiment->configuration || !execution->schedule || experiment->fault_count > 0)
        print(to, "seed %llu\ntrial %llu\nstream %u\n", (unsigned long long)experiment->seed,
              (unsigned long long)experiment->trial, (unsigned)RL_STREAM_VERSION);
    print(to, "engine %s\n", rl_engine_name(experiment->engine));
    for (size_t i = 0; i < experiment->fault_count; i++)
        print(to, "fault %u@%llu\n", experiment->faults[i].agents,
              (unsigned long long)experiment->faults[i].step);
    print(to, "steps %llu\n", (unsigned long long)experiment->end.steps);
    if (execution->events != RL_NEVER)
        print(to, "events %llu\n", (unsigned long long)execution->events);
    write_hits(to, execution);
    print_text(to, execution->schedule ? "schedule\n" : "schedule random\n");
    if (execution->schedule)
        print_text(to, execution->schedule);
    print_text(to, execution->schedule ? "\nend\n" : "end\n");
    return printer.failed ? RL_IO : RL_OK;
}

struct rl_execution rl_execution_of(const struct rl_run *run,
                                    const struct rl_experiment *experiment, const char *schedule)
{
    assert(!experiment->schedule == !schedule && "the text of the schedule, if there is one");
    struct rl_execution execution = {
        .experiment = *experiment, .schedule = schedule, .events = run->events};
    execution.experiment.end.kind = RL_UNTIL_STEPS;
    execution.experiment.end.steps = run->step;
    execution.experiment.fault_count = run->faults_done;
    memcpy(execution.hits, run->hits, sizeof execution.hits);
    return execution;
}

/* ---- reading: lines ---- */

struct line {
    char *key, *value;
    uint32_t number;
    bool block; /* the value is in the lines below */
};

struct reader {
    struct rl_execution *execution;
    struct line *lines;
    size_t count, room;
    char *at;
    uint32_t number; /* of the line at `at` */
    bool forced;
    struct rl_error *error;
};

static enum rl_status fail(struct reader *reader, uint32_t line, uint32_t column,
                           const char *reason)
{
    if (reader->error) {
        reader->error->line = line;
        reader->error->column = column;
    }
    return rl_error_set(reader->error, RL_BAD_TRACE, "%s", reason);
}

/* What is wrong with a value, as whoever read it said. */
static enum rl_status fail_value(struct reader *reader, const struct line *line,
                                 enum rl_status status, const struct rl_error *inner)
{
    const char *reason = inner->text[0] ? inner->text : rl_status_message(status);
    if (status == RL_NO_MEMORY)
        return status;
    if (line->block)
        return fail(reader, line->number + (inner->line ? inner->line : 1),
                    inner->column ? inner->column : 1, reason);
    return fail(reader, line->number, (uint32_t)strlen(line->key) + 2, reason);
}

/* The next line, cut off; NULL at the end of the text. */
static char *next_line(struct reader *reader)
{
    char *line = reader->at;
    if (!*line)
        return NULL;
    char *end = line + strcspn(line, "\n");
    reader->at = *end ? end + 1 : end;
    reader->number++;
    if (end > line && end[-1] == '\r')
        end[-1] = '\0';
    *end = '\0';
    return line;
}

/* All that stands before a line `end`; NULL if there is none. */
static char *text_before_end(struct reader *reader)
{
    char *text = reader->at;
    for (char *line; (line = next_line(reader));) {
        char *cut = line + strlen(line);
        if (strcmp(line, "end") == 0) {
            *line = '\0';
            return text;
        }
        if (reader->at > cut) { /* the lines stay together */
            memset(cut, ' ', (size_t)(reader->at - cut));
            reader->at[-1] = '\n';
        }
    }
    return NULL;
}

static enum rl_status add_line(struct reader *reader, struct line line)
{
    struct line *lines = grown(reader->lines, reader->count, &reader->room, sizeof *lines);
    if (!lines)
        return RL_NO_MEMORY;
    reader->lines = lines;
    lines[reader->count++] = line;
    return RL_OK;
}

/* Cuts the text into lines of a key and a value, to the line `end`. */
static enum rl_status read_lines(struct reader *reader)
{
    static const char *const CUT = "the file ends before the line `end`: it is cut off";
    char *text = next_line(reader);
    bool ended = false;
    if (!text || strcmp(text, HEAD) != 0)
        return fail(reader, 1, 1, "not an execution: the first line is not `" HEAD "`");
    while (!ended) {
        if (!(text = next_line(reader)))
            return fail(reader, reader->number, 1, CUT);
        if (!*text || *text == '#')
            continue;
        struct line line = {.key = text, .number = reader->number};
        line.value = text + strcspn(text, " ");
        line.value += *line.value ? (*line.value = '\0', 1) : 0;
        ended = strcmp(line.key, "end") == 0;
        line.block = !*line.value && !ended;
        if (line.block && strcmp(line.key, "start") == 0)
            line.value = next_line(reader);
        else if (line.block && strcmp(line.key, "schedule") == 0) {
            line.value = text_before_end(reader);
            ended = true;
        }
        if (!line.value)
            return fail(reader, line.number, 1, CUT);
        const enum rl_status status = ended && !line.block ? RL_OK : add_line(reader, line);
        if (status)
            return status;
    }
    const size_t rest = strspn(reader->at, " \t\r\n");
    return reader->at[rest] ? fail(reader, reader->number + 1, 1, "something follows `end`")
                            : RL_OK;
}

/* ---- reading: values ---- */

static const struct line *find(const struct reader *reader, const char *key)
{
    for (size_t i = 0; i < reader->count; i++)
        if (strcmp(reader->lines[i].key, key) == 0)
            return &reader->lines[i];
    return NULL;
}

/* A protocol of one's own must be the very text that was run. */
static enum rl_status check_protocol(struct reader *reader)
{
    const struct line *name = find(reader, "protocol"), *hash = find(reader, "hash");
    const struct rl_protocol *protocol = name ? rl_protocol_named(name->value) : NULL;
    if (!name)
        return fail(reader, 1, 1, "which protocol? there is no line `protocol`");
    if (!protocol)
        return fail(reader, name->number, (uint32_t)sizeof "protocol" + 1,
                    hash ? "for a protocol from a file: give the file with -p"
                         : "for a protocol that this program does not have");
    const bool same = hash ? protocol->hash && strlen(hash->value) == HASH_DIGITS &&
                                 strncmp(hash->value, protocol->hash, HASH_DIGITS) == 0
                           : !protocol->hash;
    return same ? RL_OK
                : fail(reader, hash ? hash->number : name->number, 1,
                       "for another text: the protocol file has changed since this was written");
}

/* What ends an execution is its length. */
static bool is_of_experiment(const char *key)
{
    return (rl_experiment_has_key(key) && !rl_end_has_key(key)) || rl_protocol_any_parameter(key);
}

static enum rl_status read_experiment(struct reader *reader)
{
    struct rl_experiment *experiment = &reader->execution->experiment;
    struct rl_item items[RL_REQUEST_ITEMS] = {{NULL, NULL}};
    const struct line *of[RL_REQUEST_ITEMS] = {NULL};
    size_t count = 0, culprit;
    for (size_t i = 0; i < reader->count; i++) {
        const struct line *line = &reader->lines[i];
        if (!is_of_experiment(line->key) || (line->block && strcmp(line->key, "start") == 0))
            continue;
        if (count == RL_REQUEST_ITEMS)
            return fail(reader, line->number, 1, "too many keys");
        of[count] = line;
        items[count++] = (struct rl_item){line->key, line->value};
    }
    struct rl_error inner = {0};
    const enum rl_status status = rl_experiment_read(experiment, items, count, &culprit, &inner);
    experiment->end.kind = RL_UNTIL_STEPS;
    experiment->unpromised = reader->forced;
    if (!status || (status == RL_UNPROMISED && reader->forced))
        return RL_OK;
    if (culprit < count)
        return fail_value(reader, of[culprit], status, &inner);
    return fail(reader, find(reader, "protocol")->number, 1, inner.text);
}

static enum rl_status read_start(struct reader *reader, const struct line *line,
                                 struct rl_error *inner)
{
    struct rl_execution *execution = reader->execution;
    struct rl_experiment *experiment = &execution->experiment;
    if (!line->block)
        return rl_protocol_has_start(experiment->protocol, line->value)
                   ? RL_OK
                   : rl_error_set(inner, RL_BAD_TRACE, "%s has no start '%s'",
                                  experiment->protocol->name, line->value);
    /* An agent takes two characters at least, so that a small file cannot ask for much memory. */
    if (execution->configuration || strlen(line->value) / 2 + 1 < experiment->params.n)
        return rl_error_set(inner, RL_BAD_TRACE, "not the states of %u agents",
                            experiment->params.n);
    execution->configuration = malloc(rl_ring_bytes(experiment->protocol, experiment->params.n));
    if (!execution->configuration)
        return RL_NO_MEMORY;
    experiment->configuration = execution->configuration;
    experiment->start = "file";
    struct rl_ring ring = {experiment->protocol, experiment->params, execution->configuration};
    return rl_ring_parse(&ring, line->value, strlen(line->value), inner);
}

static enum rl_status read_schedule(struct reader *reader, const struct line *line,
                                    struct rl_error *inner)
{
    struct rl_execution *execution = reader->execution;
    struct rl_experiment *experiment = &execution->experiment;
    const struct rl_ring ring = {.protocol = experiment->protocol, .params = experiment->params};
    if (!line->block)
        return strcmp(line->value, "random") == 0
                   ? RL_OK
                   : rl_error_set(inner, RL_BAD_TRACE, "not `random`, and no arcs below");
    execution->schedule = line->value;
    experiment->schedule = &execution->arcs;
    return rl_schedule_parse(&execution->arcs, rl_ring_arcs(&ring), line->value,
                             strlen(line->value), inner);
}

/* "S_RL 1674" or "S_RL never" */
static enum rl_status read_hit(struct rl_execution *execution, const struct line *line,
                               struct rl_error *inner)
{
    char *step = line->value + strcspn(line->value, " ");
    if (*step)
        *step++ = '\0';
    const int set = rl_protocol_set(execution->experiment.protocol, line->value);
    if (set < 0)
        return rl_error_set(inner, RL_BAD_TRACE, "%s has no set '%s'",
                            execution->experiment.protocol->name, line->value);
    if (execution->hit_lines[set])
        return rl_error_set(inner, RL_BAD_TRACE, "the hit of %s is given twice", line->value);
    execution->hit_lines[set] = line->number;
    return strcmp(step, "never") == 0 ? RL_OK
                                      : rl_text_parse_count(step, 0, &execution->hits[set], inner);
}

static enum rl_status read_fault(struct rl_execution *execution, const char *value,
                                 struct rl_error *inner)
{
    struct rl_experiment *experiment = &execution->experiment;
    const size_t i = experiment->fault_count++;
    const enum rl_status status =
        rl_run_parse_fault(value, experiment->params.n, &execution->faults[i], inner);
    if (!status && i > 0 && execution->faults[i].step < execution->faults[i - 1].step)
        return rl_error_set(inner, RL_BAD_TRACE, "faults must be in order");
    return status;
}

static enum rl_status read_count(const struct line *line, uint64_t *count_out, uint32_t *line_out,
                                 struct rl_error *inner)
{
    if (*line_out)
        return rl_error_set(inner, RL_BAD_TRACE, "%s is given twice", line->key);
    *line_out = line->number;
    return rl_text_parse_count(line->value, 0, count_out, inner);
}

static enum rl_status read_stream(const char *value, struct rl_error *inner)
{
    uint64_t version;
    const enum rl_status status = rl_text_parse_count(value, 0, &version, inner);
    return status || version == RL_STREAM_VERSION
               ? status
               : rl_error_set(inner, RL_BAD_TRACE,
                              "made with other random numbers: this program has version %u",
                              (unsigned)RL_STREAM_VERSION);
}

static enum rl_status read_value(struct reader *reader, const struct line *line,
                                 struct rl_error *inner)
{
    struct rl_execution *execution = reader->execution;
    if (strcmp(line->key, "start") == 0)
        return read_start(reader, line, inner);
    if (strcmp(line->key, "schedule") == 0)
        return read_schedule(reader, line, inner);
    if (strcmp(line->key, "hit") == 0)
        return read_hit(execution, line, inner);
    if (strcmp(line->key, "fault") == 0)
        return read_fault(execution, line->value, inner);
    if (strcmp(line->key, "steps") == 0)
        return read_count(line, &execution->experiment.end.steps, &execution->steps_line, inner);
    if (strcmp(line->key, "events") == 0)
        return read_count(line, &execution->events, &execution->events_line, inner);
    if (strcmp(line->key, "stream") == 0)
        return read_stream(line->value, inner);
    if (strcmp(line->key, "hash") == 0 || is_of_experiment(line->key))
        return RL_OK;
    return rl_error_set(inner, RL_BAD_TRACE, "there is no '%s' in an execution", line->key);
}

/* How long it is, and that the schedule and the faults fit. */
static enum rl_status check_steps(struct reader *reader)
{
    struct rl_execution *execution = reader->execution;
    struct rl_experiment *experiment = &execution->experiment;
    const struct line *schedule = find(reader, "schedule"), *fault = find(reader, "fault");
    struct rl_error inner = {0};
    if (!schedule)
        return fail(reader, reader->number, 1, "there is no schedule");
    if (!execution->steps_line && !execution->schedule)
        return fail(reader, reader->number, 1, "how long is it? there is no line `steps`");
    const uint64_t length = execution->schedule ? rl_schedule_length(&execution->arcs) : RL_NEVER;
    if (!execution->steps_line)
        experiment->end.steps = length;
    if (experiment->end.steps > length)
        return fail(reader, execution->steps_line, 1, "the schedule has fewer steps");
    if (execution->schedule)
        experiment->engine = RL_ENGINE_STEP;
    experiment->faults = execution->faults;
    for (size_t i = 0; i < experiment->fault_count; i++)
        if (rl_run_check_fault(&execution->faults[i], experiment->end.steps, &inner))
            return fail(reader, fault->number, 1, inner.text);
    return RL_OK;
}

static enum rl_status read_all(struct reader *reader)
{
    enum rl_status status = read_lines(reader);
    if (!status)
        status = check_protocol(reader);
    if (!status)
        status = read_experiment(reader);
    reader->execution->faults = malloc((reader->count + 1) * sizeof *reader->execution->faults);
    if (!status && !reader->execution->faults)
        return RL_NO_MEMORY;
    for (size_t i = 0; i < reader->count && !status; i++) {
        struct rl_error inner = {0};
        status = read_value(reader, &reader->lines[i], &inner);
        if (status)
            status = fail_value(reader, &reader->lines[i], status, &inner);
    }
    return status ? status : check_steps(reader);
}

enum rl_status rl_execution_read(struct rl_execution *execution, const char *text, size_t size,
                                 bool forced, struct rl_error *error)
{
    *execution = (struct rl_execution){.events = RL_NEVER, .text = malloc(size + 1)};
    rl_hits_forget(execution->hits);
    if (!execution->text)
        return RL_NO_MEMORY;
    struct reader reader = {
        .execution = execution, .at = execution->text, .forced = forced, .error = error};
    memcpy(execution->text, text, size);
    execution->text[size] = '\0';
    const enum rl_status status = memchr(text, '\0', size)
                                      ? fail(&reader, 1, 1, "not an execution: it is not text")
                                      : read_all(&reader);
    free(reader.lines);
    return status;
}

void rl_execution_free(struct rl_execution *execution)
{
    rl_schedule_free(&execution->arcs);
    free(execution->text);
    free(execution->configuration);
    free(execution->faults);
    *execution = (struct rl_execution){0};
}
