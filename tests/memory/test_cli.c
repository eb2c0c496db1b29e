/* SPDX-License-Identifier: MIT
 *
 * The commands out of memory: exit status 3 if and only if an allocation failed, and no file is
 * left behind; and out of threads. The command line is compiled into this program with its main
 * renamed.
 */
#define TEST_MAIN_BELOW
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory/failing.h"

#include "ringleader/study.h"
#include "study/inside.h"

int ringleader_main(int argc, char **argv);

static char directory[] = "/tmp/ringleader-memory-XXXXXX";

/* Runs a command in the scratch directory, its outputs thrown away. */
static int command(int argc, char **argv)
{
    fflush(stdout);
    fflush(stderr);
    const int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
    assert_non_null(freopen("/dev/null", "w", stdout));
    assert_non_null(freopen("/dev/null", "w", stderr));
    const int status = ringleader_main(argc, argv);
    fflush(stdout);
    fflush(stderr);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    close(out);
    close(err);
    return status;
}

#define COMMAND(...)                                                                               \
    command((int)(sizeof((char *[]){__VA_ARGS__}) / sizeof(char *)), (char *[]){__VA_ARGS__})

static bool there(const char *name)
{
    const bool is_there = access(name, F_OK) == 0;
    remove(name);
    return is_there;
}

/* Files in the scratch directory. */
static size_t files(void)
{
    DIR *opened = opendir(".");
    size_t count = 0;
    assert_non_null(opened);
    for (const struct dirent *entry; (entry = readdir(opened));)
        count += entry->d_name[0] != '.';
    closedir(opened);
    return count;
}

static int elect(void)
{
    const int status =
        COMMAND("ringleader", "elect", "-n", "10", "--start", "ring", "--schedule", "schedule",
                "--until", "steps=20", "--timeline", "timeline.csv", "--trace", "trace.rlt");
    assert_int_equal(there("timeline.csv"), status == 0);
    assert_int_equal(there("trace.rlt"), status == 0);
    assert_int_equal(files(), 2); /* the ring and the schedule, nothing half-written */
    return status;
}

static int elect_event(void)
{
    return COMMAND("ringleader", "elect", "-n", "50", "--fault", "10@100", "--json");
}

static int replay(void)
{
    return COMMAND("ringleader", "replay", "kept.rlt");
}

