/* SPDX-License-Identifier: MIT
 *
 * A node among friends and enemies: what comes over the wire, what its disk, its clock and its
 * machine do to it, and what it tells about itself.
 */
#include "device/remote.h"

#include <sys/resource.h>

#include "net/journal.h"

static const uint8_t KEY[RL_KEY_BYTES] = {9};

/* ---- over the wire -----------------------------------------------------------------------------
 */

static void those_who_do_not_fit_are_refused_and_counted_by_reason(void **state)
{
    (void)state;
    struct remote remote;
    start_remote(&remote, NULL);
    synchronize(&remote);
    struct rl_seal seals[4];
    struct rl_rules other = remote.rules;
    other.params.value[0] = N + 1;
    seals[0] = rl_datagram_seal(&other, NULL);
    other = remote.rules;
    other.protocol = rl_protocol_named("prl-dummy");
    seals[1] = rl_datagram_seal(&other, NULL);
    seals[2] = rl_datagram_seal(&remote.rules, KEY);
    seals[3] = remote.seal;
    for (int i = 0; i < 4; i++)
        for (int times = 0; times <= i; times++) {
            const struct rl_message ask = {.kind = RL_ASK, .ticket = remote.ticket};
            uint8_t bytes[RL_DATAGRAM_BYTES];
            rl_datagram_write(&seals[i], &ask, bytes);
            bytes[2] = i == 3 ? RL_DATAGRAM_VERSION + 1 : bytes[2];
            send_raw(&remote, remote.left, bytes, sizeof bytes);
        }
    send_raw(&remote, remote.left, "hello", 5);
    synchronize(&remote);
    assert_int_equal(count_of(&remote, "parameters"), 1);
    const char *metrics = get(&remote, "/metrics");
    assert_non_null(strstr(metrics, "refused_total{reason=\"parameters\"} 1\n"));
    assert_non_null(strstr(metrics, "refused_total{reason=\"protocol\"} 2\n"));
    assert_non_null(strstr(metrics, "refused_total{reason=\"key\"} 3\n"));
    assert_non_null(strstr(metrics, "refused_total{reason=\"version\"} 4\n"));
    assert_non_null(strstr(metrics, "refused_total{reason=\"form\"} 1\n"));
    assert_int_equal(count_of(&remote, "interactions"), 0);
    stop_remote(&remote);
}

/* A node that does not ask, because its clock is slow, and that tells its state. */
static const char *const QUIET[] = {"--rate", "0.000001", NULL};

static void random_and_mutated_datagrams_change_nothing(void **state)
{
    (void)state;
    struct remote remote;
    char before[64], after[64];
    const char *const options[] = {"--rate", "0.000001", "--log", in_directory("fuzzed"), NULL};
    struct rl_random random;
    rl_random_init(&random, 5, 0, RL_PURPOSE_START);
    start_remote(&remote, options);
    synchronize(&remote);
    state_of(&remote, before);
    const size_t log_before = file_size(in_directory("fuzzed"));
    const unsigned long memory_before = memory_of(remote.pid);
    const uint64_t count = amount(20000, 1000000);
    for (uint64_t i = 0; i < count; i++) {
        uint8_t bytes[64];
        const struct rl_message ask = {
            .kind = (uint8_t)(i % 4), .ticket = remote.ticket, .value = rl_random_next(&random)};
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)rl_random_next(&random);
        size_t size = rl_random_below(&random, sizeof bytes + 1);
        if (i % 2 == 0) { /* one bit of a datagram that would be taken is different */
            rl_datagram_write(&remote.seal, &ask, bytes);
            const uint32_t bit = rl_random_below(&random, 8 * RL_DATAGRAM_BYTES);
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            size = RL_DATAGRAM_BYTES;
        }
        send_raw(&remote, remote.left, bytes, size);
        if (i % 100 == 99)
            synchronize(&remote);
    }
    synchronize(&remote);
    state_of(&remote, after);
    assert_string_equal(before, after);
    assert_int_equal(count_of(&remote, "interactions"), 0);
    assert_int_equal(file_size(in_directory("fuzzed")), log_before);
    assert_true(memory_of(remote.pid) <= memory_before + 256);
    stop_remote(&remote);
}

