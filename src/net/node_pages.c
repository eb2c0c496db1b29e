/* SPDX-License-Identifier: MIT
 *
 * A node as people and programs read it: JSON, Prometheus' text format, and whether it is well.
 */
#include "net/node_parts.h"

#include <stdio.h>
#include <string.h>

#include "ringleader/ring.h"

#define WORRY 10.0 /* seconds without an answer */

bool rl_node_is_well(const struct rl_node *node)
{
    return !(node->link.flags & RL_LINK_LOCKED) || node->now - node->asked_at < WORRY;
}

static void add_real(struct rl_text *text, double number)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.9g", number);
    rl_text_string(text, digits);
}

static void json_number(struct rl_text *text, const char *name, uint64_t number)
{
    rl_text_format(text, "\"%s\":%llu,", name, (unsigned long long)number);
}

void rl_node_json(const struct rl_node *node, struct rl_text *text)
{
    const struct rl_counts *counts = node->options.counts;
    const struct rl_rules *rules = node->options.rules;
    rl_text_format(text, "{\"protocol\":\"%s\",", rules->protocol->name);
    for (size_t i = 0; i < rules->protocol->parameter_count; i++)
        json_number(text, rules->protocol->parameters[i].name, rules->params.value[i]);
    rl_text_format(text, "\"leads\":%s,\"state\":\"", node->leads ? "true" : "false");
    rl_ring_print_state(rules->protocol, rules->link.legal(rules, node->link.word), text);
    rl_text_format(text, "\",\"well\":%s,", rl_node_is_well(node) ? "true" : "false");
    json_number(text, "interactions", counts->decided + counts->learnt);
    json_number(text, "decided", counts->decided);
    json_number(text, "learnt", counts->learnt);
    json_number(text, "busy", counts->busy);
    json_number(text, "repeats", counts->repeats);
    json_number(text, "resumed", counts->resumed);
    json_number(text, "ignored", counts->ignored);
    json_number(text, "sent", counts->sent);
    json_number(text, "received", counts->received);
    rl_text_string(text, "\"refused\":{");
    for (int i = 1; i < RL_REFUSALS; i++)
        rl_text_format(text, "%s\"%s\":%llu", i > 1 ? "," : "",
                       rl_datagram_refusal((enum rl_refusal)i),
                       (unsigned long long)counts->refused[i]);
    rl_text_string(text, "},");
    json_number(text, "unwritten", counts->unwritten);
    rl_text_string(text, "\"rate\":");
    add_real(text, node->options.rate);
    rl_text_string(text, ",\"round_trip_seconds\":");
    add_real(text, counts->round_trip);
    rl_text_string(text, ",\"seconds\":");
    add_real(text, node->now - node->began);
    rl_text_string(text, "}\n");
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
    rl_text_string(text, "ringleader_round_trip_seconds ");
    add_real(text, counts->round_trip);
    rl_text_char(text, '\n');
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
        rl_text_string(text,
                       rl_node_is_well(node) ? "ok\n" : "the right neighbour does not answer\n");
        return rl_node_is_well(node) ? 200 : 503;
    }
    return 404;
}
