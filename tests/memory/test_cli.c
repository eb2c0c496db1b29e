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

/* Runs a command, words apart by spaces, in the scratch directory, its outputs thrown away. */
static int command(const char *words)
{
    char text[200], *argv[40] = {"ringleader"};
    int argc = 1;
    snprintf(text, sizeof text, "%s", words);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
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
    const int status = command("elect -n 10 --start ring --schedule schedule --until steps=20 "
                               "--timeline timeline.csv --trace trace.rlt");
    assert_int_equal(there("timeline.csv"), status == 0);
    assert_int_equal(there("trace.rlt"), status == 0);
    assert_int_equal(files(), 2); /* the ring and the schedule, nothing half-written */
    return status;
}

static const char *asked, *makes;

static int ask(void)
{
    const int status = command(asked);
    if (makes)
        assert_int_equal(there(makes), status == 0);
    there("new.db");
    return status;
}

/* The command without memory, as often as it asks for some, which is that often at least. The file
 * that it makes, if any, is there if the command says so, and only then. */
static void fail_each(const char *words, const char *made, size_t least)
{
    asked = words;
    makes = made;
    assert_true(fail_each_allocation_of(words, ask, 3) >= least);
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
    fail_each("elect -n 50 --fault 10@100 --json", NULL, 5);
}

TEST(replay_without_memory_fails)
{
    assert_int_equal(command("elect -n 10 --trace kept.rlt"), 0);
    fail_each("replay kept.rlt", NULL, 2);
}

/* ---- studies, reports, pictures, proofs ---- */

TEST(studies_without_memory_fail)
{
    assert_int_equal(command("study --db kept.db -n 4,6 --curve leaders --trials 2"), 0);
    fail_each("study --db new.db -n 6,8 --fault 1@9 --trials 2 --jobs 1 --json", NULL, 11);
    fail_each("study --status kept.db", NULL, 4);
    fail_each("study --salvage kept.db --db new.db", NULL, 6);
    fail_each("report kept.db kept.db --csv /dev/null", NULL, 4);
    fail_each("report kept.db -o pages", NULL, 21);
    assert_int_equal(system("rm -r kept.db pages"), 0);
}

TEST(pictures_without_memory_fail_and_leave_nothing_behind)
{
    assert_int_equal(command("elect -n 10 --fault 2@5 --trace kept.rlt"), 0);
    fail_each("draw -n 8 -o new.svg", "new.svg", 6);
    fail_each("draw kept.rlt -o new.svg", "new.svg", 6);
    fail_each("draw --ring random -n 8 -o new.svg", "new.svg", 3);
    fail_each("draw -n 8 -o new.png", "new.png", 6);
}

TEST(verifications_without_memory_fail)
{
    fail_each("verify -n 2 --jobs 1 --exact --json", NULL, 51);
    fail_each("explore -n 3 --from safe --json", NULL, 6);
    write_file("ring", "0Ls 1 2");
    fail_each("explore -n 3 --from ring", NULL, 6);
    fail_each("explore -n 3 --from leaderless --reaches S_RL", NULL, 6);
    fail_each("verify -n 2 --jobs 1 --start safe --distribution new.csv", "new.csv", 6);
    assert_int_equal(command("prove -p fj06 --sweeps 1 --certificate certificate"), 1);
    fail_each("prove --check certificate", NULL, 21);
    remove("certificate");
}

/* ---- rings ---- */

TEST(rings_without_memory_fail)
{
    write_file("log", "boot 0\n");
    /* Nothing happens in it, so that it asks for the same each time. */
    fail_each("ring -n 2 --start safe --rate 0.001 --hold 0.01", NULL, 9);
    fail_each("ring --check -N 2 log log", NULL, 9);
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
        _exit(command("study --db own.db -p mine.c -n 2 --trials 1 --jobs 1"));
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    there("own.db");
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
}

TEST(a_protocol_from_a_file_without_memory_fails)
{
    setenv("XDG_CACHE_HOME", directory, 1);
    assert_int_equal(command("new mine"), 0);
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
        _exit(command("protocols mine.c"));
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
        assert_int_equal(command("study --db threads.db -n 8 --trials 20 --jobs 3"),
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
    assert_int_equal(command("verify -n 2 --jobs 4 --json"), 0);
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
