/* SPDX-License-Identifier: MIT
 *
 * What a request and the file of a study have to agree on before there is work: the plan, the
 * share, and that every point can be run here.
 */
#include <string.h>
#include <unistd.h>

#include "cli/study.h"

/* Looks for our plan among those in the file. */
struct plan_search {
    const struct rl_plan *ours;
    size_t count;
    bool found, no_memory;
};

static bool visit_plan(void *user, const char *text)
{
    struct plan_search *search = user;
    struct rl_plan plan;
    search->count++;
    const enum rl_status status =
        rl_plan_parse(&plan, text, strlen(text), RL_PLAN_SKIP_UNKNOWN, NULL);
    search->no_memory = status == RL_NO_MEMORY;
    search->found = !status && rl_plan_same(&plan, search->ours, NULL);
    rl_plan_free(&plan);
    return !search->found && !search->no_memory;
}

/* Puts our plan into the file, or finds that it is there, or complains. */
static int settle_plan(const struct study_request *request, struct rl_store *store)
{
    struct rl_error error = {0};
    struct rl_plan held;
    struct plan_search search = {.ours = &request->plan};
    enum rl_status status = rl_store_plans(store, visit_plan, &search, &error);
    if (search.no_memory)
        status = RL_NO_MEMORY;
    if (!status && request->text)
        status = rl_store_keep_protocols(store, &request->plan, &error);
    if (status)
        return complain_status(status, &error, NULL);
    if (!request->text && search.count == 0)
        return complain(EXIT_REQUEST, "%s holds no plan: give -n, --plan or --preset",
                        request->path);
    if (!request->text || search.found)
        return GO_ON;
    if (search.count > 0 && !request->extend) {
        char difference[200];
        struct rl_text text = rl_text_into(difference, sizeof difference);
        status = rl_store_points(store, &held, &error);
        if (!status)
            rl_plan_same(&held, &request->plan, &text);
        rl_plan_free(&held);
        return status ? complain_status(status, &error, request->path)
                      : complain(EXIT_REQUEST, "%s holds another plan: %s; --extend adds to it",
                                 request->path, difference);
    }
    status = rl_store_add_plan(store, request->text, &request->plan, &error);
    return status ? complain_status(status, &error, NULL) : GO_ON;
}

/* A protocol from a file can only be run with the file. */
static int check_points(const struct study_request *request, const struct rl_plan *plan)
{
    for (size_t i = 0; i < plan->count && !request->text; i++)
        if (!plan->points[i].protocol->interact)
            return complain(EXIT_REQUEST,
                            "the study has a protocol from a file, %s: give that file with -p, and "
                            "the rest of the grid",
                            plan->points[i].protocol->name);
    return GO_ON;
}

/* Points of protocols whose files were not given stay as they are, beside those asked for. */
static void tell_left_alone(const struct study_request *request, const struct rl_plan *plan)
{
    size_t count = 0;
    const char *name = NULL;
    for (size_t i = 0; i < plan->count; i++)
        if (!plan->points[i].protocol->interact) {
            count++;
            name = plan->points[i].protocol->name;
        }
    if (count > 0 && !request->quiet)
        fprintf(stderr,
                "ringleader: %zu points stay as they are, for their files were not given: %s\n",
                count, name);
}

/* The share is the file's: said once, it stays. */
static int settle_share(struct study_request *request, struct rl_store *store)
{
    struct rl_error error = {0};
    uint64_t share, shares;
    enum rl_status status = rl_store_share(store, &share, &shares, &error);
    if (!status && shares == 0) {
        share = request->share;
        shares = request->shares ? request->shares : 1;
        status = rl_store_set_share(store, share, shares, &error);
    }
    if (status)
        return complain_status(status, &error, NULL);
    if (request->shares && (share != request->share || shares != request->shares))
        return complain(EXIT_REQUEST,
                        "%s is for share %llu/%llu of the trials: another share wants a file of "
                        "its own",
                        request->path, (unsigned long long)share + 1, (unsigned long long)shares);
    request->share = share;
    request->shares = shares;
    return GO_ON;
}

static int check_share(const struct study_request *request, const struct rl_plan *plan)
{
    for (size_t i = 0; i < plan->count && request->shares > 1; i++)
        if (plan->points[i].until_error > 0)
            return complain(EXIT_REQUEST, "--share and --until-error do not go together: the rule "
                                          "needs all trials of a point");
    return GO_ON;
}

int check_study(const struct study_request *request, bool there)
{
    if (request->salvage && there)
        return complain(EXIT_REQUEST, "%s is there already: --salvage wants a new file",
                        request->path);
    if (request->salvage && access(request->salvage, R_OK) != 0)
        return complain(EXIT_REQUEST, "there is no file %s", request->salvage);
    if (!request->text && !request->salvage && !there)
        return complain(EXIT_REQUEST, "there is no file %s yet: give -n, --plan or --preset",
                        request->path);
    int outcome = request->text ? check_points(request, &request->plan) : GO_ON;
    if (outcome == GO_ON && access(request->path, R_OK) == 0)
        outcome = recall_protocols(&request->path, 1);
    return outcome;
}

int settle_study(struct study_request *request, struct rl_store *store, struct rl_plan *plan_out)
{
    struct rl_error error = {0};
    int outcome = settle_plan(request, store);
    if (outcome == GO_ON)
        outcome = settle_share(request, store);
    if (outcome != GO_ON)
        return outcome;
    const enum rl_status status = rl_store_points(store, plan_out, &error);
    outcome = status ? complain_status(status, &error, NULL) : check_share(request, plan_out);
    if (outcome == GO_ON)
        outcome = check_points(request, plan_out);
    if (outcome == GO_ON)
        tell_left_alone(request, plan_out);
    return outcome;
}
