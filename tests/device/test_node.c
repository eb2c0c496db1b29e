/* SPDX-License-Identifier: MIT
 *
 * A node among friends and enemies: what comes over the wire, what its disk, its clock and its
 * machine do to it, and what it tells about itself.
 */
#define TEST_MAIN_BELOW
#include "device/remote.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/un.h>
#include <time.h>

#include "net/journal.h"

static const uint8_t KEY[RL_KEY_BYTES] = {9};

/* ---- over the wire ---- */

TEST(those_who_do_not_fit_are_refused_and_counted_by_reason)
{
    FREED(remote) remote = started(NULL);
    synchronize(&remote);
    assert_int_equal(count_of("rate"), 20); /* what it is if nobody says */
    struct rl_seal seals[4];
    struct rl_rules other = remote.rules;
    other.params.value[0] = N + 1;
    seals[0] = rl_datagram_seal(&other, NULL, "c", "a", "b");
    other = remote.rules;
    other.protocol = rl_protocol_named("prl-dummy");
    seals[1] = rl_datagram_seal(&other, NULL, "c", "a", "b");
    seals[2] = rl_datagram_seal(&remote.rules, KEY, "c", "a", "b");
    seals[3] = remote.seal;
    for (int i = 0; i < 4; i++)
        for (int times = 0; times <= i; times++) {
            const struct rl_message ask = {.kind = RL_ASK, .ticket = remote.ticket};
            uint8_t bytes[RL_DATAGRAM_BYTES];
            rl_datagram_write(&seals[i], &ask, 0, bytes);
            bytes[2] = i == 3 ? RL_DATAGRAM_VERSION + 1 : bytes[2];
            send_raw(&remote, remote.left, bytes, sizeof bytes);
        }
    send_raw(&remote, remote.left, "hello", 5);
    synchronize(&remote);
    assert_int_equal(count_of("parameters"), 1);
    const char *metrics = get("metrics.prom");
    assert_non_null(strstr(metrics, "refused_total{node=\"b\",reason=\"parameters\"} 1\n"));
    assert_non_null(strstr(metrics, "refused_total{node=\"b\",reason=\"protocol\"} 2\n"));
    assert_non_null(strstr(metrics, "refused_total{node=\"b\",reason=\"key\"} 3\n"));
    assert_non_null(strstr(metrics, "refused_total{node=\"b\",reason=\"version\"} 4\n"));
    assert_non_null(strstr(metrics, "refused_total{node=\"b\",reason=\"form\"} 1\n"));
    assert_int_equal(count_of("interactions"), 0);
}

/* A node that does not ask, because its clock is slow, and that tells its state. */
static const char *const QUIET[] = {"--rate", "0.000001", NULL};

TEST(random_and_mutated_datagrams_change_nothing)
{
    char before[64], after[64];
    const char *const options[] = {"--rate", "0.000001", "--log", "fuzzed", NULL};
    struct rl_random random = test_random(5, 0, RL_PURPOSE_START);
    FREED(remote) remote = started(options);
    synchronize(&remote);
    state_of(before);
    const size_t log_before = file_size("fuzzed");
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
            rl_datagram_write(&remote.seal, &ask, 0, bytes);
            const uint32_t bit = rl_random_below(&random, 8 * RL_DATAGRAM_BYTES);
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            size = RL_DATAGRAM_BYTES;
        }
        send_raw(&remote, remote.left, bytes, size);
        if (i % 100 == 99)
            synchronize(&remote);
    }
    synchronize(&remote);
    state_of(after);
    assert_string_equal(before, after);
    assert_int_equal(count_of("interactions"), 0);
    assert_int_equal(file_size("fuzzed"), log_before);
    assert_true(SANITIZED || memory_of(remote.pid) <= memory_before + 256);
}

/* All authentic questions of a long while, sent again, each at once and all in the end. */
TEST(recorded_datagrams_sent_again_change_nothing)
{
    char before[64], after[64];
    const uint64_t count = amount(2000, 72000); /* an hour at 20 a second */
    uint8_t(*recorded)[RL_DATAGRAM_BYTES] = malloc(count * sizeof *recorded);
    rl_state l = 0;
    FREED(remote) remote = started(QUIET);
    synchronize(&remote);
    for (uint64_t i = 0; i < count; i++) {
        const struct rl_message ask = {.kind = RL_ASK, .ticket = remote.ticket, .value = l};
        rl_datagram_write(&remote.seal, &ask, 0, recorded[i]);
        interact(&remote, &l);
    }
    state_of(before);
    assert_int_equal(count_of("interactions"), count);
    for (uint64_t i = 0; i < count; i++) {
        send_raw(&remote, remote.right, recorded[i], sizeof recorded[i]);
        if (i % 50 == 49)
            synchronize(&remote);
    }
    synchronize(&remote);
    state_of(after);
    assert_string_equal(before, after);
    assert_int_equal(count_of("interactions"), count);
    free(recorded);
}

