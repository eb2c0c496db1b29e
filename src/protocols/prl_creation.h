/* SPDX-License-Identifier: MIT
 *
 * Algorithm 1, lines 1-5: leader creation, for agents that have the variables leader, bullet,
 * shield, signal and dist, and know N.
 */

static inline uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// clang-format off
/* The numbers on the right are the paper's lines. */
static inline void create(uint32_t N, struct agent *l, struct agent *r)
{
    if (l->leader == 1) l->dist = 0;                                                     /*  1 */
    if (r->leader == 1) r->dist = 0;                                                     /*  2 */
    else if (r->bullet == 0) r->dist = smaller(l->dist + 1, N);
    if (r->dist == N) {                                                                  /*  3 */
        r->leader = 1; r->bullet = 2; r->shield = 1; r->signal = 0; r->dist = 0;         /*  4 */
    }                                                                                    /*  5 */
}
// clang-format on
