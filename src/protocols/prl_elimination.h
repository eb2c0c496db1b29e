/* SPDX-License-Identifier: MIT
 *
 * Algorithm 1, lines 6-19: leader elimination, with O(1) states, for every protocol whose agents
 * have the variables leader, bullet (0 none, 1 dummy, 2 live), shield and signal.
 */

/* P'_RL (prl-dummy.c) is without line 13. */
#ifndef LINE_13
#define LINE_13 true
#endif

static inline uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

// clang-format off
/* The numbers on the right are the paper's lines. */
static inline void eliminate(struct agent *l, struct agent *r)
{
    if (l->leader == 1 && l->signal == 1) {                                              /*  6 */
        l->bullet = 2; l->shield = 1; l->signal = 0;                                     /*  7 */
    }                                                                                    /*  8 */
    if (r->leader == 1 && r->signal == 1) {                                              /*  9 */
        r->bullet = 1; r->shield = 0; r->signal = 0;                                     /* 10 */
    }                                                                                    /* 11 */
    if (l->bullet > 0 && r->leader == 1) {                                               /* 12 */
        if (LINE_13 && l->bullet == 2 && r->shield == 0) r->leader = 0;                  /* 13 */
        l->bullet = 0;                                                                   /* 14 */
    } else if (l->bullet > 0 && r->leader == 0) {                                        /* 15 */
        if (r->bullet == 0) r->bullet = l->bullet;                                       /* 16 */
        l->bullet = 0; r->signal = 0;                                                    /* 17 */
    }                                                                                    /* 18 */
    l->signal = larger(l->signal, larger(r->signal, r->leader));                         /* 19 */
}
// clang-format on
