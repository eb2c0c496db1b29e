# Tells the CSV files of a report, growth.csv and points.csv, as tables; every figure is the
# report's own. Run by bench/table1.sh.
#   awk -v out=DIRECTORY -f table1.awk growth.csv points.csv
# writes claims.md, means.md, exponential.md, fitted.h and points.txt there.

# Splits a line of CSV into cells; they may be quoted.
function split_csv(line, cell,    count, text, quoted, i, c) {
    count = 1
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) { cell[count++] = text; text = "" }
        else text = text c
    }
    cell[count] = text
    return count
}

# " with N=n" from "N=n, leaderless".
function with_parameters(label, start) {
    label = substr(label, 1, length(label) - length(start))
    return label == "" ? "" : " with " substr(label, 1, length(label) - length(", "))
}

# The cell of this line in a column.
function get(column) { return cell[at[column]] }

# "n^2.01 (2.00 .. 2.02)", from the columns with the prefix.
function growth(prefix,    a, interval) {
    a = sprintf("%.2f", get(prefix "a"))
    interval = sprintf(" (%.2f .. %.2f)", get(prefix "low95"), get(prefix "high95"))
    if (get("form") == "a^n") return a "^n" interval
    return "n^" a (get("form") == "n^a log n" ? " log n" : "") interval
}

function noise(prefix) {
    return get(prefix "noise") + 0 < 0.001 ? "< 0.001" : sprintf("%.3f", get(prefix "noise"))
}

# What is claimed, as a unit: without O( ), with N = n; nothing for an exponential.
function unit_of(claim) {
    gsub(/^[A-Za-z]*\(|\)$/, "", claim)
    return claim == "nN" ? "n^2" : claim == "exponential" ? "" : claim
}

function in_units(unit, n, steps) {
    if (unit == "") return sprintf("%.0f", steps)
    return sprintf("%.3f", steps / n ^ substr(unit, 3, 1) / (unit ~ /log/ ? log(n) / log(2) : 1))
}

FNR == 1 {
    file++
    for (i = split_csv($0, cell); i > 0; i--) at[cell[i]] = i
    if (file == 1) {
        print "| protocol | assumes | states | steps, claimed | start | steps, measured | over n |" \
              " noise | at all sizes | noise |\n|---|---|---|---|---|---|---|---|---|---|" > (out "/claims.md")
    } else
        print "family,n,trials,mean_steps,standard_error" > (out "/points.txt")
    next
}

{ split_csv($0, cell) }

file == 1 {
    f = get("family")
    p = get("protocol")
    order[++families] = f
    family_of[p, get("start")] = f
    protocol[f] = p
    start[f] = get("start") with_parameters(substr(f, length(p) + length(", ") + 1), get("start"))
    unit[f] = unit_of(get("claimed"))
    # The n of the last point is known when the points are read.
    head[f] = "| " p " | " get("assumes") " | " get("states") " | " get("claimed") " | " start[f] \
              " | **" growth("") "** | " get("from") " .. "
    tail[f] = " | " noise("") " | " growth("all_") " | " noise("all_") " |"
    if (!(p in text)) names[++count] = p
    text[p] = text[p] (p in text && text[p] != "" ? "; " : "") growth("") " from " start[f] \
              ", n >= " get("from")
}

file == 2 && get("hit") == get("target") {
    f = family_of[get("protocol"), get("start")]
    n = get("n")
    last[f] = n
    if (!((unit[f] == "", n) in seen)) {
        seen[unit[f] == "", n] = 1
        sizes[unit[f] == ""] = sizes[unit[f] == ""] " " n
    }
    mean[f, n] = in_units(unit[f], n, get("mean_steps")) " ± " \
                 in_units(unit[f], n, get("standard_error"))
    print "\"" f "\"," n "," get("count") "," get("mean_steps") "," get("standard_error") \
        > (out "/points.txt")
}

# The means of the families that grow exponentially, or of the others.
function write_means(exponential, name,    i, k, f, count, n, row, rule) {
    count = split(sizes[exponential], n, " ")
    row = "| protocol | start |" (exponential ? "" : " over |")
    rule = "|---|---|" (exponential ? "" : "---|")
    for (k = 1; k <= count; k++) { row = row " n = " n[k] " |"; rule = rule "---|" }
    print row "\n" rule > (out "/" name)
    for (i = 1; i <= families; i++) {
        f = order[i]
        if ((unit[f] == "") != exponential) continue
        row = "| " protocol[f] " | " start[f] " |" (exponential ? "" : " " unit[f] " |")
        for (k = 1; k <= count; k++) row = row " " mean[f, n[k]] " |"
        print row > (out "/" name)
    }
}

END {
    for (i = 1; i <= families; i++)
        print head[order[i]] last[order[i]] tail[order[i]] > (out "/claims.md")
    write_means(0, "means.md")
    write_means(1, "exponential.md")
    print "/* SPDX-License-Identifier: MIT\n *\n * Measured growth of the steps to the target," \
          " with 95 % intervals. Written by bench/table1.sh; not\n * for editing.\n */\n" \
          "// clang-format off" > (out "/fitted.h")
    printf "#define FITTED_GROWTH(X)" > (out "/fitted.h")
    for (i = 1; i <= count; i++)
        printf " \\\n    X(\"%s\", \"%s\")", names[i], text[names[i]] > (out "/fitted.h")
    print "" > (out "/fitted.h")
}
