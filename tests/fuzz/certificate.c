/* SPDX-License-Identifier: MIT
 *
 * Fuzzer of certificates. One that is accepted says nothing that is known to be false: fj06 is not
 * self-stabilizing on two agents. What is refused is refused with a reason, a text that is no
 * certificate with its place.
 */
#include "fuzz/fuzz.h"

#include "ringleader/prove.h"

/* A proof may be long: a damaged one is given up after a while. */
static bool go_on(void *user, const struct rl_progress *progress)
{
    unsigned *told = user;
    (void)progress;
    return ++*told < 200;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned told = 0;
    const struct rl_watch watch = {&told, go_on};
    struct rl_certificate certificate;
    struct rl_error error = {0};
    char *text = malloc(size + !size);
    memcpy(text, data, size);
    const enum rl_status status =
        rl_certificate_check(text, size, UINT64_C(1) << 24, &watch, &certificate, &error);
    if (status == RL_OK) {
        require(certificate.automata > 0);
        require(strcmp(certificate.protocol->name, "fj06") != 0 || certificate.from_n == 0 ||
                certificate.from_n >= 3);
    } else if (status == RL_BAD_TEXT) {
        require_reason(status, &error);
    } else {
        require(status == RL_BAD_CERTIFICATE || status == RL_TOO_LARGE || status == RL_STOPPED ||
                status == RL_UNPROMISED || status == RL_BAD_PARAMETER);
        require(status == RL_STOPPED || error.text[0]);
    }
    free(text);
    return 0;
}
