/* SPDX-License-Identifier: MIT */
#ifndef RINGLEADER_WEB_MEMORY_H
#define RINGLEADER_WEB_MEMORY_H

/* Forgets everything that malloc gave. */
void memory_reset(void);

#endif
