/* SPDX-License-Identifier: MIT
 *
 * What the files of a node share: see node.h.
 */
#ifndef RINGLEADER_NET_NODE_PARTS_H
#define RINGLEADER_NET_NODE_PARTS_H

#include "net/node.h"

/* node_files.c: the log and the state. */
void node_log(struct rl_node *node, const struct rl_entry *entry);
void node_keep_state(struct rl_node *node);

/* node_commands.c: --on-lead and --on-follow, never two at once. */
void node_tell_output(struct rl_node *node);
void node_command_ended(struct rl_node *node);
void node_await_command(struct rl_node *node);

/* node_pages.c: what http asks for; `user` is the node. */
int node_page(void *user, const char *path, struct rl_text *text, const char **type_out);

#endif