static void write_file(const char *name, const char *text)
{
    FILE *stream = fopen(name, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

TEST(elect_without_memory_fails_and_leaves_nothing_behind)
{
    write_file("ring", "0L 1 2 3 4 5 6 7 8 9");
    write_file("schedule", "(seqR 0 9)^5");
    assert_true(fail_each_allocation(elect, 3) > 8);
    assert_true(fail_each_allocation(elect_event, 3) >= 5);
}

TEST(replay_without_memory_fails)
{
    assert_int_equal(COMMAND("ringleader", "elect", "-n", "10", "--trace", "kept.rlt"), 0);
    assert_true(fail_each_allocation(replay, 3) >= 2);
}

/* ---- studies, reports, pictures, proofs ---- */

static int do_a_study(void)
{
    const int status = COMMAND("ringleader", "study", "--db", "new.db", "-n", "6,8", "--fault",
                               "1@9", "--trials", "2", "--jobs", "1", "--json");
    there("new.db");
    return status;
}

static int show_a_study(void)
{
    return COMMAND("ringleader", "study", "--status", "kept.db");
}

static int save_a_study(void)
{
    const int status = COMMAND("ringleader", "study", "--salvage", "kept.db", "--db", "new.db");
    there("new.db");
    return status;
}

static int export_a_study(void)
{
    return COMMAND("ringleader", "report", "kept.db", "kept.db", "--csv", "/dev/null");
}

static int report_a_study(void)
{
    return COMMAND("ringleader", "report", "kept.db", "-o", "pages");
}

TEST(studies_without_memory_fail)
{
    assert_int_equal(
        COMMAND("ringleader", "study", "--db", "kept.db", "-n", "4,6", "--trials", "2"), 0);
    assert_true(fail_each_allocation(do_a_study, 3) > 10);
    assert_true(fail_each_allocation(show_a_study, 3) > 3);
    assert_true(fail_each_allocation(save_a_study, 3) > 5);
    assert_true(fail_each_allocation(export_a_study, 3) > 3);
    assert_true(fail_each_allocation(report_a_study, 3) > 20);
    assert_int_equal(system("rm -r kept.db pages"), 0);
}

/* A picture is there if the command says so, and only then. */
static int drawn(const char *path, int status)
{
    assert_int_equal(there(path), status == 0);
    return status;
}

static int draw_an_election(void)
{
    return drawn("new.svg", COMMAND("ringleader", "draw", "-n", "8", "-o", "new.svg"));
}

static int draw_a_trace(void)
{
    return drawn("new.svg", COMMAND("ringleader", "draw", "kept.rlt", "-o", "new.svg"));
}

static int draw_a_ring(void)
{
    return drawn("new.svg",
                 COMMAND("ringleader", "draw", "--ring", "random", "-n", "8", "-o", "new.svg"));
}

static int draw_pixels(void)
{
    return drawn("new.png", COMMAND("ringleader", "draw", "-n", "8", "-o", "new.png"));
}

TEST(pictures_without_memory_fail_and_leave_nothing_behind)
{
    assert_int_equal(
        COMMAND("ringleader", "elect", "-n", "10", "--fault", "2@5", "--trace", "kept.rlt"), 0);
    assert_true(fail_each_allocation(draw_an_election, 3) > 5);
    assert_true(fail_each_allocation(draw_a_trace, 3) > 5);
    assert_true(fail_each_allocation(draw_a_ring, 3) > 2);
    assert_true(fail_each_allocation(draw_pixels, 3) > 5);
}

static int verify(void)
{
    return COMMAND("ringleader", "verify", "-n", "2", "--jobs", "1", "--exact", "--json");
}

static int verify_from(void)
{
    return COMMAND("ringleader", "explore", "-n", "3", "--from", "safe", "--json");
}

static int verify_from_file(void)
{
    return COMMAND("ringleader", "explore", "-n", "3", "--from", "ring");
}

static int check_certificate(void)
{
    return COMMAND("ringleader", "prove", "--check", "certificate");
}

static int reach(void)
{
    return COMMAND("ringleader", "explore", "-n", "3", "--from", "leaderless", "--reaches", "S_RL");
}

static int distribute(void)
{
    const int status = COMMAND("ringleader", "verify", "-n", "2", "--jobs", "1", "--start", "safe",
                               "--distribution", "new.csv");
    assert_int_equal(there("new.csv"), status == 0);
    return status;
}

TEST(verifications_without_memory_fail)
{
    assert_true(fail_each_allocation(verify, 3) > 50);
    assert_true(fail_each_allocation(verify_from, 3) > 5);
    write_file("ring", "0Ls 1 2");
    assert_true(fail_each_allocation(verify_from_file, 3) > 5);
    assert_true(fail_each_allocation(reach, 3) > 5);
    assert_true(fail_each_allocation(distribute, 3) > 5);
    assert_int_equal(COMMAND("ringleader", "prove", "-p", "fj06", "--sweeps", "1", "--certificate",
                             "certificate"),
                     1);
    assert_true(fail_each_allocation(check_certificate, 3) > 20);
    remove("certificate");
}

/* ---- rings ---- */

/* Nothing happens in it, so that it asks for the same each time. */
static int hold_a_ring(void)
{
    return COMMAND("ringleader", "ring", "-n", "2", "--start", "safe", "--rate", "0.001", "--hold",
                   "0.01");
}

static int check_logs(void)
{
    return COMMAND("ringleader", "ring", "--check", "-N", "2", "log", "log");
}

TEST(rings_without_memory_fail)
{
    write_file("log", "boot 0\n");
    assert_true(fail_each_allocation(hold_a_ring, 3) > 8);
    assert_true(fail_each_allocation(check_logs, 3) > 8);
    remove("log");
}

/* ---- protocols of one's own ---- */

/* What is loaded stays to the end of a program, so this is one of its own. The so-manieth
 * allocation fails, unless that is 0. */
static int study_own(size_t failing)
{
    int ended;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        memory.asked = 0;
        memory.failing = failing;
        memory.counting = getpid();
        _exit(COMMAND("ringleader", "study", "--db", "own.db", "-p", "mine.c", "-n", "2",
                      "--trials", "1", "--jobs", "1"));
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    there("own.db");
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
}

TEST(a_protocol_from_a_file_without_memory_fails)
{
    setenv("XDG_CACHE_HOME", directory, 1);
    assert_int_equal(COMMAND("ringleader", "new", "mine"), 0);
    assert_int_equal(study_own(0), 0);
    /* Those for the file and for what is made of it are among the first. */
    for (size_t failing = 1; failing <= 25; failing++)
        if (study_own(failing) != 3)
            fail_msg("allocation %zu failed and was not told", failing);
}

TEST(too_many_protocols_from_files_are_refused)
{
    int ended;
    const pid_t child = fork();
    if (child == 0) {
        static struct rl_protocol others[16];
        static char names[16][8];
        for (size_t i = 0; i < 16; i++) {
            others[i] = *rl_protocol_named("prl");
            snprintf(names[i], sizeof names[i], "prl%zu", i);
            others[i].name = names[i];
            (void)rl_protocol_add(&others[i]);
        }
        _exit(COMMAND("ringleader", "protocols", "mine.c"));
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) == 2);
    assert_true(there("mine.c"));
    assert_int_equal(system("rm -r ringleader"), 0); /* the cache */
}

/* ---- threads ---- */

static unsigned threads_left = 1000;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*begin)(void *), void *user);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*begin)(void *), void *user);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*begin)(void *), void *user)
{
    if (threads_left == 0)
        return EAGAIN;
    threads_left--;
    return __real_pthread_create(thread, attributes, begin, user);
}

TEST(a_study_that_gets_no_thread_says_so_and_one_that_gets_few_is_done)
{
    for (unsigned threads = 0; threads < 3; threads++) {
        threads_left = threads;
        assert_int_equal(COMMAND("ringleader", "study", "--db", "threads.db", "-n", "8", "--trials",
                                 "20", "--jobs", "3"),
                         threads > 0 ? 0 : 3);
        assert_true(there("threads.db"));
    }
    struct rl_crew crew;
    struct rl_plan plan = {0};
    assert_int_equal(rl_crew_threads(&crew, &plan, 2), RL_NO_THREAD);
    threads_left = 1000;
}

TEST(a_verification_does_without_threads)
{
    threads_left = 0;
    assert_int_equal(COMMAND("ringleader", "verify", "-n", "2", "--jobs", "4", "--json"), 0);
    threads_left = 1000;
}

int main(void)
{
    if (!mkdtemp(directory) || chdir(directory))
        return 2;
    const int failed = test_all(NULL, NULL);
    remove("ring");
    remove("schedule");
    remove("kept.rlt");
    return chdir("/") || rmdir(directory) || failed;
}
