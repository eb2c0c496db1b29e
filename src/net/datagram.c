/* SPDX-License-Identifier: MIT
 *
 * Datagrams, and the keys that seal them. The version is checked first, because another version may
 * have its MAC elsewhere. Then comes the MAC, so every other refusal is about somebody who has the
 * key; that is what a person with a wrong -N wants to know.
 */
#include "net/datagram.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VERSION = 2, KIND = 3, PROTOCOL = 4, PARAMETERS = 8, TICKET = 12, VALUE = 20, STAMP = 28 };
enum { MAC = 32, MAC_BYTES = RL_DATAGRAM_BYTES - MAC, DIGITS = 2 * RL_KEY_BYTES };

const char *rl_datagram_refusal(enum rl_refusal refusal)
{
    static const char *const names[] = {"none",
#define NAME(name, text) text,
                                        RL_REFUSAL_LIST(NAME)
#undef NAME
    };
    return names[refusal];
}

static void put(uint8_t *bytes, uint64_t number, int count)
{
    for (int i = 0; i < count; i++, number >>= 8)
        bytes[i] = (uint8_t)number;
}

static uint64_t get(const uint8_t *bytes, int count)
{
    uint64_t number = 0;
    while (count > 0)
        number = number << 8 | bytes[--count];
    return number;
}

static uint32_t hash(const void *bytes, size_t size)
{
    uint8_t digest[crypto_generichash_BYTES_MIN];
    crypto_generichash(digest, sizeof digest, bytes, size, NULL, 0);
    return (uint32_t)get(digest, 4);
}

/* The key of the link between two names, which have no zero in them. */
static void derive(const uint8_t *key, const char *left, const char *right, uint8_t *key_out)
{
    static const char purpose[] = "ringleader link";
    crypto_generichash_state state;
    crypto_generichash_init(&state, key, RL_KEY_BYTES, RL_KEY_BYTES);
    crypto_generichash_update(&state, (const uint8_t *)purpose, sizeof purpose);
    crypto_generichash_update(&state, (const uint8_t *)left, strlen(left) + 1);
    crypto_generichash_update(&state, (const uint8_t *)right, strlen(right) + 1);
    crypto_generichash_final(&state, key_out, RL_KEY_BYTES);
}

struct rl_seal rl_datagram_seal(const struct rl_rules *rules, const uint8_t *key, const char *left,
                                const char *name, const char *right)
{
    static const uint8_t no_key[RL_KEY_BYTES];
    struct rl_seal seal;
    uint8_t values[4 * RL_MAX_PARAMETERS];
    for (size_t i = 0; i < rules->protocol->parameter_count; i++)
        put(values + 4 * i, rules->params.value[i], 4);
    derive(key ? key : no_key, left, name, seal.left);
    derive(key ? key : no_key, name, right, seal.right);
    seal.protocol = hash(rules->protocol->name, strlen(rules->protocol->name));
    seal.parameters = hash(values, 4 * rules->protocol->parameter_count);
    return seal;
}

static void sign(const uint8_t *key, const uint8_t *bytes, uint8_t *mac_out)
{
    crypto_generichash(mac_out, MAC_BYTES, bytes, MAC, key, RL_KEY_BYTES);
}

void rl_datagram_write(const struct rl_seal *seal, const struct rl_message *message, uint32_t stamp,
                       uint8_t bytes_out[RL_DATAGRAM_BYTES])
{
    bytes_out[0] = 'R';
    bytes_out[1] = 'L';
    bytes_out[VERSION] = RL_DATAGRAM_VERSION;
    bytes_out[KIND] = message->kind;
    put(bytes_out + PROTOCOL, seal->protocol, 4);
    put(bytes_out + PARAMETERS, seal->parameters, 4);
    put(bytes_out + TICKET, message->ticket, 8);
    put(bytes_out + VALUE, message->value, 8);
    put(bytes_out + STAMP, stamp, 4);
    sign(message->kind == RL_ASK ? seal->right : seal->left, bytes_out, bytes_out + MAC);
}

enum rl_refusal rl_datagram_read(const struct rl_seal *seal, const uint8_t *bytes, size_t size,
                                 struct rl_message *message_out, uint32_t *stamp_out)
{
    uint8_t mac[MAC_BYTES];
    if (size != RL_DATAGRAM_BYTES || bytes[0] != 'R' || bytes[1] != 'L')
        return RL_REFUSED_FORM;
    if (bytes[VERSION] != RL_DATAGRAM_VERSION)
        return RL_REFUSED_VERSION;
    sign(bytes[KIND] == RL_ASK ? seal->left : seal->right, bytes, mac);
    if (sodium_memcmp(mac, bytes + MAC, MAC_BYTES) != 0)
        return RL_REFUSED_KEY;
    if (get(bytes + PROTOCOL, 4) != seal->protocol)
        return RL_REFUSED_PROTOCOL;
    if (get(bytes + PARAMETERS, 4) != seal->parameters)
        return RL_REFUSED_PARAMETERS;
    if (bytes[KIND] >= RL_LINK_KINDS)
        return RL_REFUSED_KIND;
    *message_out = (struct rl_message){
        .kind = bytes[KIND], .ticket = get(bytes + TICKET, 8), .value = get(bytes + VALUE, 8)};
    *stamp_out = (uint32_t)get(bytes + STAMP, 4);
    return RL_NOT_REFUSED;
}

bool rl_datagram_is_name(const char *name, size_t length)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    return length > 0 && length <= RL_LONGEST_NAME && strspn(name, allowed) >= length;
}

/* ---- the key of a ring ---- */

enum rl_status rl_key_text(char text_out[RL_KEY_TEXT], struct rl_error *error)
{
    uint8_t key[RL_KEY_BYTES];
    if (sodium_init() < 0)
        return rl_error_set(error, RL_IO, "libsodium finds no random numbers on this system");
    randombytes_buf(key, sizeof key);
    sodium_bin2hex(text_out, DIGITS + 1, key, sizeof key);
    strcpy(text_out + DIGITS, "\n");
    return RL_OK;
}

enum rl_status rl_key_read(const char *path, uint8_t key_out[RL_KEY_BYTES], struct rl_error *error)
{
    char text[RL_KEY_TEXT];
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
            "%s: not a key, which has 64 hexadecimal digits (ringleader key makes one)", path);
    if (sodium_is_zero(key_out, RL_KEY_BYTES))
        return rl_error_set(error, RL_BAD_TEXT,
                            "%s: a key of zeros protects nothing (ringleader key makes one)", path);
    return RL_OK;
}
