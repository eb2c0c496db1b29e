/* SPDX-License-Identifier: MIT
 *
 * Commands that are run when a node's output changes. There is never more than one: if the output
 * changes while one runs, the command for the output at its end comes next, and if that is what was
 * told last, none.
 */
#include "net/node_parts.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void become_command(const char *command)
{
    sigset_t none;
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)signal(SIGPIPE, SIG_DFL);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

void node_tell_output(struct rl_node *node)
{
    const char *command = node->leads ? node->options.on_lead : node->options.on_follow;
    if (node->command || (node->told && node->told_leads == node->leads))
        return;
    node->told = true;
    node->told_leads = node->leads;
    if (!command)
        return;
    const pid_t child = fork();
    if (child == 0)
        become_command(command);
    node->command = child > 0 ? child : 0;
    node->told = child > 0; /* no process to be had: it is tried again at the next change */
}

void node_command_ended(struct rl_node *node)
{
    if (node->command && waitpid(node->command, NULL, WNOHANG) == node->command) {
        node->command = 0;
        node_tell_output(node);
    }
}

void node_await_command(struct rl_node *node)
{
    sigset_t none;
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL); /* a second SIGTERM ends the waiting */
    if (node->command)
        (void)waitpid(node->command, NULL, 0);
}