TEST(memory_and_descriptors_stay_as_they_are)
{
    const char *const options[] = {"--rate", "0.000001", "--state", "flat", NULL};
    const uint64_t count = amount(20000, 1000000);
    rl_state l = 0;
    FREED(remote) remote = started(options);
    synchronize(&remote);
    for (uint64_t i = 0; i < count / 10; i++)
        interact(&remote, &l);
    const unsigned descriptors = descriptors_of(remote.pid);
    const unsigned long memory = memory_of(remote.pid);
    for (uint64_t i = count / 10; i < count; i++)
        interact(&remote, &l);
    assert_int_equal(count_of("decided"), count);
    synchronize(&remote); /* that connection is closed */
    assert_int_equal(descriptors_of(remote.pid), descriptors);
    assert_true(SANITIZED || memory_of(remote.pid) <= memory + 64);
    print_message("%llu interactions: %lu kB, then %lu kB, %u descriptors\n",
                  (unsigned long long)count, memory, memory_of(remote.pid), descriptors);
}

TEST(a_question_is_repeated_until_it_is_answered_and_then_taken_over)
{
    const char *const options[] = {"--rate", "1000", "--start", "3", NULL};
    FREED(remote) remote = started(options);
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
}

/* ---- its machine ---- */

TEST(stopped_and_continued_it_goes_on)
{
    rl_state l = 0;
    FREED(remote) remote = started(QUIET);
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
    assert_int_equal(count_of("decided"), 2); /* ten copies, one interaction */
}

/* What is started from now on is under jump.c. Its path may have spaces, which divide names in
 * LD_PRELOAD. */
static void preload(void)
{
    const char *library = getenv("JUMP_LIBRARY"), *path = "./jump.so";
    assert_non_null(library);
    assert_true(symlink(library, path) == 0 || errno == EEXIST);
    setenv("LD_PRELOAD", path, 1);
}

/* What its status has sooner or later; not under a sanitizer that has those functions itself. */
static void await(const char *part)
{
    for (int i = 0; i < 1000 && !SANITIZED; i++)
        if (strstr(get("status.json"), part))
            return;
    assert_true(SANITIZED);
}

/* Under jump.c the clock is a day ahead while a file is there. */
TEST(a_clock_that_jumps_does_not_matter)
{
    const char *const options[] = {"--rate", "50", NULL};
    const char *file = "ahead";
    preload();
    setenv("JUMP_FILE", file, 1);
    FREED(remote) remote = started(options);
    unsetenv("LD_PRELOAD");
    for (int i = 0; i < 6; i++) { /* there, and back, three times */
        const struct rl_message ask = receive(&remote, remote.right);
        if (i % 2 == 0)
            close(open(file, O_CREAT | O_WRONLY, 0600));
        else
            unlink(file);
        /* A day without an answer, or it seems so. */
        await(i % 2 == 0 ? "\"well\":false" : "\"well\":true");
        send_message(&remote, remote.right,
                     (struct rl_message){.kind = RL_BUSY, .ticket = ask.ticket});
        while (receive(&remote, remote.right).ticket == ask.ticket)
            continue;
    }
}

TEST(a_full_disk_does_not_stop_it_and_is_told)
{
    const char *const options[] = {"--rate",  "0.000001",  "--log", "/dev/full",
                                   "--state", "/dev/full", NULL};
    rl_state l = 0;
    FREED(remote) remote = started(options);
    synchronize(&remote);
    for (int i = 0; i < 10; i++)
        interact(&remote, &l);
    assert_int_equal(count_of("decided"), 10);
    assert_int_equal(count_of("unwritten"), 22); /* and where it began, in both */
}

