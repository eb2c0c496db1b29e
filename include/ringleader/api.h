/* SPDX-License-Identifier: MIT
 *
 * What every public header begins and ends with. Between RL_BEGIN and RL_END declarations are C's,
 * also for C++, and belong to the interface: everything else stays hidden inside the library.
 */
#ifndef RINGLEADER_API_H
#define RINGLEADER_API_H

#ifdef __cplusplus
#define RL_BEGIN                                                                                   \
    _Pragma("GCC visibility push(default)") extern "C"                                             \
    {
#define RL_END                                                                                     \
    }                                                                                              \
    _Pragma("GCC visibility pop")
#else
#define RL_BEGIN _Pragma("GCC visibility push(default)")
#define RL_END   _Pragma("GCC visibility pop")
#endif

/* A caller must look at the status it gets. */
#define RL_MUST_CHECK __attribute__((warn_unused_result))
/* Argument `form` is a format of printf's, for the arguments from `first` on. */
#define RL_FORMAT(form, first) __attribute__((format(printf, form, first)))

RL_BEGIN

/* The version of the library and the program, "MAJOR.MINOR.PATCH", stored with every result. A
 * static string. */
const char *rl_version(void);

RL_END

#endif
