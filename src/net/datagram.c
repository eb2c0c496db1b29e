/* SPDX-License-Identifier: MIT
 *
 * Datagrams. The version is asked first, because another one may have its MAC elsewhere; then the
 * MAC, so that every other reason for a refusal is told of somebody who has the key, which is what
 * a person with a wrong -N wants to know.
 */
#include "net/datagram.h"

#include <sodium.h>
#include <string.h>

enum { VERSION = 2, KIND = 3, PROTOCOL = 4, PARAMETERS = 8, TICKET = 12, VALUE = 20, MAC = 28 };
enum { MAC_BYTES = RL_DATAGRAM_BYTES - MAC };

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

static uint32_t hash(const uint8_t *bytes, size_t size)
{
    uint32_t value = UINT32_C(2166136261);
    for (size_t i = 0; i < size; i++)
        value = (value ^ bytes[i]) * UINT32_C(16777619);
    return value;
}

struct rl_seal rl_datagram_seal(const struct rl_rules *rules, const uint8_t *key)
{
    struct rl_seal seal = {{0}, 0, 0};
    uint8_t values[4 * RL_MAX_PARAMETERS];
    for (size_t i = 0; i < rules->protocol->parameter_count; i++)
        put(values + 4 * i, rules->params.value[i], 4);
    if (key)
        memcpy(seal.key, key, RL_KEY_BYTES);
    seal.protocol = hash((const uint8_t *)rules->protocol->name, strlen(rules->protocol->name));
    seal.parameters = hash(values, 4 * rules->protocol->parameter_count);
    return seal;
}

static void sign(const struct rl_seal *seal, const uint8_t *bytes, uint8_t *mac_out)
{
    crypto_generichash(mac_out, MAC_BYTES, bytes, MAC, seal->key, RL_KEY_BYTES);
}

void rl_datagram_write(const struct rl_seal *seal, const struct rl_message *message,
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
    sign(seal, bytes_out, bytes_out + MAC);
}

enum rl_refusal rl_datagram_read(const struct rl_seal *seal, const uint8_t *bytes, size_t size,
                                 struct rl_message *message_out)
{
    uint8_t mac[MAC_BYTES];
    if (size != RL_DATAGRAM_BYTES || bytes[0] != 'R' || bytes[1] != 'L')
        return RL_REFUSED_FORM;
    if (bytes[VERSION] != RL_DATAGRAM_VERSION)
        return RL_REFUSED_VERSION;
    sign(seal, bytes, mac);
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
    return RL_NOT_REFUSED;
}
