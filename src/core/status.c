/* SPDX-License-Identifier: MIT
 *
 * Messages of status codes, from the one list in status.h; and the version, which
 * meson.build knows.
 */
#include "ringleader/status.h"

#include <assert.h>

#include "core/inside.h"
#include "version.h"

const char *rl_version(void)
{
    return VERSION;
}

const char *rl_status_message(enum rl_status status)
{
    static const char *const messages[] = {
#define MESSAGE(name, message) message,
        RL_STATUS_LIST(MESSAGE)
#undef MESSAGE
    };
    assert(status < sizeof messages / sizeof messages[0] && "there is no such status");
    return messages[status];
}

enum rl_status rl_error_set(struct rl_error *error, enum rl_status status, const char *format, ...)
{
    if (error) {
        struct rl_text text = rl_text_into(error->text, sizeof error->text);
        text.longest_string = sizeof error->text / 4;
        va_list arguments;
        va_start(arguments, format);
        rl_text_formatv(&text, format, arguments);
        va_end(arguments);
    }
    return status;
}