TEST(a_log_that_may_not_grow_has_no_half_line)
{
    char text[8192] = {0};
    const char *path = "short";
    const char *const options[] = {"--rate", "0.000001", "--log", path, "--start", "0", NULL};
    struct rlimit before;
    rl_state l = 0;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit few = {4096, before.rlim_max}; /* a status is shorter */
    struct remote remote = started(options);
    assert_int_equal(prlimit(remote.pid, RLIMIT_FSIZE, &few, NULL), 0);
    synchronize(&remote);
    for (int i = 0; i < 200; i++)
        interact(&remote, &l);
    assert_true(count_of("unwritten") > 0);
    assert_int_equal(prlimit(remote.pid, RLIMIT_FSIZE, &before, NULL), 0);
    remote_free(&remote);
    const int file = open(path, O_RDONLY);
    const ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    assert_true(size > 7 && text[size - 1] == '\n');
    struct rl_entry entry;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (!rl_journal_parse(line, strlen(line), &entry))
            fail_msg("no whole line: '%s'", line);
}

/* Runs a node that is not to come up, on its own addresses unless the words have some: it ends with
 * this status, and says this. */
static void assert_fails(const char *words, int status, const char *reason)
{
    const char *arguments[MOST_ARGUMENTS] = {program, "node"};
    char text[300], told[1024] = "";
    size_t count = 2;
    snprintf(text, sizeof text, "%s %s",
             strstr(words, "--left") ? "" : "--left 127.0.0.1:1 --right 127.0.0.1:2", words);
    if (!strstr(words, "--listen"))
        strcat(text, " --listen 127.0.0.1:0");
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        arguments[count++] = word;
    const int keep = dup(STDERR_FILENO);
    const int file = open("told", O_CREAT | O_RDWR | O_TRUNC, 0600);
    dup2(file, STDERR_FILENO);
    const pid_t pid = launch(arguments, NULL);
    dup2(keep, STDERR_FILENO);
    const int found = exit_status(pid);
    (void)!pread(file, told, sizeof told - 1, 0);
    close(keep);
    close(file);
    if (found != status || !strstr(told, reason))
        fail_msg("%s: exit %d, not %d with '%s': %s", words, found, status, reason, told);
}

/* A key of zeros in a file of that mode. */
static void write_key(const char *name, mode_t mode)
{
    FILE *key = fopen(name, "w");
    fprintf(key, "%064d\n", 0);
    fclose(key);
    assert_int_equal(chmod(name, mode), 0);
}