/* All authentic questions of a long while, sent again, each at once and all in the end. */
static void recorded_datagrams_sent_again_change_nothing(void **state)
{
    (void)state;
    struct remote remote;
    char before[64], after[64];
    const uint64_t count = amount(2000, 72000); /* an hour at 20 a second */
    uint8_t(*recorded)[RL_DATAGRAM_BYTES] = malloc(count * sizeof *recorded);
    rl_state l = 0;
    start_remote(&remote, QUIET);
    synchronize(&remote);
    for (uint64_t i = 0; i < count; i++) {
        const struct rl_message ask = {.kind = RL_ASK, .ticket = remote.ticket, .value = l};
        rl_datagram_write(&remote.seal, &ask, recorded[i]);
        interact(&remote, &l);
    }
    state_of(&remote, before);
    assert_int_equal(count_of(&remote, "interactions"), count);
    for (uint64_t i = 0; i < count; i++) {
        send_raw(&remote, remote.right, recorded[i], sizeof recorded[i]);
        if (i % 50 == 49)
            synchronize(&remote);
    }
    synchronize(&remote);
    state_of(&remote, after);
    assert_string_equal(before, after);
    assert_int_equal(count_of(&remote, "interactions"), count);
    free(recorded);
    stop_remote(&remote);
}

static void memory_and_descriptors_stay_as_they_are(void **state)
{
    (void)state;
    struct remote remote;
    const char *const options[] = {"--rate", "0.000001", "--state", in_directory("flat"), NULL};
    const uint64_t count = amount(20000, 1000000);
    rl_state l = 0;
    start_remote(&remote, options);
    synchronize(&remote);
    for (uint64_t i = 0; i < count / 10; i++)
        interact(&remote, &l);
    const unsigned descriptors = descriptors_of(remote.pid);
    const unsigned long memory = memory_of(remote.pid);
    for (uint64_t i = count / 10; i < count; i++)
        interact(&remote, &l);
    assert_int_equal(count_of(&remote, "decided"), count);
    synchronize(&remote); /* that connection is closed */
    assert_int_equal(descriptors_of(remote.pid), descriptors);
    assert_true(memory_of(remote.pid) <= memory + 64);
    print_message("%llu interactions: %lu kB, then %lu kB, %u descriptors\n",
                  (unsigned long long)count, memory, memory_of(remote.pid), descriptors);
    stop_remote(&remote);
}

static void a_question_is_repeated_until_it_is_answered_and_then_taken_over(void **state)
{
    (void)state;
    struct remote remote;
    const char *const options[] = {"--rate", "1000", "--start", "3", NULL};
    start_remote(&remote, options);
    const struct rl_message first = receive(&remote, remote.right);
    assert_int_equal(first.kind, RL_ASK);
    assert_int_equal(first.value, 3 << 5);
    for (int i = 0; i < 5; i++) {
        const struct rl_message again = receive(&remote, remote.right);
        assert_memory_equal(&again, &first, sizeof first);
    }
    send_message(&remote, remote.right,
                 (struct rl_message){.kind = RL_DID, .ticket = first.ticket, .value = 5 << 5});
    struct rl_message next;
    do
        next = receive(&remote, remote.right);
    while (next.ticket == first.ticket);
    assert_int_equal(next.ticket, first.ticket + 1);
    assert_int_equal(next.value, 5 << 5);
    stop_remote(&remote);
}

/* ---- its machine -------------------------------------------------------------------------------
 */

static void stopped_and_continued_it_goes_on(void **state)
{
    (void)state;
    struct remote remote;
    rl_state l = 0;
    start_remote(&remote, QUIET);
    synchronize(&remote);
    interact(&remote, &l);
    kill(remote.pid, SIGSTOP);
    int status;
    assert_int_equal(waitpid(remote.pid, &status, WUNTRACED), remote.pid);
    assert_true(WIFSTOPPED(status));
    for (int i = 0; i < 10; i++)
        send_message(&remote, remote.left,
                     (struct rl_message){.kind = RL_ASK, .ticket = remote.ticket, .value = l});
    assert_false(can_read(remote.left, 100));
    kill(remote.pid, SIGCONT);
    const struct rl_message answer = receive(&remote, remote.left);
    assert_int_equal(answer.kind, RL_DID);
    synchronize(&remote);
    assert_int_equal(count_of(&remote, "decided"), 2); /* ten copies, one interaction */
    stop_remote(&remote);
}

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

