# Fits the growth of the points in bench/table1.csv and writes docs/table1.md and
# src/protocols/fitted.h. Run by bench/table1.sh.
#
# The exponent is that of an ordinary least-squares line through (ln n, ln mean steps), or, where the
# claimed bound has a factor log n, (ln n, ln (mean steps / log2 n)). Its 95 % interval is Student's,
# from the scatter of the points about the line: it takes in both the noise of the trials and the
# bend of small rings. The second fit leaves out the smallest rings. Where the growth is exponential
# the line goes through (n, ln mean steps), and has a table of its own.

BEGIN {
    FS = ","
    split("12.706 4.303 3.182 2.776 2.571 2.447 2.365 2.306 2.262 2.228", student, " ")
    doc = "docs/table1.md"
    header = "src/protocols/fitted.h"
}

FNR == 1 { next }

{
    row = $1 " " $2
    if (!(row in points)) {
        order[++rows] = row
        protocol[row] = $1
        start[row] = $2
        factor[row] = $3
    }
    k = ++points[row]
    n[row, k] = $4; trials[row] = $5; mean[row, k] = $6; deviation[row, k] = $7; median[row, k] = $8
}

# A line of `ringleader protocols NAME`, without its first word.
function say(name, key,    command, line, answer) {
    command = ringleader " protocols " name
    while ((command | getline line) > 0)
        if (index(line, key " ") == 1) { answer = substr(line, length(key) + 1); break }
    close(command)
    sub(/^ +/, "", answer)
    return answer
}

# Sets slope, half its interval, and growth, for the points from number `first` on.
function fit(row, first,    k, x, y, sx, sy, sxx, sxy, rest, m, exponential) {
    exponential = factor[row] == "exp"
    m = points[row] - first + 1
    for (k = first; k <= points[row]; k++) {
        x = exponential ? n[row, k] : log(n[row, k])
        y = log(mean[row, k] / (factor[row] == "log" ? log(n[row, k]) / log(2) : 1))
        sx += x; sy += y; sxx += x * x; sxy += x * y
    }
    slope = (sxy - sx * sy / m) / (sxx - sx * sx / m)
    for (k = first; k <= points[row]; k++) {
        x = exponential ? n[row, k] : log(n[row, k])
        y = log(mean[row, k] / (factor[row] == "log" ? log(n[row, k]) / log(2) : 1))
        rest += (y - sy / m - slope * (x - sx / m)) ^ 2
    }
    half = student[m - 2] * sqrt(rest / (m - 2) / (sxx - sx * sx / m))
    times = factor[row] == "log" ? " log n" : ""
    growth = sprintf("n^%.2f%s (%.2f .. %.2f)", slope, times, slope - half, slope + half)
    if (exponential)
        growth = sprintf("%.2f^n (%.2f .. %.2f)", exp(slope), exp(slope - half), exp(slope + half))
}

# The table of what grows exponentially.
function print_exponential(    i, k, row, line) {
    print "\n## Exponential growth\n" > doc
    print "The third row of the paper's table is filled by fences, our own design in the role of Chen" \
          " and Chen's\n(`docs/protocols/fences.md`). The base is that of a least-squares line through" \
          " (n, ln mean steps), with\nits 95 % interval. Words with a short square are found sooner," \
          " and round a ring of 5 or 7 every word has\none; hence the dips and the wide" \
          " intervals.\n" > doc
    print "| protocol | start | fitted, n >= 3 | n = 2 | n = 3 | n = 4 | n = 5 | n = 6 | n = 7 | n = 8 |" \
          "\n|---|---|---|---|---|---|---|---|---|---|" > doc
    for (i = 1; i <= rows; i++) {
        row = order[i]
        if (factor[row] != "exp") continue
        fit(row, 2)
        line = "| " protocol[row] " | " start[row] " | " growth " |"
        for (k = 1; k <= 7; k++)
            line = line (k <= points[row] ? sprintf(" %.3g +- %.2g |", mean[row, k], \
                                                    deviation[row, k] / sqrt(trials[row])) : " |")
        print line > doc
        if (slope > half) note(protocol[row], growth " from " start[row]) # it does grow
    }
}

# What `ringleader protocols` will say.
function note(p, growth_from) {
    if (p in text) text[p] = text[p] "; " growth_from
    else text[p] = growth_from
    if (!(p in listed)) { names[++count] = p; listed[p] = 1 }
}

function cell(text) { gsub(/\|/, "\\|", text); return text }

END {
    print "# Table 1, measured\n" > doc
    print "Steps to each protocol's target in the event engine, " trials[order[1]] \
          " trials a point, seed 1, parameters\nat their defaults. `bench/table1.sh` measures it" \
          " again and writes this page. The exponent is that of a\nleast-squares line through" \
          " (ln n, ln mean steps), for ppl after division by log2 n; in brackets its\n95 %" \
          " interval, from the scatter about the line. Starts are explained by `ringleader" \
          " protocols NAME`.\n" > doc
    print "| protocol | assumes | states | steps, claimed | start | fitted, n >= " n[order[1], 1] \
          " | fitted, n >= " n[order[1], 4] " |" > doc
    print "|---|---|---|---|---|---|---|" > doc
    for (i = 1; i <= rows; i++) {
        row = order[i]; p = protocol[row]
        if (factor[row] == "exp") continue
        fit(row, 1)
        whole = growth
        fit(row, 4)
        claimed = say(p, "steps"); sub(/ claimed.*/, "", claimed)
        states = say(p, "states"); sub(/;.*/, "", states)
        print "| " p " | " cell(say(p, "assumes")) " | " states " | " claimed " | " start[row] \
              " | " whole " | " growth " |" > doc
        note(p, whole " from " start[row])
    }
    print "\nThe claims are about expectations from the worst start; each fit is from one start, so" \
          " it can only lie\nbelow or agree. The row of exponential steps stands below. And" \
          " ppl is a reconstruction (`docs/protocols/ppl.md`):\nits constants are ours.\n" > doc
    print "## Mean steps over the claimed growth\n" > doc
    line = "| protocol | start | unit |"; rule = "|---|---|---|"
    for (k = 1; k <= points[order[1]]; k++) {
        line = line " n = " n[order[1], k] " |"; rule = rule "---|"
    }
    print line "\n" rule > doc
    for (i = 1; i <= rows; i++) {
        row = order[i]
        if (factor[row] == "exp") continue
        fit(row, 1)
        power = int(slope + 0.5)
        line = "| " protocol[row] " | " start[row] " | n^" power times " |"
        for (k = 1; k <= points[row]; k++) {
            unit = n[row, k] ^ power * (factor[row] == "log" ? log(n[row, k]) / log(2) : 1)
            line = line sprintf(" %.3f +- %.3f |", mean[row, k] / unit,
                                deviation[row, k] / sqrt(trials[row]) / unit)
        }
        print line > doc
    }
    print_exponential()
    print "\nAfter +- stands the standard error of the mean." > doc
    print "/* SPDX-License-Identifier: MIT\n *\n * Measured growth of the steps to the target," \
          " with 95 % intervals. Written by bench/table1.sh; not\n * for editing.\n */\n" \
          "// clang-format off" > header
    printf "#define FITTED_GROWTH(X)" > header
    for (i = 1; i <= count; i++)
        printf " \\\n    X(\"%s\", \"%s\")", names[i], text[names[i]] > header
    print "" > header
}
