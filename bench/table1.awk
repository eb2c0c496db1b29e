# Tells the CSV files of a report, growth.csv and points.csv, as tables; every figure is the
# report's own. Run by bench/table1.sh.
#   awk -v out=DIRECTORY -f table1.awk points.csv growth.csv
# writes claims.md, starts.md, means.md, exponential.md, fitted.h and points.txt there.

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

# The cell of this line in a column.
function get(column) { return cell[at[column]] }

# What is claimed, as a unit: without O( ), with N = n; nothing for an exponential.
function unit_of(claim) {
    gsub(/^[A-Za-z]*\(|\)$/, "", claim)
    return claim == "nN" ? "n^2" : claim == "exponential" ? "" : claim
}

function in_units(unit, n, steps) {
    if (unit == "") return sprintf("%.0f", steps)
    return sprintf("%.3f", steps / n ^ substr(unit, 3, 1) / (unit ~ /log/ ? log(n) / log(2) : 1))
}

# "5.01 (4.93 .. 5.09)" of a point.
function mean_text(unit, key, n) {
    return in_units(unit, n, mean[key, n]) \
        (low[key, n] == "" ? "" : " (" in_units(unit, n, low[key, n]) " .. " in_units(unit, n, high[key, n]) ")")
}

FNR == 1 {
    file++
    for (i = split_csv($0, cell); i > 0; i--) at[cell[i]] = i
    if (file == 1) print "protocol,start,n,trials,gave_up,mean_steps,low95,high95" > (out "/points.txt")
    next
}

{ split_csv($0, cell) }

file == 1 && get("hit") == get("target") && get("trials") > 0 {
    p = get("protocol"); s = get("start"); n = get("n") + 0; key = p SUBSEP s
    if (!(p in first_n)) { protocols[++protocol_count] = p; first_n[p] = n }
    if (!(key in last)) starts[p] = starts[p] (starts[p] == "" ? "" : " ") s
    if (n > largest[p]) largest[p] = n
    if (n > last[key]) last[key] = n
    if (!((p, n) in seen)) { seen[p, n] = 1; sizes[p] = sizes[p] " " n }
    mean[key, n] = get("mean_steps"); low[key, n] = get("mean_low95"); high[key, n] = get("mean_high95")
    print p "," s "," n "," get("trials") "," get("gave_up") "," get("mean_steps") "," \
        get("mean_low95") "," get("mean_high95") > (out "/points.txt")
}

file == 2 && get("along") == "n" {
    key = get("protocol") SUBSEP get("start")
    assumes[get("protocol")] = get("assumes"); states[get("protocol")] = get("states")
    claimed[get("protocol")] = get("claimed")
    verdict[key] = get("verdict")
    chi2[key] = get("chi2") == "" ? "" : sprintf("%.1f of %d", get("chi2"), get("degrees"))
    correction[key] = get("correction")
    gsub(/x/, "n", correction[key])
    sub(/sqrt/, "sqrt", correction[key])
    free[key] = sprintf(get("form") == "a^n" ? "%.2f^n" : "n^%.2f", get("a")) \
        (get("form") == "n^a log n" ? " log n" : "") \
        (get("a_low95") == "" ? "" : sprintf(" (%.2f .. %.2f)", get("a_low95"), get("a_high95")))
}

# Of the starts that were measured at all sizes, the one whose means are largest, on average over the
# sizes (of their logarithms: no size counts for more than another).
function worst_of(p,    count, name, i, k, total, n, sum, best, most) {
    count = split(starts[p], name, " ")
    total = split(sizes[p], n, " ")
    for (i = 1; i <= count; i++) {
        if (last[p, name[i]] < largest[p]) continue
        sum = 0
        for (k = 1; k <= total; k++) sum += log(mean[p, name[i], n[k]])
        if (best == "" || sum > most) { best = name[i]; most = sum }
    }
    return best
}

function smallest_common(p) { return largest[p] >= 64 ? (p ~ /^(fj06|aaf08)$/ ? 32 : 64) : largest[p] }

function write_means(p,    count, n, k, i, name, total, row, rule, file, head) {
    file = out (unit_of(claimed[p]) == "" ? "/exponential.md" : "/means.md")
    count = split(sizes[p], n, " ")
    row = "| " p ", " (unit_of(claimed[p]) == "" ? "mean steps" : "mean steps over " unit_of(claimed[p])) " |"
    rule = "|---|"
    for (k = 1; k <= count; k++) { row = row " n = " n[k] " |"; rule = rule "---|" }
    if (begun[file]++) print "" > file
    print row "\n" rule > file
    total = split(starts[p], name, " ")
    for (i = 1; i <= total; i++) {
        if (last[p, name[i]] < largest[p] || mean[p, name[i], largest[p]] == 0) continue
        row = "| " name[i] (name[i] == worst_of(p) ? ", the worst" : "") " |"
        for (k = 1; k <= count; k++) row = row " " mean_text(unit_of(claimed[p]), p SUBSEP name[i], n[k]) " |"
        print row > file
    }
}

END {
    print "| protocol | assumes | states | steps, claimed | worst named start | mean steps, measured over all sizes |" \
        " chi-squared | without the claim |\n|---|---|---|---|---|---|---|---|" > (out "/claims.md")
    for (i = 1; i <= protocol_count; i++) {
        p = protocols[i]; w = worst_of(p); key = p SUBSEP w
        print "| " p " | " assumes[p] " | " states[p] " | " claimed[p] " | " w " | **" verdict[key] "** | " \
            (chi2[key] == "" ? "" : chi2[key] ", " correction[key]) " | " free[key] " |" > (out "/claims.md")
        write_means(p)
        n = smallest_common(p)
        row = "| " p " | " n " |"
        count = split(starts[p], name, " ")
        for (k = 1; k <= count; k++)
            row = row (k > 1 ? "; " : " ") name[k] " " in_units(unit_of(claimed[p]), n, mean[p, name[k], n])
        print row " |" > (out "/starts.md.rows")
        text[p] = verdict[key] " (from " w ", the worst named start, n = " first_n[p] " .. " largest[p] ")"
    }
    close(out "/starts.md.rows")
    print "| protocol | n | mean steps over what is claimed, from each start |\n|---|---|---|" > (out "/starts.md")
    while ((getline line < (out "/starts.md.rows")) > 0) print line > (out "/starts.md")
    print "/* SPDX-License-Identifier: MIT\n *\n * Measured growth of the steps to the target," \
          " with 95 % intervals. Written by bench/table1.sh; not\n * for editing.\n */\n" \
          "// clang-format off" > (out "/fitted.h")
    printf "#define FITTED_GROWTH(X)" > (out "/fitted.h")
    for (i = 1; i <= protocol_count; i++)
        printf " \\\n    X(\"%s\", \"%s\")", protocols[i], text[protocols[i]] > (out "/fitted.h")
    print "" > (out "/fitted.h")
}
