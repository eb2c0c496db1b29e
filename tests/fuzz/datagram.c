/* SPDX-License-Identifier: MIT
 *
 * Fuzzer of what a node reads: a datagram as it comes, the same bytes sealed, and a log line. The
 * first byte chooses. Whatever is sealed and taken changes the link only as its ticket allows.
 */
#include "fuzz/fuzz.h"

#include "net/datagram.h"
#include "net/journal.h"

static void try_datagram(const struct rl_rules *rules, const uint8_t *data, size_t size,
                         bool sealed)
{
    const struct rl_seal seal = rl_datagram_seal(rules, NULL, "a", "a", "a");
    struct rl_link link = {.word = 3, .ask = 7, .expects = 9, .flags = RL_LINK_LOCKED};
    const struct rl_link before = link;
    struct rl_message message = {0}, out;
    uint8_t bytes[RL_DATAGRAM_BYTES];
    uint32_t stamp;
    if (sealed && size >= 17) {
        memcpy(&message.ticket, data + 1, 8);
        memcpy(&message.value, data + 9, 8);
        message.kind = data[0];
        rl_datagram_write(&seal, &message, 0, bytes);
        data = bytes;
        size = sizeof bytes;
    }
    if (rl_datagram_read(&seal, data, size, &message, &stamp))
        return;
    if (message.kind == RL_ASK)
        (void)rl_link_asked(&link, &rules->link, &message, &out);
    else
        (void)rl_link_answered(&link, &rules->link, &message, &out);
    require(rl_protocol_is_state(rules->protocol, &rules->params, link.word));
    if (message.ticket != before.ask && message.ticket != before.expects)
        require(memcmp(&link, &before, sizeof link) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct rl_rules rules;
    const struct rl_params params = {.n = 4, .value = {4}};
    struct rl_entry entry;
    char line[RL_JOURNAL_LINE];
    if (!rules.protocol)
        require(rl_rules_init(&rules, rl_protocol_named("prl"), &params, NULL) == RL_OK);
    if (size < 1)
        return 0;
    if (data[0] % 3 < 2)
        try_datagram(&rules, data + 1, size - 1, data[0] % 3 == 1);
    else if (rl_journal_parse((const char *)data + 1, size - 1, &entry))
        require(rl_journal_print(&entry, line) <= sizeof line);
    return 0;
}
