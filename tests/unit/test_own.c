/* SPDX-License-Identifier: MIT
 *
 * Protocols of one's own as a program with the shared library loads them: test_own EXAMPLES.
 * tests/own has what the command line says of all kinds of files.
 */
#define TEST_MAIN_BELOW
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "test.h"

static const char *examples;
static char scratch[] = "/tmp/test_own.XXXXXX";

static const char *in_scratch(const char *name)
{
    static char memory[4][200];
    static unsigned at;
    char *path = memory[at++ % 4];
    snprintf(path, sizeof memory[0], "%s/%s", scratch, name);
    return path;
}

static const char *example(const char *name)
{
    static char path[4200];
    snprintf(path, sizeof path, "%s/%s", examples, name);
    return path;
}

static void write_text(const char *name, const char *text)
{
    FILE *stream = fopen(in_scratch(name), "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

/* Two leaders meet, and the one that the included line says is none any more. */
static void write_protocol(const char *name, const char *line)
{
    char text[500];
    snprintf(text, sizeof text,
             "#define VARIABLES(NUMBER, SYMBOLS) SYMBOLS(leader, \"\", \"L\")\n"
             "#include \"ringleader/agent.h\"\n"
             "static inline void meet(struct world world, struct agent *l, struct agent *r)\n"
             "{\n    %s\n}\n"
             "static inline bool leads(struct agent agent) { return agent.leader; }\n",
             line);
    write_text(name, text);
}

static struct rl_own_tools tools(void)
{
    static char cache[200];
    snprintf(cache, sizeof cache, "%s/cache", scratch);
    return (struct rl_own_tools){.cache = cache, .temporary = scratch};
}

static struct rl_error error; /* the last one */

static enum rl_status load(struct rl_own *own, const char *path)
{
    const struct rl_own_tools with = tools();
    error = (struct rl_error){0};
    return rl_own_load(own, path, &with, &error);
}

TEST(a_file_is_a_protocol_like_any_other)
{
    FREED(rl_own) own;
    assert_int_equal(load(&own, example("relay.c")), RL_OK);
    assert_string_equal(own.protocol->name, "relay");
    assert_null(rl_protocol_named("relay"));
    assert_null(own.messages);
    const struct rl_experiment options = {.protocol = own.protocol,
                                          .params = rl_protocol_usual(own.protocol, 20),
                                          .start = "leaderless",
                                          .end.max_steps = RL_NEVER,
                                          .end.kind = RL_UNTIL_SETTLED,
                                          .end.steps = 1000};
    FREED(rl_run) run;
    assert_int_equal(rl_run_init(&run, &options, &error), RL_OK);
    test_finish(&run);
    assert_int_equal(run.state, RL_REACHED);
    assert_int_equal(rl_ring_leaders(&run.ring), 1);
}

TEST(the_same_file_loaded_again_is_the_same_object)
{
    struct rl_own first, second;
    assert_int_equal(load(&first, example("loose.c")), RL_OK);
    assert_int_equal(load(&second, example("loose.c")), RL_OK);
    /* The code is the one object's; the declarations are two. */
    assert_ptr_equal(first.protocol->interact, second.protocol->interact);
    assert_ptr_not_equal(first.protocol, second.protocol);
    rl_own_free(&first);
    /* The second stands by itself. */
    assert_int_equal(second.protocol->leads(0), false);
    rl_own_free(&second);
    rl_own_free(&second);
}

TEST(one_in_the_list_may_be_loaded_again_but_not_another_of_its_name)
{
    static struct rl_own listed;
    struct rl_own again;
    write_protocol("twice.c", "if (l->leader && r->leader) r->leader = 0;");
    assert_int_equal(load(&listed, in_scratch("twice.c")), RL_OK);
    assert_true(rl_protocol_add(listed.protocol));
    assert_int_equal(load(&again, in_scratch("twice.c")), RL_OK);
    rl_own_free(&again);
    write_protocol("twice.c", "if (l->leader && r->leader) l->leader = 0;");
    assert_int_equal(load(&again, in_scratch("twice.c")), RL_BAD_PROTOCOL);
    assert_non_null(strstr(error.text, "another protocol is already called twice"));
    rl_own_free(&again);
}

TEST(what_the_compiler_says_comes_back_as_text)
{
    FREED(rl_own) own;
    write_protocol("wrong.c", "r->crown = 0;");
    assert_int_equal(load(&own, in_scratch("wrong.c")), RL_BAD_PROTOCOL);
    assert_non_null(strstr(own.messages, "wrong.c:5:"));
    assert_non_null(strstr(own.messages, "crown"));
    assert_non_null(strstr(error.text, "does not compile"));
}

TEST(what_is_outside_is_told_apart_from_what_is_wrong)
{
    struct rl_own_tools with = tools();
    struct rl_own own;
    with.compiler = "/nowhere/cc -O1";
    assert_int_equal(rl_own_load(&own, example("relay.c"), &with, &error), RL_IO);
    assert_non_null(strstr(error.text, "no C compiler: '/nowhere/cc' cannot be run"));
    rl_own_free(&own);
    with = (struct rl_own_tools){.cache = "/proc/nothing", .temporary = "/proc/nothing"};
    assert_int_equal(rl_own_load(&own, example("relay.c"), &with, &error), RL_IO);
    assert_non_null(strstr(error.text, "there is no place to compile"));
    rl_own_free(&own);
    assert_int_equal(load(&own, in_scratch("nothing.c")), RL_BAD_PROTOCOL);
    rl_own_free(&own);
}

static int shell(const char *command)
{
    char whole[300];
    snprintf(whole, sizeof whole, "cd %s && %s", scratch, command);
    return system(whole);
}

TEST(what_is_damaged_in_the_cache_is_made_anew)
{
    struct rl_own own;
    static const char *const damages[] = {
        "rm $so && echo nonsense >$so",                      /* no object at all */
        "cp $so cut && rm $so && head -c 9000 cut >$so",     /* not all of it */
        "rm $so && echo 'int x;' | cc -shared -o $so -xc -", /* none of ours */
        /* of another form */
        ("rm $so && echo 'int rl_own_form, rl_protocol_own, rl_own_leaves;' >x.c &&"
         "cc -shared x.c -o $so"),
    };
    assert_int_equal(shell("rm -rf cache"), 0);
    write_protocol("kept.c", "if (l->leader && r->leader) r->leader = 0;");
    assert_int_equal(load(&own, in_scratch("kept.c")), RL_OK);
    rl_own_free(&own);
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        char command[200];
        snprintf(command, sizeof command, "so=$(echo cache/*.so); %s", damages[i]);
        assert_int_equal(shell(command), 0);
        assert_int_equal(load(&own, in_scratch("kept.c")), RL_OK);
        rl_own_free(&own);
    }
    assert_int_equal(shell("so=$(echo cache/*.so); rm $so && mkdir -p $so/x"), 0);
    assert_int_equal(load(&own, in_scratch("kept.c")), RL_OK); /* made, but not kept */
    rl_own_free(&own);
    assert_int_equal(shell("rm -r cache"), 0);
}

static void ignore(int number)
{
    (void)number;
}

/* The compiler and the child that tries the file are waited for, come what may. */
TEST(signals_do_not_disturb)
{
    FREED(rl_own) own;
    const struct sigaction action = {.sa_handler = ignore}; /* no SA_RESTART */
    const struct itimerval often = {{0, 2000}, {0, 2000}}, never = {{0, 0}, {0, 0}};
    struct sigaction before;
    assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
    setitimer(ITIMER_REAL, &often, NULL);
    write_protocol("alarmed.c", "if (l->leader && r->leader) r->leader = 0;");
    const enum rl_status status = load(&own, in_scratch("alarmed.c"));
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &before, NULL);
    assert_int_equal(status, RL_OK);
}

