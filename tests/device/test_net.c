/* SPDX-License-Identifier: MIT
 *
 * What lies between a link and the network: datagrams, log lines, addresses, trouble.
 */
#include "test.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "net/address.h"
#include "net/journal.h"
#include "net/node.h"

static struct rl_rules rules_of(const char *name, uint32_t N)
{
    struct rl_rules rules;
    const struct rl_params params = {.n = N, .value = {N}};
    assert_int_equal(rl_rules_init(&rules, rl_protocol_named(name), &params, NULL), RL_OK);
    rules.link.about = NULL; /* the copy is not asked for its rules */
    return rules;
}

static const uint8_t KEY[RL_KEY_BYTES] = {1, 2, 3}, OTHER_KEY[RL_KEY_BYTES] = {1, 2, 4};

/* The seal of node a, and that of everybody around it, b on both sides. */
static struct rl_seal seal_of(const struct rl_rules *rules, const uint8_t *key)
{
    return rl_datagram_seal(rules, key, "b", "a", "b");
}

static struct rl_seal seal_around(const struct rl_rules *rules, const uint8_t *key)
{
    return rl_datagram_seal(rules, key, "a", "b", "a");
}

static struct rl_message random_message(struct rl_random *random)
{
    return (struct rl_message){.kind = (uint8_t)rl_random_below(random, RL_LINK_KINDS),
                               .ticket = rl_random_next(random),
                               .value = rl_random_next(random)};
}

TEST(what_is_sealed_is_read)
{
    const struct rl_rules rules = rules_of("prl", 16);
    const struct rl_seal seal = seal_of(&rules, KEY), around = seal_around(&rules, KEY);
    struct rl_random random = test_random(1, 0, RL_PURPOSE_START);
    for (int i = 0; i < 2000; i++) {
        const struct rl_message sent = random_message(&random);
        const uint32_t stamp = (uint32_t)rl_random_next(&random);
        struct rl_message got;
        uint32_t back;
        uint8_t bytes[RL_DATAGRAM_BYTES];
        rl_datagram_write(&seal, &sent, stamp, bytes);
        assert_int_equal(rl_datagram_read(&around, bytes, sizeof bytes, &got, &back),
                         RL_NOT_REFUSED);
        assert_int_equal(back, stamp);
        assert_int_equal(got.kind, sent.kind);
        assert_int_equal(got.ticket, sent.ticket);
        assert_int_equal(got.value, sent.value);
    }
}

/* What a node with prl, N = 16 and KEY says of a datagram of somebody else. */
static enum rl_refusal refusal(const char *protocol, uint32_t N, const uint8_t *key)
{
    const struct rl_rules mine = rules_of("prl", 16), others = rules_of(protocol, N);
    const struct rl_seal seal = seal_of(&mine, KEY), other = seal_around(&others, key);
    const struct rl_message message = {.kind = RL_ASK, .ticket = 5, .value = 6};
    struct rl_message got;
    uint32_t stamp;
    uint8_t bytes[RL_DATAGRAM_BYTES];
    rl_datagram_write(&other, &message, 0, bytes);
    return rl_datagram_read(&seal, bytes, sizeof bytes, &got, &stamp);
}

TEST(those_who_do_not_fit_are_refused_by_reason)
{
    assert_int_equal(refusal("prl", 16, KEY), RL_NOT_REFUSED);
    assert_int_equal(refusal("prl", 17, KEY), RL_REFUSED_PARAMETERS);
    assert_int_equal(refusal("prl-dummy", 16, KEY), RL_REFUSED_PROTOCOL);
    assert_int_equal(refusal("prl", 16, OTHER_KEY), RL_REFUSED_KEY);
    assert_int_equal(refusal("prl", 16, NULL), RL_REFUSED_KEY);
    assert_int_equal(refusal("prl-dummy", 17, OTHER_KEY), RL_REFUSED_KEY);
}