/* Under jump.c the clock is a day ahead while a file is there. */
static void a_clock_that_jumps_does_not_matter(void **state)
{
    (void)state;
    struct remote remote;
    const char *const options[] = {"--rate", "50", NULL};
    const char *jump = getenv("JUMP_LIBRARY"), *file = in_directory("ahead");
    assert_non_null(jump);
    setenv("LD_PRELOAD", jump, 1);
    setenv("JUMP_FILE", file, 1);
    start_remote(&remote, options);
    unsetenv("LD_PRELOAD");
    for (int i = 0; i < 6; i++) { /* there, and back, three times */
        const struct rl_message ask = receive(&remote, remote.right);
        if (i % 2 == 0)
            close(open(file, O_CREAT | O_WRONLY, 0600));
        else
            unlink(file);
        /* A day without an answer, or it seems so. */
        const char *health = i % 2 == 0 ? "503 Service Unavailable" : "200 OK";
        assert_true(strstr(get(&remote, "/healthz"), health) || SANITIZED);
        send_message(&remote, remote.right,
                     (struct rl_message){.kind = RL_BUSY, .ticket = ask.ticket});
        while (receive(&remote, remote.right).ticket == ask.ticket)
            continue;
        /* The jump is one: under a sanitizer that has this function itself there is none. */
        assert_true((count_of(&remote, "seconds") > 86000) == (i % 2 == 0) || SANITIZED);
    }
    stop_remote(&remote);
}

static void a_full_disk_does_not_stop_it_and_is_told(void **state)
{
    (void)state;
    struct remote remote;
    const char *const options[] = {"--rate",  "0.000001",  "--log", "/dev/full",
                                   "--state", "/dev/full", NULL};
    rl_state l = 0;
    start_remote(&remote, options);
    synchronize(&remote);
    for (int i = 0; i < 10; i++)
        interact(&remote, &l);
    assert_int_equal(count_of(&remote, "decided"), 10);
    assert_int_equal(count_of(&remote, "unwritten"), 22); /* and where it began, in both */
    stop_remote(&remote);
}

static void a_log_that_may_not_grow_has_no_half_line(void **state)
{
    (void)state;
    struct remote remote;
    char text[256] = {0};
    const char *path = in_directory("short");
    const char *const options[] = {"--rate", "0.000001", "--log", path, "--start", "0", NULL};
    struct rlimit before;
    rl_state l = 0;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit few = {100, before.rlim_max};
    start_remote(&remote, options);
    assert_int_equal(prlimit(remote.pid, RLIMIT_FSIZE, &few, NULL), 0);
    synchronize(&remote);
    for (int i = 0; i < 10; i++)
        interact(&remote, &l);
    assert_true(count_of(&remote, "unwritten") > 0);
    assert_int_equal(prlimit(remote.pid, RLIMIT_FSIZE, &before, NULL), 0);
    stop_remote(&remote);
    const int file = open(path, O_RDONLY);
    const ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    assert_true(size > 7 && text[size - 1] == '\n');
    struct rl_entry entry;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (!rl_journal_parse(line, strlen(line), &entry))
            fail_msg("no whole line: '%s'", line);
}

/* Runs a node that is not to come up; its exit status, and what it says in `told`. */
static int fails(const char *const *options, char *told, size_t room)
{
    const char *arguments[MOST_ARGUMENTS] = {program, "node"};
    for (size_t i = 0; options[i]; i++)
        arguments[2 + i] = options[i];
    const int keep = dup(STDERR_FILENO);
    const int file = open(in_directory("told"), O_CREAT | O_RDWR | O_TRUNC, 0600);
    dup2(file, STDERR_FILENO);
    const pid_t pid = launch(arguments, NULL);
    dup2(keep, STDERR_FILENO);
    const int status = exit_status(pid);
    const ssize_t size = pread(file, told, room - 1, 0);
    told[size > 0 ? size : 0] = '\0';
    close(keep);
    close(file);
    return status;
}

