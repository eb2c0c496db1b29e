/* SPDX-License-Identifier: MIT
 *
 * Keys. They come from the operating system by way of libsodium; a file never takes the place of
 * another.
 */
#include "net/key.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIGITS = 2 * RL_KEY_BYTES };

enum rl_status rl_key_make(const char *path, struct rl_error *error)
{
    uint8_t key[RL_KEY_BYTES];
    char text[DIGITS + 1];
    if (sodium_init() < 0)
        return rl_error_set(error, RL_IO, "libsodium has no random numbers here");
    randombytes_buf(key, sizeof key);
    sodium_bin2hex(text, sizeof text, key, sizeof key);
    text[DIGITS] = '\n';
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return rl_error_set(error, RL_IO, "%s: %s", path, strerror(errno));
    errno = ENOSPC; /* should it be written in part */
    const bool written = write(file, text, sizeof text) == (ssize_t)sizeof text;
    const bool closed = close(file) == 0;
    if (written && closed)
        return RL_OK;
    const enum rl_status status = rl_error_set(error, RL_IO, "%s: %s", path, strerror(errno));
    (void)unlink(path);
    return status;
}

enum rl_status rl_key_read(const char *path, uint8_t key_out[RL_KEY_BYTES], struct rl_error *error)
{
    char text[DIGITS + 2];
    struct stat about;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return rl_error_set(error, RL_IO, "%s: %s", path, strerror(errno));
    const bool secret = fstat(file, &about) == 0 && (about.st_mode & 077) == 0;
    const ssize_t size = read(file, text, sizeof text);
    close(file);
    if (!secret)
        return rl_error_set(error, RL_BAD_TEXT, "%s: others may read this key (chmod 600 it)",
                            path);
    const bool form = size == DIGITS || (size == DIGITS + 1 && text[DIGITS] == '\n');
    size_t length = 0;
    if (!form || sodium_hex2bin(key_out, RL_KEY_BYTES, text, DIGITS, NULL, &length, NULL) != 0 ||
        length != RL_KEY_BYTES)
        return rl_error_set(
            error, RL_BAD_TEXT,
            "%s: no key, which has 64 hexadecimal digits (ringleader key makes one)", path);
    return RL_OK;
}