TEST(the_hash_is_of_the_file_and_of_all_of_the_users_that_it_includes)
{
    FREED(rl_own) before, after;
    write_text("rule.h", "if (l->leader && r->leader) r->leader = 0; /* one */\n");
    write_protocol("includes.c", "\n#include \"rule.h\"\n#include <limits.h>\n");
    assert_int_equal(load(&before, in_scratch("includes.c")), RL_OK);
    assert_non_null(
        strstr(before.protocol->text, "/* ---- rule.h ---- */\nif (l->leader && r->leader)"));
    assert_null(strstr(before.protocol->text, "limits.h ----"));
    assert_null(strstr(before.protocol->text, "agent.h ----"));
    write_text("rule.h", "if (l->leader && r->leader) r->leader = 0; /* two */\n");
    assert_int_equal(load(&after, in_scratch("includes.c")), RL_OK);
    assert_string_not_equal(before.protocol->hash, after.protocol->hash);
    assert_int_equal(strlen(after.protocol->hash), 64);
}

TEST(a_file_alone_has_the_hash_that_everybody_computes)
{
    FREED(rl_own) own;
    char command[300], digits[80] = "";
    write_protocol("alone.c", "if (l->leader && r->leader) r->leader = 0;");
    assert_int_equal(load(&own, in_scratch("alone.c")), RL_OK);
    snprintf(command, sizeof command, "sha256sum %s", in_scratch("alone.c"));
    FILE *stream = popen(command, "r");
    assert_non_null(fgets(digits, sizeof digits, stream));
    pclose(stream);
    assert_memory_equal(own.protocol->hash, digits, 64);
}

int main(int argc, char **argv)
{
    if (argc != 2 || !mkdtemp(scratch))
        return 2;
    examples = argv[1];
    const int failed = test_all(NULL, NULL);
    /* Nothing but what the tests wrote and the cache: workshops are cleared. */
    char command[200];
    snprintf(command, sizeof command,
             "test -z \"$(find %s -name 'work.*')\"; left=$?; rm -rf %s; exit $left", scratch,
             scratch);
    return system(command) || failed;
}
