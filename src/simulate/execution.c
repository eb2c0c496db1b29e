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
    execution.experiment.faults = run->faults;
    execution.experiment.fault_count = run->faults_done;
    memcpy(execution.hits, run->hits, sizeof execution.hits);
    return execution;
}

/* ---- reading: lines ---- */

struct line {
    const char *key;
    char *value; /* of a hit, its set belongs to the key */
    uint32_t number;
    bool block; /* the value is in the lines below */
};

struct reader {
    struct rl_execution *execution;
    struct line *lines;
    size_t count, room;
    char *at;
    uint32_t number; /* of the line before `at` */
    bool forced;
    struct line blamed; /* what an error is about */
    struct rl_error *error;
};

static enum rl_status refuse(struct reader *reader, uint32_t line, const char *reason)
{
    reader->blamed = (struct line){.number = line};
    return rl_error_set(reader->error, RL_BAD_TRACE, "%s", reason);
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

static const struct line *find(const struct reader *reader, const char *key)
{
    for (size_t i = 0; i < reader->count; i++)
        if (strcmp(reader->lines[i].key, key) == 0)
            return &reader->lines[i];
    return NULL;
}

static enum rl_status add_line(struct reader *reader, struct line line)
{
    reader->blamed = (struct line){.number = line.number};
    if (strcmp(line.key, "fault") != 0 && find(reader, line.key))
        return rl_error_set(reader->error, RL_BAD_TRACE, "%s is given twice", line.key);
    struct line *lines = grown(reader->lines, reader->count, &reader->room, sizeof *lines);
    if (!lines)
        return RL_NO_MEMORY;
    reader->lines = lines;
    lines[reader->count++] = line;
    return RL_OK;
}

/* The text ends with a line `end`, which is cut off; where it does not, it was cut off itself. */
static bool take_end(char *text)
{
    size_t size = strlen(text);
    while (size > 0 && strchr(" \t\r\n", text[size - 1]))
        size--;
    const bool ends = size >= 4 && strncmp(text + size - 4, "\nend", 4) == 0;
    if (ends)
        text[size - 3] = '\0';
    return ends;
}

/* Cuts the text into lines of a key and a value. A schedule is all the rest. */
static enum rl_status read_lines(struct reader *reader)
{
    const bool ends = take_end(reader->at);
    char *text = next_line(reader);
    if (!text || strcmp(text, HEAD) != 0)
        return refuse(reader, 1, "not an execution: the first line is not `" HEAD "`");
    enum rl_status status = RL_OK;
    while (!status && (text = next_line(reader))) {
        const size_t skip = strncmp(text, "hit ", 4) == 0 ? 4 : 0;
        struct line line = {text, text + skip + strcspn(text + skip, " "), reader->number, false};
        if (!*text || *text == '#')
            continue;
        if (*line.value)
            *line.value++ = '\0';
        else if (strcmp(text, "start") == 0 || strcmp(text, "schedule") == 0) {
            line.block = true;
            line.value = text[1] == 't' ? next_line(reader) : reader->at;
            reader->at += line.value == reader->at ? strlen(reader->at) : 0;
        }
        if (line.value)
            status = add_line(reader, line);
    }
    return status || ends ? status
                          : refuse(reader, reader->number,
                                   "the file ends before the line `end`: it is cut off");
}

/* ---- reading: values ---- */

/* A protocol of one's own must be the very text that was run. */
static enum rl_status check_protocol(struct reader *reader)
{
    const struct line *name = find(reader, "protocol"), *hash = find(reader, "hash");
    const struct rl_protocol *protocol = name ? rl_protocol_named(name->value) : NULL;
    if (!name)
        return refuse(reader, 1, "which protocol? there is no line `protocol`");
    if (!protocol)
        return refuse(reader, name->number,
                      hash ? "for a protocol from a file: give the file with -p"
                           : "for a protocol that this program does not have");
    if (!hash && !protocol->hash)
        return RL_OK;
    return hash && protocol->hash && strlen(hash->value) == HASH_DIGITS &&
                   rl_text_after(protocol->hash, hash->value)
               ? RL_OK
               : refuse(reader, hash ? hash->number : name->number,
                        "for another text: the protocol file has changed since this was written");
}

/* What ends an execution is its length. */
static bool is_of_experiment(const char *key)
{
    return rl_experiment_has_key(key) == RL_KEY_OF_RING || rl_protocol_any_parameter(key);
}

static enum rl_status read_experiment(struct reader *reader)
{
    struct rl_experiment *experiment = &reader->execution->experiment;
    struct rl_item items[RL_REQUEST_ITEMS] = {{NULL, NULL}};
    size_t count = 0, culprit;
    for (size_t i = 0; i < reader->count && count < RL_REQUEST_ITEMS; i++) {
        const struct line *line = &reader->lines[i];
        if (is_of_experiment(line->key) && !line->block)
            items[count++] = (struct rl_item){line->key, line->value};
    }
    const enum rl_status status =
        rl_experiment_read(experiment, items, count, &culprit, reader->error);
    reader->blamed = *find(reader, culprit < count ? items[culprit].key : "protocol");
    experiment->end.kind = RL_UNTIL_STEPS;
    experiment->end.steps = RL_NEVER;
    experiment->unpromised = reader->forced;
    return status == RL_UNPROMISED && reader->forced ? RL_OK : status;
}

static enum rl_status read_start(struct rl_execution *execution, const struct line *line,
                                 struct rl_error *error)
{
    struct rl_experiment *experiment = &execution->experiment;
    if (!line->block)
        return rl_protocol_has_start(experiment->protocol, line->value)
                   ? RL_OK
                   : rl_error_set(error, RL_BAD_TRACE, "%s has no start '%s'",
                                  experiment->protocol->name, line->value);
    /* An agent takes two characters at least, so that a small file cannot ask for much memory. */
    if (strlen(line->value) / 2 + 1 < experiment->params.n)
        return rl_error_set(error, RL_BAD_TRACE, "not the states of %u agents",
                            experiment->params.n);
    execution->configuration = malloc(rl_ring_bytes(experiment->protocol, experiment->params.n));
    if (!execution->configuration)
        return RL_NO_MEMORY;
    experiment->configuration = execution->configuration;
    experiment->start = "file";
    struct rl_ring ring = {experiment->protocol, experiment->params, execution->configuration};
    return rl_ring_parse(&ring, line->value, strlen(line->value), error);
}

static enum rl_status read_schedule(struct rl_execution *execution, const struct line *line,
                                    struct rl_error *error)
{
    struct rl_experiment *experiment = &execution->experiment;
    const struct rl_ring ring = {.protocol = experiment->protocol, .params = experiment->params};
    if (!line->block)
        return strcmp(line->value, "random") == 0
                   ? RL_OK
                   : rl_error_set(error, RL_BAD_TRACE, "not `random`, and no arcs below");
    execution->schedule = line->value;
    experiment->schedule = &execution->arcs;
    experiment->engine = RL_ENGINE_STEP;
    return rl_schedule_parse(&execution->arcs, rl_ring_arcs(&ring), line->value,
                             strlen(line->value), error);
}

/* "1674" or "never" */
static enum rl_status read_hit(struct rl_execution *execution, const struct line *line,
                               struct rl_error *error)
{
    const char *name = line->key + strlen("hit ");
    const int set = rl_protocol_set(execution->experiment.protocol, name);
    if (set < 0)
        return rl_error_set(error, RL_BAD_TRACE, "%s has no set '%s'",
                            execution->experiment.protocol->name, name);
    execution->hit_lines[set] = line->number;
    return strcmp(line->value, "never") == 0
               ? RL_OK
               : rl_text_parse_count(line->value, 0, &execution->hits[set], error);
}

static enum rl_status read_fault(struct rl_execution *execution, const char *value,
                                 struct rl_error *error)
{
    struct rl_experiment *experiment = &execution->experiment;
    const size_t i = experiment->fault_count++;
    const enum rl_status status =
        rl_run_parse_fault(value, experiment->params.n, &execution->faults[i], error);
    if (!status && i > 0 && execution->faults[i].step < execution->faults[i - 1].step)
        return rl_error_set(error, RL_BAD_TRACE, "faults must be in order");
    return status;
}

static enum rl_status read_value(struct rl_execution *execution, const struct line *line,
                                 struct rl_error *error)
{
    uint64_t version = RL_STREAM_VERSION;
    enum rl_status status = RL_OK;
    if (strcmp(line->key, "start") == 0)
        return read_start(execution, line, error);
    if (strcmp(line->key, "schedule") == 0)
        return read_schedule(execution, line, error);
    if (strncmp(line->key, "hit ", 4) == 0)
        return read_hit(execution, line, error);
    if (strcmp(line->key, "fault") == 0)
        return read_fault(execution, line->value, error);
    if (strcmp(line->key, "steps") == 0)
        return rl_text_parse_count(line->value, 0, &execution->experiment.end.steps, error);
    if (strcmp(line->key, "events") == 0) {
        execution->events_line = line->number;
        return rl_text_parse_count(line->value, 0, &execution->events, error);
    }
    if (strcmp(line->key, "stream") == 0)
        status = rl_text_parse_count(line->value, 0, &version, error);
    else if (strcmp(line->key, "hash") != 0 && !is_of_experiment(line->key))
        return rl_error_set(error, RL_BAD_TRACE, "there is no '%s' in an execution", line->key);
    return version == RL_STREAM_VERSION
               ? status
               : rl_error_set(error, RL_BAD_TRACE,
                              "made with other random numbers: this program has version %u",
                              (unsigned)RL_STREAM_VERSION);
}

/* How long it is, and that the schedule and the faults fit. */
static enum rl_status check_steps(struct reader *reader)
{
    struct rl_execution *execution = reader->execution;
    struct rl_experiment *experiment = &execution->experiment;
    const struct line *steps = find(reader, "steps"), *fault = find(reader, "fault");
    const uint64_t length = execution->schedule ? execution->arcs.length : RL_NEVER;
    if (!find(reader, "schedule"))
        return refuse(reader, reader->number + 1, "there is no schedule");
    if (!steps && !execution->schedule)
        return refuse(reader, reader->number + 1, "how long is it? there is no line `steps`");
    if (steps && experiment->end.steps > length)
        return refuse(reader, steps->number, "the schedule has fewer steps");
    experiment->end.steps = steps ? experiment->end.steps : length;
    experiment->faults = execution->faults;
    enum rl_status status = RL_OK;
    for (size_t i = 0; i < experiment->fault_count && !status; i++)
        status = rl_run_check_fault(&execution->faults[i], experiment->end.steps, reader->error);
    reader->blamed = status ? *fault : reader->blamed;
    return status;
}

static enum rl_status read_all(struct reader *reader)
{
    struct rl_execution *execution = reader->execution;
    enum rl_status status = read_lines(reader);
    if (!status)
        status = check_protocol(reader);
    if (!status)
        status = read_experiment(reader);
    execution->faults = malloc((reader->count + 1) * sizeof *execution->faults);
    if (!status && !execution->faults)
        status = RL_NO_MEMORY;
    for (size_t i = 0; i < reader->count && !status; i++) {
        reader->blamed = reader->lines[i];
        status = read_value(execution, &reader->lines[i], reader->error);
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
    struct rl_error inner = {0};
    struct reader reader = {
        .execution = execution, .at = execution->text, .forced = forced, .error = &inner};
    memcpy(execution->text, text, size);
    execution->text[size] = '\0';
    const enum rl_status status = memchr(text, '\0', size)
                                      ? refuse(&reader, 1, "not an execution: it is not text")
                                      : read_all(&reader);
    free(reader.lines);
    if (!status || status == RL_NO_MEMORY)
        return status;
    /* What is wrong in a block has its own line and column. */
    const bool block = reader.blamed.block;
    inner.line = reader.blamed.number + (block ? (inner.line ? inner.line : 1) : 0);
    inner.column = block && inner.column ? inner.column : 1;
    if (error)
        *error = inner;
    return RL_BAD_TRACE;
}

void rl_execution_free(struct rl_execution *execution)
{
    rl_schedule_free(&execution->arcs);
    free(execution->text);
    free(execution->configuration);
    free(execution->faults);
    *execution = (struct rl_execution){0};
}
