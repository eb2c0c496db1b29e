/* SPDX-License-Identifier: MIT
 *
 * ringleader explore: only what can be reached from given configurations.
 */
#include "cli/verification.h"

static const struct option OPTIONS[] = {
    {"from", "START|FILE", VALUE_START,
     "from every member of a start of the protocol, or from a configuration file",
     .missing = "from where? give --from START or --from FILE"},
    {"invariant", "NAME", VALUE_SET,
     "what must hold: outputs (default: no output ever changes) or a set", .not_with = "reaches"},
    {"reaches", "SET", VALUE_SET, "instead: is this set reached with probability 1?"},
    {"seed", "COUNT", VALUE_COUNT, "for starts that are random (default 1)"},
    {"force", NULL, VALUE_NONE, "also if the protocol promises nothing, as for N < n"},
};

struct exploration {
    struct rl_explore_options options;
    struct rl_exploration answer;
    struct inquiry inquiry;
};

/* ---- reading the request ---- */

static const struct rl_set *choose_set(const struct rl_protocol *protocol, const char *option,
                                       const char *name)
{
    const int set = rl_protocol_set(protocol, name);
    if (set < 0 || !protocol->sets[set].contains) /* that it settled, a configuration shows not */
        die(EXIT_REQUEST, "%s a set of %s, not '%s'", option, protocol->name, name);
    return &protocol->sets[set];
}

static void end_exploration(void *thing)
{
    rl_explore_free(&((struct exploration *)thing)->answer);
}

static struct exploration *read_request(const struct arguments *arguments)
{
    struct exploration *exploration = claim(sizeof *exploration, end_exploration);
    struct rl_explore_options *options = &exploration->options;
    struct rl_experiment *experiment = &options->experiment;
    read_ring(arguments, NULL, experiment);
    exploration->inquiry = inquiry_of(experiment);
    experiment->start = argument(arguments, "from");
    options->memory = choose_memory(arguments);
    const char *invariant = argument(arguments, "invariant"),
               *goal = argument(arguments, "reaches");
    if (goal)
        options->goal = choose_set(experiment->protocol, "--reaches takes", goal);
    else if (invariant && strcmp(invariant, "outputs") != 0)
        options->set = choose_set(experiment->protocol, "--invariant takes outputs or", invariant);
    choose_start(experiment);
    return exploration;
}

/* ---- telling the answer ---- */

static void tell_parts(struct answer *answer, const struct rl_exploration *found)
{
    open_rows(answer, "parts", '[');
    for (size_t i = 0; i < found->explored_count; i++) {
        const struct rl_explored *explored = &found->explored[i];
        open_row(answer, "part", explored->part);
        tell(answer, "configurations=%ju largest=%ju agent_classes=%u depth=%u",
             explored->configurations, explored->largest, explored->agent_classes, explored->depth);
        close_row(answer);
    }
    close_rows(answer, ']');
    line(answer, "\n");
}

static void tell_verdict(struct answer *answer, const struct exploration *exploration)
{
    const struct rl_explore_options *options = &exploration->options;
    const struct rl_set *set = options->set, *goal = options->goal;
    const struct rl_counterexample *execution = &exploration->answer.execution;
    const bool violated = exploration->answer.violated;
    say(answer, "verdict",
        goal       ? violated ? "NO: %s may become unreachable" : "%s is reached with probability 1"
        : set      ? violated ? "NO: something outside %s is reached"
                              : "everything that is reached is in %s"
        : violated ? "NO: an output can change"
                   : "no output can change",
        goal  ? goal->name
        : set ? set->name
              : "");
    if (!violated)
        return;
    tell(answer, "confirmed=%d", execution->exists);
    json_execution(answer, &exploration->inquiry, "execution", 0, execution);
    say_example(answer, &exploration->inquiry);
}

static void report(const struct exploration *exploration)
{
    const struct rl_explore_options *options = &exploration->options;
    const struct rl_exploration *found = &exploration->answer;
    const double seconds = exploration->inquiry.seconds;
    const struct rl_experiment *experiment = &options->experiment;
    struct answer answer = answer_begin(exploration->inquiry.json);
    tell_heading(&answer, experiment->protocol, &experiment->params, "a");
    line(&answer, "\n\n");
    tell(&answer, "from=%s members=%ju", experiment->start, found->members);
    if (options->goal)
        tell(&answer, "reaches=%s", options->goal->name);
    else
        tell(&answer, "invariant=%s", options->set ? options->set->name : "outputs");
    put(&answer, "holds=%d", !found->violated);
    tell_parts(&answer, found);
    tell_verdict(&answer, exploration);
    put(&answer, "wall_seconds=%g", seconds);
    say(&answer, "speed", "%.3f s", seconds);
    answer_end(&answer);
}

/* ---- running ---- */

static int run_explore(struct arguments *arguments)
{
    struct exploration *exploration = read_request(arguments);
    struct rl_explore_options *options = &exploration->options;
    struct inquiry *inquiry = &exploration->inquiry;
    options->watch = begin_inquiry(inquiry, arguments);
    const enum rl_status status = rl_explore(options, &exploration->answer, why());
    end_inquiry(inquiry, status, "holds");
    check(status, NULL);
    offer_example(inquiry, 0, &exploration->answer.execution, "", "reached from the start");
    keep_example(inquiry);
    report(exploration);
    return exploration->answer.violated ? EXIT_NO : EXIT_DONE;
}

const struct command command_explore = {
    .name = "explore",
    .summary = "check everything that can be reached from a start",
    .usage = "ringleader explore -n COUNT --from START|FILE [options]",
    .about =
        "Checks every configuration that can be reached from a start, or from one configuration: "
        "does an invariant hold, or is a set reached with probability 1? Only states that are "
        "reached cost anything. If a protocol has parts, they are explored one by one.",
    .groups = {&ring_options, GROUP(OPTIONS), &answer_options},
    .status = "0 it holds, 1 it does not (or Ctrl-C), 2 the request was wrong, 3 something outside "
              "failed, such as too little memory.",
    .examples = "  ringleader explore -n 10 --from safe --invariant S_RL\n"
                "  ringleader explore -p fences -n 8 --from clean\n"
                "  ringleader explore -p ppl -n 3 --psi 2 --kmax 1 --from leaderless \\\n"
                "      --reaches settled --json\n",
    .run = run_explore,
};
