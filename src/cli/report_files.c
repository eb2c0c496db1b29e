/* SPDX-License-Identifier: MIT
 *
 * The files of a report: how each is written.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/report.h"

enum { PATH_ROOM = 4096 };

int make_directory(const char *path)
{
    struct stat status;
    if (mkdir(path, 0777) == 0 ||
        (errno == EEXIST && stat(path, &status) == 0 && S_ISDIR(status.st_mode)))
        return -1;
    return complain(EXIT_OUTSIDE, "the directory %s cannot be made: %s", path, strerror(errno));
}

int write_file(const char *directory, const char *name,
               enum rl_status (*write)(FILE *stream, const void *what), const void *what)
{
    char path[PATH_ROOM];
    struct new_file file;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, name) >= sizeof path)
        return complain(EXIT_REQUEST, "the path %s is too long", directory);
    int failed = open_new_file(&file, path);
    if (failed >= 0)
        return failed;
    if (write(file.stream, what))
        failed = complain(EXIT_OUTSIDE, "%s could not be written", path);
    if (failed < 0)
        failed = keep_new_file(&file);
    drop_new_file(&file);
    return failed;
}
