/* SPDX-License-Identifier: MIT
 *
 * The header in two parts, for sizes.py, which says how much flash each takes: the rules of prl, if
 * PART_RULES is defined, or what does not depend on them, link, frames and coins.
 */
#include "ringleader-device.h"

#ifdef PART_RULES
void interact(const uint32_t *N, uint32_t *l, uint32_t *r);
void interact(const uint32_t *N, uint32_t *l, uint32_t *r)
{
    rl_prl_interact(N, l, r);
}

uint32_t legal(const uint32_t *N, uint32_t word);
uint32_t legal(const uint32_t *N, uint32_t word)
{
    return rl_prl_legal(N, word);
}
#else
/* A table keeps all that it names. */
extern const struct functions {
    bool (*ring)(struct rl_link *, const struct rl_link_rules *, struct rl_message *);
    bool (*repeat)(struct rl_link *, const struct rl_link_rules *, struct rl_message *);
    enum rl_link_event (*asked)(struct rl_link *, const struct rl_link_rules *,
                                const struct rl_message *, struct rl_message *);
    enum rl_link_event (*answered)(struct rl_link *, const struct rl_link_rules *,
                                   const struct rl_message *, struct rl_message *);
    uint16_t (*binding)(const char *, uint32_t);
    void (*write)(uint16_t, const struct rl_message *, uint8_t *);
    bool (*read)(struct rl_frame *, uint16_t, uint8_t, struct rl_message *);
    void (*stir)(struct rl_coins *, uint32_t);
    bool (*toss)(struct rl_coins *, uint16_t);
    uint32_t (*bits)(struct rl_coins *);
} functions;
const struct functions functions = {
    rl_link_ring,   rl_link_repeat, rl_link_asked, rl_link_answered, rl_frame_binding,
    rl_frame_write, rl_frame_read,  rl_coins_stir, rl_coins_toss,    rl_coins_bits};
#endif
