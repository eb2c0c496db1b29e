/* SPDX-License-Identifier: MIT
 *
 * A node as people and programs read it: JSON, Prometheus' text format, and whether it is well.
 */
#include "net/node_parts.h"

#include <string.h>

#include "study/json.h"
#include "study/plain.h"

#define WORRY 10.0 /* seconds without an answer */

/* Has its right neighbour answered lately? */
static bool is_well(const struct rl_node *node)
{
    return !(node->link.flags & RL_LINK_LOCKED) || node->now - node->asked_at < WORRY;
}

void rl_node_json(const struct rl_node *node, struct rl_text *text)
{
    const struct rl_counts *counts = node->options.counts;
    const struct rl_rules *rules = node->options.rules;
    const rl_state state = rules->link.legal(rules, node->link.word);
    struct rl_json json = {.text = text};
    rl_json_open(&json, NULL, '{');
    rl_json_string(&json, "protocol", rules->protocol->name);
    rl_json_parameters(&json, rules->protocol, &rules->params);
    rl_json_bool(&json, "leads", node->leads);
    rl_json_string(&json, "state", rl_ring_state(rules->protocol, state).text);
    rl_json_bool(&json, "well", is_well(node));
    rl_json_count(&json, "interactions", counts->decided + counts->learnt);
    rl_json_count(&json, "decided", counts->decided);
    rl_json_count(&json, "learnt", counts->learnt);
    rl_json_count(&json, "busy", counts->busy);
    rl_json_count(&json, "repeats", counts->repeats);
    rl_json_count(&json, "resumed", counts->resumed);
    rl_json_count(&json, "ignored", counts->ignored);
    rl_json_count(&json, "sent", counts->sent);
    rl_json_count(&json, "received", counts->received);
    rl_json_open(&json, "refused", '{');
    for (int i = 1; i < RL_REFUSALS; i++)
        rl_json_count(&json, rl_datagram_refusal((enum rl_refusal)i), counts->refused[i]);
    rl_json_close(&json, '}');
    rl_json_count(&json, "unwritten", counts->unwritten);
    rl_json_real(&json, "rate", node->options.rate);
    rl_json_real(&json, "round_trip_seconds", counts->round_trip);
    rl_json_real(&json, "seconds", node->now - node->began);
    rl_json_end(&json);
}

static void metric_head(struct rl_text *text, const char *name, const char *type, const char *help)
{
    rl_text_format(text, "# HELP ringleader_%s %s\n# TYPE ringleader_%s %s\n", name, help, name,
                   type);
}

static void counter(struct rl_text *text, const char *name, const char *help, uint64_t number)
{
    metric_head(text, name, "counter", help);
    rl_text_format(text, "ringleader_%s %llu\n", name, (unsigned long long)number);
}

void rl_node_metrics(const struct rl_node *node, struct rl_text *text)
{
    const struct rl_counts *counts = node->options.counts;
    metric_head(text, "leader", "gauge", "1 if this node leads.");
    rl_text_format(text, "ringleader_leader %u\n", (unsigned)node->leads);
    metric_head(text, "interactions_total", "counter", "Interactions, by the role in them.");
    rl_text_format(text, "ringleader_interactions_total{role=\"responder\"} %llu\n",
                   (unsigned long long)counts->decided);
    rl_text_format(text, "ringleader_interactions_total{role=\"initiator\"} %llu\n",
                   (unsigned long long)counts->learnt);
    counter(text, "busy_total", "Questions that were turned away.", counts->busy);
    counter(text, "repeats_total", "Questions sent again for want of an answer.", counts->repeats);
    counter(text, "resumed_total", "Tickets put right.", counts->resumed);
    counter(text, "ignored_total", "Authentic messages that were not due.", counts->ignored);
    counter(text, "sent_total", "Datagrams sent.", counts->sent);
    counter(text, "received_total", "Datagrams received.", counts->received);
    metric_head(text, "refused_total", "counter", "Datagrams refused, by reason.");
    for (int i = 1; i < RL_REFUSALS; i++)
        rl_text_format(text, "ringleader_refused_total{reason=\"%s\"} %llu\n",
                       rl_datagram_refusal((enum rl_refusal)i),
                       (unsigned long long)counts->refused[i]);
    counter(text, "unwritten_total", "Log lines and states not written.", counts->unwritten);
    metric_head(text, "round_trip_seconds", "gauge", "From a question to its answer, smoothed.");
    char seconds[32];
    plain_print(seconds, sizeof seconds, "%.9g", counts->round_trip);
    rl_text_format(text, "ringleader_round_trip_seconds %s\n", seconds);
}

int node_page(void *user, const char *path, struct rl_text *text, const char **type_out)
{
    const struct rl_node *node = user;
    if (strcmp(path, "/") == 0) {
        *type_out = "application/json";
        rl_node_json(node, text);
        return 200;
    }
    if (strcmp(path, "/metrics") == 0) {
        *type_out = "text/plain; version=0.0.4";
        rl_node_metrics(node, text);
        return 200;
    }
    if (strcmp(path, "/healthz") == 0) {
        rl_text_string(text, is_well(node) ? "ok\n" : "the right neighbour does not answer\n");
        return is_well(node) ? 200 : 503;
    }
    return 404;
}