TEST(every_changed_bit_and_every_length_is_refused)
{
    const struct rl_rules rules = rules_of("prl", 16);
    const struct rl_seal seal = seal_of(&rules, KEY), around = seal_around(&rules, KEY);
    const struct rl_message message = {.kind = RL_DID, .ticket = 99, .value = 34};
    struct rl_message got;
    uint32_t stamp;
    uint8_t bytes[RL_DATAGRAM_BYTES + 1] = {0};
    rl_datagram_write(&around, &message, 7, bytes);
    for (unsigned bit = 0; bit < 8 * RL_DATAGRAM_BYTES; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        const enum rl_refusal why = rl_datagram_read(&seal, bytes, RL_DATAGRAM_BYTES, &got, &stamp);
        assert_int_equal(why, bit < 16   ? RL_REFUSED_FORM
                              : bit < 24 ? RL_REFUSED_VERSION
                                         : RL_REFUSED_KEY);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    for (size_t size = 0; size <= sizeof bytes; size++)
        if (size != RL_DATAGRAM_BYTES)
            assert_int_equal(rl_datagram_read(&seal, bytes, size, &got, &stamp), RL_REFUSED_FORM);
    assert_int_equal(rl_datagram_read(&seal, bytes, RL_DATAGRAM_BYTES, &got, &stamp),
                     RL_NOT_REFUSED);
}

TEST(an_unknown_kind_is_refused_even_if_sealed)
{
    const struct rl_rules rules = rules_of("prl", 16);
    const struct rl_seal seal = seal_of(&rules, KEY), around = seal_around(&rules, KEY);
    const struct rl_message message = {.kind = RL_LINK_KINDS, .ticket = 1};
    struct rl_message got;
    uint32_t stamp;
    uint8_t bytes[RL_DATAGRAM_BYTES];
    rl_datagram_write(&around, &message, 0, bytes);
    assert_int_equal(rl_datagram_read(&seal, bytes, sizeof bytes, &got, &stamp), RL_REFUSED_KIND);
}

/* Every datagram that some node of a ring writes, at every node of it, and its kind changed. */
TEST(a_datagram_is_of_one_link_one_direction_and_one_kind)
{
    static const char *const names[] = {"a", "b", "c", "ab", "d"};
    enum { NODES = sizeof names / sizeof names[0] };
    const struct rl_rules rules = rules_of("prl", 16);
    struct rl_seal seals[NODES];
    unsigned taken = 0;
    for (int i = 0; i < NODES; i++)
        seals[i] = rl_datagram_seal(&rules, KEY, names[(i + NODES - 1) % NODES], names[i],
                                    names[(i + 1) % NODES]);
    for (int from = 0; from < NODES; from++)
        for (uint8_t kind = 0; kind < RL_LINK_KINDS; kind++)
            for (int to = 0; to < NODES; to++)
                for (uint8_t claimed = 0; claimed < RL_LINK_KINDS; claimed++) {
                    const struct rl_message message = {.kind = kind, .ticket = 5, .value = 6};
                    struct rl_message got;
                    uint32_t stamp;
                    uint8_t bytes[RL_DATAGRAM_BYTES];
                    rl_datagram_write(&seals[from], &message, 0, bytes);
                    bytes[3] = claimed;
                    const enum rl_refusal refusal =
                        rl_datagram_read(&seals[to], bytes, sizeof bytes, &got, &stamp);
                    const int meant = (from + (kind == RL_ASK ? 1 : NODES - 1)) % NODES;
                    assert_int_equal(refusal, to == meant && claimed == kind ? RL_NOT_REFUSED
                                                                             : RL_REFUSED_KEY);
                    taken += refusal == RL_NOT_REFUSED;
                }
    assert_int_equal(taken, NODES * RL_LINK_KINDS);
    /* Where names are joined does not matter: the link of ab and c is not that of a and bc. */
    const struct rl_seal one = rl_datagram_seal(&rules, KEY, "ab", "c", "x");
    const struct rl_seal two = rl_datagram_seal(&rules, KEY, "a", "bc", "x");
    assert_memory_not_equal(one.left, two.left, RL_KEY_BYTES);
}

TEST(names_are_words)
{
    char longest[RL_LONGEST_NAME + 2] = "";
    memset(longest, 'a', sizeof longest - 1);
    assert_true(rl_datagram_is_name("b", 1) && rl_datagram_is_name("rack-7.b_2@x", 10));
    assert_false(rl_datagram_is_name("", 0) || rl_datagram_is_name("a b", 3));
    assert_false(rl_datagram_is_name("a\"", 2) || rl_datagram_is_name("\303\266", 2));
    assert_true(rl_datagram_is_name(longest, RL_LONGEST_NAME));
    assert_false(rl_datagram_is_name(longest, RL_LONGEST_NAME + 1));
}

static void make_key(const char *path)
{
    char text[RL_KEY_TEXT];
    assert_int_equal(rl_key_text(text, NULL), RL_OK);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(chmod(path, 0600), 0);
}

TEST(keys_are_secret)
{
    char path[] = "/tmp/ringleader-key-XXXXXX";
    uint8_t key[RL_KEY_BYTES], other[RL_KEY_BYTES];
    struct rl_error error = {0};
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_int_equal(rl_key_read(path, key, &error), RL_BAD_TEXT); /* it is empty */
    make_key(path);
    assert_int_equal(rl_key_read(path, key, &error), RL_OK);
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(rl_key_read(path, other, &error), RL_BAD_TEXT);
    assert_non_null(strstr(error.text, "others may read"));
    make_key(path);
    assert_int_equal(rl_key_read(path, other, &error), RL_OK);
    assert_memory_not_equal(key, other, sizeof key);
    unlink(path);
    FILE *zeros = fopen(path, "w");
    fprintf(zeros, "%064d\n", 0);
    fclose(zeros);
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(rl_key_read(path, other, &error), RL_BAD_TEXT);
    assert_non_null(strstr(error.text, "zeros"));
    unlink(path);
    assert_int_equal(rl_key_read(path, other, &error), RL_IO);
    assert_non_null(strstr(error.text, "No such file or directory"));
}

TEST(addresses_are_read_or_refused_with_the_reason)
{
    const char *const good[] = {"127.0.0.1:7000", "[::1]:7000", "localhost:1"};
    const char *const bad[] = {"127.0.0.1", "7000",    ":7000", "::1:7000", "[]:1",
                               "a:",        "a:65536", "a:1x",  "a:-1",     ""};
    struct rl_address address;
    struct rl_error error = {0};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(rl_address_parse(good[i], NULL, &address, &error), RL_OK);
        assert_true(rl_address_is_loopback(&address));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(rl_address_parse(bad[i], NULL, &address, &error), RL_BAD_TEXT);
    assert_int_equal(rl_address_parse("no-such-host.invalid:1", NULL, &address, &error), RL_IO);
    assert_non_null(strstr(error.text, "does not resolve"));
    assert_int_equal(rl_address_parse("0.0.0.0:1", NULL, &address, &error), RL_OK);
    assert_false(rl_address_is_loopback(&address));
}

/* A neighbour is sought in the family of the one who listens; what cannot be reached is refused. */
TEST(neighbours_are_where_they_can_be_reached)
{
    static const struct {
        const char *from, *to, *problem; /* NULL: none */
    } cases[] = {
        {"127.0.0.1:1", "127.0.0.2:7", NULL},
        {"127.0.0.1:1", "localhost:7", NULL},
        {"127.0.0.1:1", "[::1]:7", "has no IPv4 address, but --listen has one"},
        {"[::1]:1", "127.0.0.1:7", "has no IPv6 address, but --listen has one"},
        {"127.0.0.1:1", "192.0.2.1:7", "outside this machine, but --listen is loopback"},
        {"[::1]:1", "[2001:db8::1]:7", "outside this machine, but --listen is loopback"},
        {"0.0.0.0:1", "192.0.2.1:7", NULL},
        {"0.0.0.0:1", "[2001:db8::1]:7", "has no IPv4 address, but --listen has one"},
        {"127.0.0.1:1", "127.0.0.1:0", "port 0 cannot be reached"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rl_address from, to;
        struct rl_error error = {0};
        assert_int_equal(rl_address_parse(cases[i].from, NULL, &from, NULL), RL_OK);
        const enum rl_status status = rl_address_parse(cases[i].to, &from, &to, &error);
        if (status != (cases[i].problem ? RL_BAD_TEXT : RL_OK) ||
            (cases[i].problem && !strstr(error.text, cases[i].problem)) ||
            (!status && to.socket.ss_family != from.socket.ss_family))
            fail_msg("%s from %s: %d, %s", cases[i].to, cases[i].from, status, error.text);
    }
}

TEST(log_lines_are_read_as_they_were_written)
{
    struct rl_random random = test_random(2, 0, RL_PURPOSE_START);
    for (int i = 0; i < 2000; i++) {
        struct rl_entry entry = {.kind = (enum rl_journal_kind)(i % 5)}, got;
        const bool done = entry.kind == RL_JOURNAL_DONE, heard = entry.kind == RL_JOURNAL_HEARD;
        if (done || heard) {
            entry.ticket = rl_random_next(&random);
            entry.l = rl_random_next(&random);
            entry.l_after = rl_random_next(&random) >> i % 64;
        }
        if (done)
            entry.r_after = rl_random_next(&random);
        if (!heard && entry.kind != RL_JOURNAL_GAP)
            entry.r = rl_random_next(&random);
        char line[RL_JOURNAL_LINE];
        const size_t length = rl_journal_print(&entry, line);
        assert_int_equal(line[length - 1], '\n');
        assert_true(rl_journal_parse(line, length - 1, &got));
        assert_memory_equal(&entry, &got, sizeof entry);
        assert_false(rl_journal_parse(line, length, &got));
        assert_false(rl_journal_parse(line, length - 1 - (entry.kind == RL_JOURNAL_GAP), &got) &&
                     entry.kind == RL_JOURNAL_GAP);
    }
    const char *const bad[] = {
        "",      "boot",         "boot ",        "boot g",       "boot 1 2",
        "gap 1", "done 1 2 3 4", "heard 1 2 3 ", "heard  1 2 3", "boot 11112222333344445"};
    struct rl_entry got;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(rl_journal_parse(bad[i], strlen(bad[i]), &got));
}

TEST(trouble_comes_in_the_shares_that_were_ordered)
{
    struct rl_trouble trouble = {.loss = 0.2, .duplicate = 0.3, .delay = 0.01};
    double due[2];
    int lost = 0, doubled = 0;
    struct rl_random random = test_random(3, 0, RL_PURPOSE_START);
    for (int i = 0; i < 100000; i++) {
        const int copies = rl_trouble_befall(&trouble, &random, true, 50, due);
        lost += copies == 0;
        doubled += copies == 2;
        for (int k = 0; k < copies; k++)
            assert_true(due[k] >= 50 && due[k] <= 50.01);
    }
    trouble.cut[true] = 1;
    for (int i = 0; i < 100; i++)
        assert_int_equal(rl_trouble_befall(&trouble, &random, true, 50, due), 0);
    trouble.loss = 0;
    assert_true(rl_trouble_befall(&trouble, &random, false, 50, due) > 0);
    /* Six standard deviations. */
    assert_true(lost > 19241 && lost < 20759);
    assert_true(doubled > 23189 && doubled < 24811);
}

/* The first 64 are kept back; there is a signal to leave behind the questions. */
TEST(what_there_is_no_room_to_postpone_is_lost)
{
    static struct rl_node node;
    struct rl_rules rules;
    struct rl_counts counts = {0};
    const struct rl_params params = {.n = 16, .value = {16}};
    const struct rl_trouble trouble = {.duplicate = 1, .delay = 1000};
    struct rl_node_options options = {.rules = &rules,
                                      .rate = 1e-6,
                                      .log = -1,
                                      .state = -1,
                                      .out = -1,
                                      .trouble = &trouble,
                                      .counts = &counts};
    assert_int_equal(rl_rules_init(&rules, rl_protocol_named("prl"), &params, NULL), RL_OK);
    options.seal = seal_of(&rules, NULL);
    const struct rl_seal around = seal_around(&rules, NULL);
    assert_int_equal(rl_address_parse("127.0.0.1:0", NULL, &options.left, NULL), RL_OK);
    assert_int_equal(rl_address_open(&options.left, &options.socket, NULL), RL_OK);
    for (int i = 0; i < 40; i++) {
        const struct rl_message ask = {.kind = RL_ASK, .ticket = 1};
        uint8_t bytes[RL_DATAGRAM_BYTES];
        rl_datagram_write(&around, &ask, 0, bytes);
        assert_int_equal(sendto(options.socket, bytes, sizeof bytes, 0,
                                (const void *)&options.left.socket, options.left.size),
                         sizeof bytes);
    }
    sigset_t leave;
    sigemptyset(&leave);
    sigaddset(&leave, SIGTERM);
    sigprocmask(SIG_BLOCK, &leave, NULL);
    options.signals = signalfd(-1, &leave, SFD_NONBLOCK);
    kill(getpid(), SIGTERM);
    assert_int_equal(rl_node_run(&node, &options, NULL), RL_OK);
    close(options.signals);
    sigprocmask(SIG_UNBLOCK, &leave, NULL);
    assert_int_equal(counts.received, 40);
    assert_int_equal(counts.doubled, 40);
    assert_int_equal(counts.lost, 2 * 40 - RL_MOST_POSTPONED);
    assert_int_equal(counts.sent, 0);
}
