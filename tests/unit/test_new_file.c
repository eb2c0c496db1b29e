/* SPDX-License-Identifier: MIT
 *
 * New files: whole or not at all, whatever is in the way.
 */
#define TEST_MAIN_BELOW
#include "test.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/new_file.h"

static char directory[64], path[128];

static int fresh_directory(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/ringleader-file-XXXXXX");
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof path, "%s/new", directory);
    return 0;
}

/* The names in the directory, which is then empty. */
static size_t empty_directory(void)
{
    size_t count = 0;
    DIR *stream = opendir(directory);
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        char name[512];
        snprintf(name, sizeof name, "%s/%s", directory, entry->d_name);
        count += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
        unlink(name);
    }
    if (stream)
        closedir(stream);
    return count;
}

static int remove_directory(void **state)
{
    (void)state;
    empty_directory();
    return rmdir(directory);
}

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void assert_text(const char *name, const char *text)
{
    char found[32] = "";
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    assert_int_equal(fread(found, 1, sizeof found - 1, file), strlen(text));
    fclose(file);
    assert_string_equal(found, text);
}

TEST(a_temporary_name_that_is_taken_is_left_alone)
{
    char taken[160];
    struct rl_new_file file;
    snprintf(taken, sizeof taken, "%s/.ringleader.%ld.0.part", directory, (long)getpid());
    write_text(taken, "another's");
    assert_int_equal(rl_new_file_open(&file, path, NULL), RL_OK);
    assert_true(rl_new_file_put(file.stream, "mine", 4));
    assert_int_equal(rl_new_file_keep(&file, NULL), RL_OK);
    assert_text(path, "mine");
    assert_text(taken, "another's");
    assert_int_equal(empty_directory(), 2);
}

TEST(a_file_that_is_complete_is_closed)
{
    struct rl_new_file file;
    const int before = dup(0);
    assert_int_equal(close(before), 0);
    assert_int_equal(rl_new_file_open(&file, path, NULL), RL_OK);
    assert_int_equal(rl_new_file_keep(&file, NULL), RL_OK);
    const int after = dup(0);
    assert_int_equal(close(after), 0);
    assert_int_equal(before, after);
    assert_int_equal(empty_directory(), 1);
}

TEST(a_path_through_a_file_is_refused_at_once)
{
    char below[160];
    struct rl_new_file file;
    struct rl_error error = {0};
    write_text(path, "a file");
    snprintf(below, sizeof below, "%s/below", path);
    assert_int_equal(rl_new_file_open(&file, below, &error), RL_IO);
    assert_non_null(strstr(error.text, "cannot be written: Not a directory"));
    rl_new_file_drop(&file);
    assert_text(path, "a file");
}

TEST(what_cannot_be_written_leaves_the_old_file_and_nothing_else)
{
    struct rl_new_file file;
    struct rl_error error = {0};
    assert_int_equal(rl_new_file_open(&file, "/dev/full", NULL), RL_OK);
    assert_true(rl_new_file_put(file.stream, "much", 4));
    assert_int_equal(rl_new_file_keep(&file, &error), RL_IO);
    assert_non_null(strstr(error.text, "/dev/full could not be written: No space left"));
    /* A directory has taken the name in the meantime. */
    assert_int_equal(rl_new_file_open(&file, path, NULL), RL_OK);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(rl_new_file_keep(&file, &error), RL_IO);
    assert_non_null(strstr(error.text, "could not be written: Is a directory"));
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(empty_directory(), 0);
}

int main(void)
{
    return test_all(fresh_directory, remove_directory);
}
