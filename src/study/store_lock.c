/* SPDX-License-Identifier: MIT
 *
 * What the store asks of the operating system about its file.
 *
 * The one writer of a study, as a lock on a byte of its file that SQLite never touches.
 *
 * The kernel drops it however the process ends. It is of the open-file-description kind: the usual
 * one is dropped when any descriptor of the file is closed, and SQLite opens and closes the file as
 * it pleases.
 */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/vfs.h>
#endif

#include "study/store_sqlite.h"

/* A byte beyond every page SQLite can have. */
static struct flock writer_byte(void)
{
    return (struct flock){
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)1 << 62, .l_len = 1};
}

enum rl_status store_lock(const char *path, enum rl_store_mode mode, int *lock_out,
                          struct rl_error *error)
{
    struct flock byte = writer_byte();
    const bool writes = mode == RL_STORE_WRITE;
    *lock_out = open(path, (writes ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC, 0666);
    if (*lock_out < 0 && !writes && errno == ENOENT)
        return rl_error_set(error, RL_BAD_STUDY, "there is no file %s", path);
    if (*lock_out < 0)
        return rl_error_set(error, RL_IO, "%s cannot be %s: %s", path, writes ? "written" : "read",
                            strerror(errno));
    if (!writes || fcntl(*lock_out, F_OFD_SETLK, &byte) == 0)
        return RL_OK;
    return rl_error_set(error, RL_IO,
                        "%s is being written by another study; wait for it (study --status %s)",
                        path, path);
}

bool store_is_in_place(int lock, const char *path)
{
    struct stat ours, there;
    return fstat(lock, &ours) == 0 && stat(path, &there) == 0 && ours.st_dev == there.st_dev &&
           ours.st_ino == there.st_ino;
}

bool store_is_locked(int lock)
{
    struct flock byte = writer_byte();
    return fcntl(lock, F_OFD_GETLK, &byte) == 0 && byte.l_type != F_UNLCK;
}

#ifdef __linux__
bool store_is_local(int lock)
{
    static const uint32_t LOCAL[] = {
        0xef53 /* ext2, ext3, ext4 */, 0x58465342 /* XFS */,      0x9123683e /* Btrfs */,
        0x01021994 /* tmpfs */,        0x794c7630 /* overlay */,  0x2fc12fc1 /* ZFS */,
        0xf2f52010 /* F2FS */,         0xca451a4e /* bcachefs */,
    };
    struct statfs system;
    if (fstatfs(lock, &system) != 0)
        return false;
    for (size_t i = 0; i < sizeof LOCAL / sizeof LOCAL[0]; i++)
        if ((uint32_t)system.f_type == LOCAL[i])
            return true;
    return false;
}
#else
bool store_is_local(int lock)
{
    (void)lock;
    return false;
}
#endif
