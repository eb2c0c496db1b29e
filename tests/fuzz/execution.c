/* SPDX-License-Identifier: MIT
 *
 * Fuzzer of executions. One that can be read and is not too long runs, and is what was read:
 * written and read again it has the same steps.
 */
#include "bytes.h"
#include "fuzz/fuzz.h"

static void replay(const struct rl_execution *execution)
{
    struct rl_run run;
    struct rl_replay watching;
    struct rl_error error = {0};
    struct bytes text = {0};
    struct rl_execution again;
    if (!rl_run_init(&run, &execution->experiment, &error)) {
        require(!rl_replay_watch(&watching, execution, &run));
        while (rl_run_advance(&run) == RL_RUNNING)
            continue;
        const enum rl_status status = rl_replay_end(&watching, &run, &error);
        require(!status || error.text[0]);
        rl_replay_free(&watching);
        require(!rl_execution_write(execution, &text, put_bytes));
        if (rl_execution_read(&again, text.at, text.size, false, &error))
            require(!"what was written can be read");
        require(again.experiment.end.steps == execution->experiment.end.steps);
        rl_execution_free(&again);
        bytes_free(&text);
    }
    rl_run_free(&run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + !size);
    memcpy(text, data, size);
    struct rl_execution execution;
    struct rl_error error = {0};
    const enum rl_status status = rl_execution_read(&execution, text, size, false, &error);
    if (status)
        require(status == RL_BAD_TRACE && error.line > 0 && error.column > 0 && error.text[0]);
    else if (execution.experiment.end.steps < 10000 && execution.experiment.params.n < 1000)
        replay(&execution);
    rl_execution_free(&execution);
    free(text);
    return 0;
}