static void what_cannot_work_is_told_at_once(void **state)
{
    (void)state;
    char busy[64], told[1024], readable[64];
    const int socket = free_socket(SOCK_DGRAM, busy);
    snprintf(readable, sizeof readable, "%s", in_directory("readable"));
    FILE *key = fopen(readable, "w");
    fprintf(key, "%064d\n", 0);
    fclose(key);
#define NODE(listen, left, right, ...)                                                             \
    (const char *const[])                                                                          \
    {                                                                                              \
        "--listen", listen, "--left", left, "--right", right, __VA_ARGS__, NULL                    \
    }
    const struct {
        const char *const *options;
        int status;
        const char *reason;
    } cases[] = {
        {NODE(busy, "127.0.0.1:1", "127.0.0.1:2", "-N", "8"), 3, "Address already in use"},
        {NODE("127.0.0.1:0", "no-such-host.invalid:1", "127.0.0.1:2", "-N", "8"), 3,
         "--left: 'no-such-host.invalid:1' does not resolve"},
        {NODE("127.0.0.1:0", "127.0.0.1:1", "nonsense", "-N", "8"), 2, "--right: 'nonsense' is no"},
        {NODE("0.0.0.0:0", "127.0.0.1:1", "127.0.0.1:2", "-N", "8"), 2, "loopback only"},
        {NODE("127.0.0.1:0", "127.0.0.1:1", "127.0.0.1:2", "--json"), 2, "no option '--json'"},
        {NODE("127.0.0.1:0", "127.0.0.1:1", "127.0.0.1:2", "--rate", "5"), 2, "give -N COUNT"},
        {NODE("127.0.0.1:0", "127.0.0.1:1", "127.0.0.1:2", "-N", "8", "--rate", "0"), 2, "--rate"},
        {NODE("127.0.0.1:0", "127.0.0.1:1", "127.0.0.1:2", "-N", "8", "--http", "x"), 2,
         "--http: '127.0.0.1:x' is no"},
        {NODE("127.0.0.1:0", "127.0.0.1:1", "127.0.0.1:2", "-N", "8", "--start", "9"), 2,
         "--start: line 1, column 1"},
        {NODE("127.0.0.1:0", "127.0.0.1:1", "127.0.0.1:2", "-N", "8", "-p", "fj06"), 2, "oracle"},
        {NODE("127.0.0.1:0", "127.0.0.1:1", "127.0.0.1:2", "-N", "8", "--log", "/nowhere/x"), 3,
         "--log /nowhere/x"},
        {NODE("127.0.0.1:0", "127.0.0.1:1", "127.0.0.1:2", "-N", "8", "--key", readable), 2,
         "others may read this key"},
    };
#undef NODE
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int status = fails(cases[i].options, told, sizeof told);
        if (status != cases[i].status || !strstr(told, cases[i].reason))
            fail_msg("case %zu: exit %d, not %d with '%s': %s", i, status, cases[i].status,
                     cases[i].reason, told);
    }
    close(socket);
}

/* ---- what it tells and keeps -------------------------------------------------------------------
 */

static void bad_requests_cost_nothing(void **state)
{
    (void)state;
    struct remote remote;
    static char answer[4096], huge[100000];
    int idle[16];
    start_remote(&remote, QUIET);
    const unsigned descriptors = descriptors_of(remote.pid);
    assert_non_null(strstr(get(&remote, "/healthz"), "200 OK"));
    assert_non_null(strstr(get(&remote, "/?x=1"), "application/json"));
    assert_non_null(strstr(get(&remote, "/nothing"), "404"));
    request(&remote, "POST / HTTP/1.1\r\n\r\n", 19, answer, sizeof answer);
    assert_non_null(strstr(answer, "405"));
    request(&remote, "GET nonsense\r\n\r\n", 16, answer, sizeof answer);
    assert_non_null(strstr(answer, "400"));
    memset(huge, 'A', sizeof huge);
    request(&remote, huge, sizeof huge, answer, sizeof answer);
    request(&remote, "GET / HTTP/1.1\r\n\0\0\0\r\n\r\n", 24, answer, sizeof answer);
    for (size_t i = 0; i < sizeof idle / sizeof idle[0]; i++) { /* more than it has places for */
        idle[i] = socket(AF_INET, SOCK_STREAM, 0);
        assert_int_equal(connect(idle[i], (const void *)&remote.http.socket, remote.http.size), 0);
        (void)!send(idle[i], "GET", 3, MSG_NOSIGNAL);
    }
    assert_non_null(strstr(get(&remote, "/"), "200 OK")); /* when the idle have had their time */
    synchronize(&remote);
    for (size_t i = 0; i < sizeof idle / sizeof idle[0]; i++)
        close(idle[i]);
    while (descriptors_of(remote.pid) > descriptors)
        (void)get(&remote, "/healthz");
    stop_remote(&remote);
}