TEST(what_cannot_work_is_told_at_once)
{
    char busy[64], words[100];
    const int socket = free_socket(busy);
    snprintf(words, sizeof words, "--listen %s -N 8", busy);
    assert_fails(words, 3, "Address already in use");
    close(socket);
    write_key("readable", 0644);
    write_key("zeros", 0600);
    static const struct {
        const char *words;
        int status;
        const char *reason;
    } cases[] = {
        {"-N 8 --left no-such-host.invalid:1 --right 127.0.0.1:2", 3,
         "--left: 'no-such-host.invalid:1' does not resolve"},
        {"-N 8 --left 127.0.0.1:1 --right nonsense", 2, "--right: 'nonsense' is no"},
        {"-N 8 --listen 0.0.0.0:0", 2, "loopback only"},
        {"--json", 2, "no option '--json'"},
        {"--rate 5", 2, "give -N COUNT"},
        {"-N 8 --rate 0", 2, "--rate"},
        {"-N 8 --start 9", 2, "--start: line 1, column 1"},
        {"-N 8 -p fj06", 2, "oracle"},
        {"-N 8 --log /nowhere/x", 3, "--log /nowhere/x"},
        {"-N 8 --left a@127.0.0.1:1 --right c@127.0.0.1:2 --name b --key readable", 2,
         "others may read this key"},
        {"-N 8 --left a@127.0.0.1:1 --right c@127.0.0.1:2 --name b --key zeros", 2,
         "a key of zeros protects nothing"},
        {"-N 8 --left a@127.0.0.1:1 --right c@127.0.0.1:2 --key zeros", 2,
         "with a key, a node needs a name"},
        {"-N 8 --left a@127.0.0.1:1 --right 127.0.0.1:2 --name b --key zeros", 2,
         "with a key, neighbours need names: --right NAME@HOST:PORT"},
        {"-N 8 --left b@127.0.0.1:1 --right c@127.0.0.1:2 --name b", 2,
         "--left b@127.0.0.1:1: this node has the same name"},
        {"-N 8 --left a,b@127.0.0.1:1 --right c@127.0.0.1:2", 2,
         "--left a,b@127.0.0.1:1: a name has letters"},
        {"-N 8 --left a@[::1]:1 --right c@127.0.0.1:2", 2, "no IPv4 address"},
        {"-N 8 --status -", 2, "need a file that can be replaced"},
        {"-N 8 --status /nowhere/x", 3, "/nowhere/x cannot be written"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_fails(cases[i].words, cases[i].status, cases[i].reason);
}

/* ---- what it tells and keeps ---- */

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

static void read_text(const char *path, char *text, size_t room)
{
    const int file = open(path, O_RDONLY);
    const ssize_t size = file < 0 ? 0 : read(file, text, room - 1);
    text[size > 0 ? size : 0] = '\0';
    if (file >= 0)
        close(file);
}

static bool ends_with(const char *text, const char *end)
{
    return strlen(text) >= strlen(end) && strcmp(text + strlen(text) - strlen(end), end) == 0;
}

/* Waits until a file ends so. */
static void await_text(const char *path, char *text, size_t room, const char *end)
{
    int tries = 0;
    do {
        (void)poll(NULL, 0, 10);
        read_text(path, text, room);
    } while (!ends_with(text, end) && tries++ < PATIENCE / 10);
    assert_true(ends_with(text, end));
}

TEST(commands_follow_the_output_one_at_a_time)
{
    char text[1024];
#define SCRIPT(word)                                                                               \
    "mkdir lock || echo overlap >>commands; echo " word " >>commands; sleep 0.02; rmdir lock"
    const char *const options[] = {"--rate",    "500",          "--start",     "0",
                                   "--on-lead", SCRIPT("lead"), "--on-follow", SCRIPT("follow"),
                                   NULL};
    struct remote remote = started(options);
    for (int i = 0; i < 21; i++) {
        crown(&remote, i % 2 == 0);
        expect_line(&remote, i % 2 == 0 ? "\"leads\":true" : "\"leads\":false");
    }
    /* The last command is that of the last output. */
    await_text("commands", text, sizeof text, "lead\n");
    remote_free(&remote);
    assert_null(strstr(text, "overlap"));
    assert_null(strstr(text, "lead\nlead"));
    assert_null(strstr(text, "follow\nfollow"));
    assert_int_equal(strncmp(text, "follow\n", 7), 0);
}

/* No process can be had, then the command is not there; at last it is run, and once. */
TEST(a_command_that_could_not_be_started_is_tried_again)
{
    char text[64];
    const char *none = "no-process";
    const char *const options[] = {"--rate",    "0.000001",
                                   "--start",   "L",
                                   "--on-lead", "test -e there || exit 127; echo led >>led",
                                   NULL};
    if (SANITIZED)
        skip(); /* a shell cannot be under a sanitized jump.c */
    preload();
    setenv("SPAWN_FILE", none, 1);
    close(open(none, O_CREAT | O_WRONLY, 0600));
    struct remote remote = started(options);
    unsetenv("LD_PRELOAD");
    while (count_of("unstarted") < 2)
        continue;
    unlink(none);
    const uint64_t before = count_of("unstarted");
    while (count_of("unstarted") < before + 2)
        continue;
    close(open("there", O_CREAT | O_WRONLY, 0600));
    await_text("led", text, sizeof text, "led\n");
    const uint64_t after = count_of("unstarted");
    assert_int_equal(count_of("unstarted"), after);
    remote_free(&remote);
    read_text("led", text, sizeof text);
    assert_string_equal(text, "led\n");
}

/* A broadcast address takes nothing from a plain socket. */
TEST(what_cannot_be_sent_is_counted_as_that)
{
    const char *const options[] = {"--rate", "50", NULL};
    elsewhere = "127.255.255.255:9";
    FREED(remote) remote = started(options);
    elsewhere = NULL;
    while (count_of("unsent") < 10)
        continue;
    assert_int_equal(count_of("sent"), 0);
}

TEST(a_second_node_does_not_get_the_files_of_the_first)
{
    const char *const options[] = {"--rate",  "0.000001",  "--log", "one.log",
                                   "--state", "one.state", NULL};
    struct remote remote = started(options);
    assert_fails("-N 8 --log one.log", 3, "one.log: another node uses this file");
    assert_fails("-N 8 --state one.state", 3, "one.state: another node uses this file");
    remote_free(&remote);
    remote = started(options); /* a node that has ended has no lock */
    remote_free(&remote);
}

/* ---- status ---- */

TEST(its_status_is_whole_current_and_gone_at_its_end)
{
    const char *const options[] = {"--rate", "500", "--start", "0", NULL};
    struct remote remote = started(options);
    for (int i = 0; i < 20; i++) {
        crown(&remote, i % 2 == 0);
        expect_line(&remote, i % 2 == 0 ? "\"leads\":true" : "\"leads\":false");
        /* What the line says the files have said before. */
        char text[RL_DATAGRAM_BYTES * 400];
        read_text("status.json", text, sizeof text);
        assert_non_null(strstr(text, i % 2 == 0 ? "\"leads\":true" : "\"leads\":false"));
        assert_true(text[0] == '{' && ends_with(text, "}\n"));
        read_text("metrics.prom", text, sizeof text);
        assert_non_null(strstr(text, i % 2 == 0 ? "\nringleader_leader{node=\"b\"} 1\n"
                                                : "\nringleader_leader{node=\"b\"} 0\n"));
    }
    const char *metrics = get("metrics.prom");
    for (const char *line = metrics; *line; line = strchr(line, '\n') + 1) {
        double value;
        char name[64];
        if (strncmp(line, "# HELP ringleader_", 18) != 0 &&
            strncmp(line, "# TYPE ringleader_", 18) != 0 &&
            sscanf(line, "ringleader_%63[a-z_]{node=\"b\"%*[^}]} %lf", name, &value) != 2 &&
            sscanf(line, "ringleader_%63[a-z_]{node=\"b\"} %lf", name, &value) != 2)
            fail_msg("no line for Prometheus: %.60s", line);
    }
    remote_free(&remote);
    assert_int_equal(access("status.json", F_OK), -1);
    assert_int_equal(access("metrics.prom", F_OK), -1);
}

/* The next thing that is said to systemd's socket. */
static void expect_notice(int systemd, const char *part)
{
    char text[512];
    for (int i = 0; i < 1000; i++) {
        assert_true(can_read(systemd, PATIENCE));
        const ssize_t size = recv(systemd, text, sizeof text - 1, 0);
        assert_true(size > 0);
        text[size] = '\0';
        if (strstr(text, part))
            return;
    }
    fail_msg("'%s' was not said; the last was %s", part, text);
}

TEST(systemd_is_told_that_it_runs_leads_and_stops)
{
    struct remote remote;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *const options[] = {"--rate", "500", "--start", "0", NULL};
    for (int i = 0; i < 2; i++) { /* a name that is no file, and one that is */
        const int named = socket(AF_UNIX, SOCK_DGRAM, 0);
        char name[sizeof address.sun_path];
        snprintf(name, sizeof name, "%s%s/systemd", i == 0 ? "@" : "", directory);
        memset(address.sun_path, 0, sizeof address.sun_path);
        memcpy(address.sun_path, name, strlen(name));
        address.sun_path[0] = i == 0 ? '\0' : address.sun_path[0];
        const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
        assert_int_equal(bind(named, (const void *)&address, size), 0);
        setenv("NOTIFY_SOCKET", name, 1);
        remote = started(options);
        expect_notice(named, "READY=1\nWATCHDOG=1\nSTATUS=follows\n");
        const time_t began = time(NULL); /* a hundred times a second; nobody asked for it: once */
        for (int k = 0; k < 50; k++)
            expect_notice(named, "WATCHDOG=1\n");
        assert_true(time(NULL) - began < 25);
        crown(&remote, true);
        expect_notice(named, "WATCHDOG=1\nSTATUS=leads\n");
        remote_free(&remote);
        expect_notice(named, "STOPPING=1\n");
        close(named);
    }
    unsetenv("NOTIFY_SOCKET");
}

TEST(a_state_survives_a_restart_and_may_be_anything)
{
    struct remote remote;
    char before[64], after[64];
    const char *path = "state";
    const char *const options[] = {"--rate", "0.000001", "--state", path, NULL};
    rl_state l = 4 << 5;
    remote = started(options);
    synchronize(&remote);
    interact(&remote, &l);
    state_of(before);
    remote_free(&remote);
    remote = started(options);
    state_of(after);
    remote_free(&remote);
    assert_string_equal(before, after);
    const char *const contents[] = {"", "x", "ffffffffffffffff\n", "\377\377\377\0\0\0\1", "9999"};
    for (size_t i = 0; i < sizeof contents / sizeof contents[0]; i++) {
        FILE *stream = fopen(path, "w");
        fputs(contents[i], stream);
        fclose(stream);
        remote = started(options);
        state_of(after);
        remote_free(&remote);
    }
}

/* A test that goes on for ever is ended. */
static int set_alarm(void **state)
{
    (void)state;
    alarm((unsigned)amount(4, 60) * PATIENCE / 1000);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    program = realpath(argv[1], NULL);
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    if (!program || !mkdtemp(directory) || chdir(directory))
        return 1;
    const int failed = test_all(set_alarm, NULL);
    free(program);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    return system(command) || failed;
}
