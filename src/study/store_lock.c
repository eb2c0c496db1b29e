/* SPDX-License-Identifier: MIT
 *
 * The one writer of a study, as a lock on a byte of its file that SQLite never touches.
 *
 * The kernel drops it however the process ends. It is of the open-file-description kind: the usual
 * one is dropped when any descriptor of the file is closed, and SQLite opens and closes the file as
 * it pleases.
 */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include <fcntl.h>
#include <unistd.h>

#include "study/store_parts.h"

/* A byte beyond every page SQLite can have. */
static struct flock writer_byte(void)
{
    return (struct flock){
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)1 << 62, .l_len = 1};
}

enum rl_status store_lock(const char *path, int *lock_out, struct rl_error *error)
{
    struct flock byte = writer_byte();
    *lock_out = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*lock_out < 0)
        return rl_error_set(error, RL_IO, "%s cannot be written", path);
    if (fcntl(*lock_out, F_OFD_SETLK, &byte) == 0)
        return RL_OK;
    return rl_error_set(error, RL_IO,
                        "%s is being written by another study; wait for it (study --status %s)",
                        path, path);
}

void store_unlock(int lock)
{
    if (lock >= 0)
        close(lock);
}

bool store_is_locked(const char *path)
{
    struct flock byte = writer_byte();
    const int file = open(path, O_RDWR | O_CLOEXEC);
    const bool locked = file >= 0 && fcntl(file, F_OFD_GETLK, &byte) == 0 && byte.l_type != F_UNLCK;
    if (file >= 0)
        close(file);
    return locked;
}