/* As the right neighbour one can make a leader of it, or a follower. */
static void crown(struct remote *remote, bool leads)
{
    static uint64_t last;
    struct rl_message ask;
    do
        ask = receive(remote, remote->right);
    while (ask.ticket == last);
    last = ask.ticket;
    send_message(remote, remote->right,
                 (struct rl_message){.kind = RL_DID, .ticket = ask.ticket, .value = leads});
}

static void commands_follow_the_output_one_at_a_time(void **state)
{
    (void)state;
    struct remote remote;
    char lead[512], follow[512], log[64], text[1024] = {0};
    snprintf(log, sizeof log, "%s", in_directory("commands"));
    const char *script = "mkdir %s.lock || echo overlap >>%s; echo %s >>%s; sleep 0.02; "
                         "rmdir %s.lock";
    snprintf(lead, sizeof lead, script, log, log, "lead", log, log);
    snprintf(follow, sizeof follow, script, log, log, "follow", log, log);
    const char *const options[] = {"--rate", "500",         "--start", "0", "--on-lead",
                                   lead,     "--on-follow", follow,    NULL};
    start_remote(&remote, options);
    for (int i = 0; i < 21; i++) {
        crown(&remote, i % 2 == 0);
        expect_line(&remote, i % 2 == 0 ? "\"leads\":true" : "\"leads\":false");
    }
    while (strncmp(text + strlen(text) - (strlen(text) > 5 ? 5 : 0), "lead\n", 5) != 0) {
        const int file = open(log, O_RDONLY); /* the last command is that of the last output */
        assert_true(file < 0 || pread(file, text, sizeof text - 1, 0) >= 0);
        close(file);
        (void)poll(NULL, 0, 10);
    }
    stop_remote(&remote);
    assert_null(strstr(text, "overlap"));
    assert_null(strstr(text, "lead\nlead"));
    assert_null(strstr(text, "follow\nfollow"));
    assert_int_equal(strncmp(text, "follow\n", 7), 0);
}

static void a_state_survives_a_restart_and_may_be_anything(void **state)
{
    (void)state;
    struct remote remote;
    char before[64], after[64];
    const char *path = in_directory("state");
    const char *const options[] = {"--rate", "0.000001", "--state", path, NULL};
    rl_state l = 4 << 5;
    start_remote(&remote, options);
    synchronize(&remote);
    interact(&remote, &l);
    state_of(&remote, before);
    stop_remote(&remote);
    start_remote(&remote, options);
    state_of(&remote, after);
    stop_remote(&remote);
    assert_string_equal(before, after);
    const char *const contents[] = {"", "x", "ffffffffffffffff\n", "\377\377\377\0\0\0\1", "9999"};
    for (size_t i = 0; i < sizeof contents / sizeof contents[0]; i++) {
        FILE *stream = fopen(path, "w");
        fputs(contents[i], stream);
        fclose(stream);
        start_remote(&remote, options);
        state_of(&remote, after);
        stop_remote(&remote);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    program = argv[1];
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    if (!mkdtemp(directory))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_who_do_not_fit_are_refused_and_counted_by_reason),
        cmocka_unit_test(random_and_mutated_datagrams_change_nothing),
        cmocka_unit_test(recorded_datagrams_sent_again_change_nothing),
        cmocka_unit_test(memory_and_descriptors_stay_as_they_are),
        cmocka_unit_test(a_question_is_repeated_until_it_is_answered_and_then_taken_over),
        cmocka_unit_test(stopped_and_continued_it_goes_on),
        cmocka_unit_test(a_clock_that_jumps_does_not_matter),
        cmocka_unit_test(a_full_disk_does_not_stop_it_and_is_told),
        cmocka_unit_test(a_log_that_may_not_grow_has_no_half_line),
        cmocka_unit_test(what_cannot_work_is_told_at_once),
        cmocka_unit_test(bad_requests_cost_nothing),
        cmocka_unit_test(commands_follow_the_output_one_at_a_time),
        cmocka_unit_test(a_state_survives_a_restart_and_may_be_anything),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    return system(command) || failed;
}
