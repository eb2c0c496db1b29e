/* SPDX-License-Identifier: MIT
 *
 * Fuzzer of plans. A plan that is read has points, and each of them, printed, is read back as
 * itself; what is refused is refused with a reason.
 */
#include "fuzz/fuzz.h"

#include <string.h>

#include "ringleader/study.h"
#include "study/inside.h"

static void check_point(const struct rl_point *point)
{
    const struct rl_plan_line line = rl_plan_line(point);
    require(strlen(line.text) + 1 < sizeof line.text); /* it was not cut */
    struct rl_plan one;
    require(!rl_plan_parse(&one, line.text, strlen(line.text), NULL, NULL));
    require(one.count == 1 && rl_plan_same_point(&one.points[0], point));
    rl_plan_free(&one);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* Every start is tried on a ring: digits in a row, k, M, G and exponents make it large. */
    size_t digits = 0;
    for (size_t i = 0; i < size; i++) {
        digits = data[i] >= '0' && data[i] <= '9' ? digits + 1 : 0;
        if (digits > 3 || memchr("kMGe^", data[i], 5))
            return 0;
    }
    char *text = malloc(size + !size);
    memcpy(text, data, size);
    struct rl_plan plan;
    struct rl_error error = {0};
    const enum rl_status status = rl_plan_parse(&plan, text, size, NULL, &error);
    if (status)
        require(error.text[0]);
    else
        require(plan.count > 0);
    for (size_t i = 0; !status && i < plan.count && i < 50; i++)
        check_point(&plan.points[i]);
    rl_plan_free(&plan);
    free(text);
    return 0;
}
