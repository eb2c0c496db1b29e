/* SPDX-License-Identifier: MIT
 *
 * src/device/prl.h from outside: see small.c.
 */
#ifndef RINGLEADER_DEVICE_SMALL_H
#define RINGLEADER_DEVICE_SMALL_H

#include <stdbool.h>
#include <stdint.h>

void small_interact(uint32_t N, uint32_t *l, uint32_t *r);
uint32_t small_legal(uint32_t N, uint32_t any);
bool small_leads(uint32_t word);

#endif
