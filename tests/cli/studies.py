#!/usr/bin/env python3
# The same for studies and their reports, which stay when the program has ended: studies.py PROGRAM.
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time

from asking import done, program, read, refused, run, write, try_all


def a_study_whose_file_is_gone_says_so():
    for act in (os.remove, lambda name: os.rename(name, "moved.db")):
        child = subprocess.Popen([program, *"study --db gone.db -n 64 --trials 1e6 --jobs 1".split()],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        rows = 0
        while rows == 0 and child.poll() is None:  # until the first trials are stored
            try:
                with sqlite3.connect("file:gone.db?mode=ro", uri=True) as file:
                    rows = file.execute("SELECT count(*) FROM trial").fetchone()[0]
            except sqlite3.Error:
                pass  # not made yet
        act("gone.db")
        out, err = child.communicate(timeout=120)
        assert child.returncode == 3, (child.returncode, err)
        assert err == b"ringleader: gone.db was removed or moved while it was in use\n", err
        for name in os.listdir("."):
            os.remove(name)


def a_preset_is_a_plan():
    told = done("study --db p.db --preset recovery --share 999999/1000000")  # none of the trials
    assert told.startswith("0 of 0 trials at 20 points in p.db"), told
    refused("study --db p.db --preset table1", "has another plan (--extend adds yours): only the file has 'protocol=prl; n=64; ")


def one_point_is_no_points():
    assert done("study --db p.db -n 8 --trials 1").startswith("1 of 1 trial at 1 point in p.db, 1 of them now")
    assert done("study --status p.db").startswith("p.db: 1 of 1 trial done\n")
    assert done("report p.db -o d").startswith("d/index.html: 1 trial at 1 point, ")


def a_width_is_a_number_of_points():
    done("study --db p.db -n 8 --trials 3 --quiet")
    for width in ("20", "2001pt", "240px", "240%", "pt", "nan"):
        refused(["report", "p.db", "-o", "d", "--width", width], "--width must be a number between 160 and 2000 (or in pt)")
    done("report p.db -o d --width 240pt")
    done("report p.db -o d --width 240")


def a_study_that_is_refused_leaves_no_file():
    done("study --db kept.db -n 4 --trials 2 --quiet")
    refused("study --db new.db -n 8 --salvage kept.db", "has another plan")
    refused("study --db new.db --salvage kept.db --share 2/0", "")
    refused("study --db other.db -n 8 --until-error 1% --share 1/2", "cannot be combined")
    assert sorted(os.listdir(".")) == ["kept.db"], os.listdir(".")
    write("empty", "")
    refused("study --db empty", "has no plan")
    refused("study --db empty -n 8 --until-error 1% --share 1/2", "cannot be combined")
    assert read("empty") == b""


def what_is_salvaged_is_a_file():
    refused("study --salvage /dev/zero --db z.db", "/dev/zero is not a file with anything in it", 3)
    refused("study --salvage /proc/self/mem --db z.db", "/proc/self/mem is not a file", 3)
    assert not os.path.exists("z.db")


def change(name, copy, sql):
    shutil.copy(name, copy)
    file = sqlite3.connect(copy, isolation_level=None)
    file.executescript("PRAGMA journal_mode=DELETE;" + sql)
    file.close()


def what_a_damaged_study_was_is_known_from_what_is_left():
    done("study --db a.db -n 8,12 --trials 20 --max-steps 1e6 --quiet")
    done("study --db a.db -n 8,12 --trials 30 --max-steps 1e6 --extend --quiet")
    csv = done("report a.db --csv -")
    for damage, saved in (
            ("PRAGMA page_size = 8192; VACUUM", 60),
            ("DELETE FROM plan", 60),  # points are enough
            ("UPDATE trial SET leader = 77 WHERE trial = 3", 58)):
        change("a.db", "b.db", damage)
        told = done("study --db c.db --salvage b.db")
        assert told.startswith(f"saved from b.db: {saved} trials at 2 points; up to {60 - saved} are"
                               " run again from their seeds, and hunts begin anew\n60 of 60 trials at 2 points"), (damage, told)
        assert sorted(done("report c.db --csv -").split()) == sorted(csv.split()), damage
        os.remove("c.db")
    change("a.db", "b.db", "DELETE FROM plan; DELETE FROM point")
    refused("study --db c.db --salvage b.db", "no point can be read", 3)
    done("study --db e.db -n 8 --until-error 20% --max-steps 1e6 --quiet")
    change("e.db", "b.db", "DELETE FROM plan; VACUUM")
    done("study --db f.db --salvage b.db --quiet")
    assert sqlite3.connect("f.db").execute("SELECT until_error FROM point").fetchall() == [(0.2,)]


def a_study_with_foreign_contents_is_refused():
    done("study --db a.db -n 8 --trials 3 --quiet")
    for sql, reason in (
            ("PRAGMA ignore_check_constraints=1; UPDATE share SET share = 9", "b.db is damaged"),
            ("DELETE FROM share", "b.db is damaged (its share is missing)")):
        change("a.db", "b.db", sql)
        refused("study --db b.db", reason, 3)
    for sql, reason in (
            ("ALTER TABLE plan RENAME TO other; CREATE VIEW plan AS"
             " SELECT abs(-9223372036854775808) AS id, 'x' AS text", "does not belong to a study"),
            ("CREATE TRIGGER t AFTER INSERT ON trial BEGIN DELETE FROM point; END",
             "its trigger 't' does not belong to a study"),
            ("DROP VIEW trials; CREATE VIEW trials AS SELECT 1",
             "its view 'trials' is not that of a study"),
            ("ALTER TABLE own ADD COLUMN more TEXT", "its table 'own' is not that of a study")):
        change("a.db", "b.db", sql)
        refused("study --db b.db", reason, 2)
        refused("report b.db --json", reason, 2)


def rows_of(name, sql):
    file = sqlite3.connect(name)
    found = file.execute(sql).fetchall()
    file.close()
    return found


def the_last_word_about_an_error_and_a_claim_holds():
    done("study --db a.db -n 8,12 --trials 40 --until-error 50% --quiet")
    assert rows_of("a.db", "SELECT count(*) FROM trials") == [(64,)]
    done("study --db a.db -n 8 --trials 40 --claim O(n) --extend --quiet")
    assert rows_of("a.db", "SELECT n, until_error, claim FROM point") == [(8, 0.0, "O(n)"), (12, 0.5, "")]
    assert rows_of("a.db", "SELECT count(*) FROM trials") == [(72,)]
    done("study --db a.db -n 8 --trials 41 --until-error 90% --claim O(n^2) --extend --quiet")
    assert rows_of("a.db", "SELECT until_error, claim, trials FROM point") == [(0.9, "O(n^2)", 41), (0.5, "", 40)]
    assert rows_of("a.db", "SELECT count(*) FROM trials") == [(72,)]  # what is precise enough is done


def trials_that_gave_up_are_not_precise():
    done("study --db a.db -n 32 --trials 50 --until-error 20% --max-steps 3000 --seed 3 --quiet")
    assert rows_of("a.db", "SELECT count(*), max_steps FROM trials") == [(50, 3000)]
    assert rows_of("a.db", "SELECT count(*) FROM trials WHERE steps IS NULL AND NOT reached")[0][0] > 30
    assert rows_of("a.db", "SELECT count(*) FROM trials WHERE (steps IS NULL) = reached") == [(0,)]


def every_output_with_a_mean_says_how_many_gave_up():
    told = done("study --db a.db -n 8,16,32,64 --trials 20 --max-steps 20000")
    gave_up = rows_of("a.db", "SELECT count(*) - count(steps) FROM trials WHERE n = 64")[0][0]
    assert 0 < gave_up < 10, gave_up  # so that the median is known
    assert f"{gave_up} trials gave up before the target: the means of their points are lower bounds" in told, told
    assert json.loads(done("study --db a.db --json"))["gave_up"] == gave_up
    assert json.loads(done("study --status a.db --json"))["gave_up"] == gave_up
    assert re.search(rf" 20/20 +{gave_up} .* n=64; ", done("study --status a.db")), done("study --status a.db")
    answer = json.loads(done("report a.db --json"))
    last = answer["means"][3]
    assert (last["gave_up"], last["mean_is_lower_bound"], last["low"]) == (gave_up, True, None), last
    assert last["median"] > 0 and not answer["means"][2]["mean_is_lower_bound"]
    # The fit leaves that size out, and says so wherever its verdict stands.
    without = "; without 64, where trials gave up"
    assert answer["families"][0]["verdict"].endswith(" times nN" + without), answer["families"]
    assert answer["families"][0]["points"] == 3
    done("report a.db -o r")
    page, points = read("r/index.html").decode(), read("r/points.csv").decode()
    assert f"{gave_up} of 80 trials gave up before the target" in page
    assert re.search(rf"<b>≥ [0-9,]+</b>; {gave_up} of 20 gave up", page) and "<td>unknown" in page
    assert re.search(rf"^prl,64,.*,S_RL,S_RL,{20 - gave_up},{gave_up},>=,", points, re.M), points
    for name in ("growth.csv", "growth.tex", "index.html"):
        assert without in read("r/" + name).decode(), name
    assert "Points where trials gave up are not drawn." in page
    assert ",64," not in read("r/plots/01-claims.csv").decode(), "a limit is drawn as if it were measured"
    done("study --db one.db -n 64 --trials 1 --max-steps 9 --quiet")
    done("report one.db -o one")
    assert b"<td>unknown" in read("one/index.html")


def easy_starts_are_left_out_on_large_rings():
    small = "trials = 20; grid; n = 16, 32; start = random, opposite, safe, bullets"
    write("small", small)
    write("plan", small + "; grid; n = 64, 128; start = random, opposite, safe, bullets; easy = 50\n"
                  "grid; n = 128; start = safe")  # who does not say it is easy wants it
    told = done("study --db a.db --plan plan --jobs 1")
    measured = rows_of("a.db", "SELECT start, group_concat(DISTINCT n) FROM trials GROUP BY 1 ORDER BY 1")
    assert measured == [("bullets", "16,32,64,128"), ("opposite", "16,32"), ("random", "16,32,64,128"),
                        ("safe", "16,32,128")], measured
    means = dict(rows_of("a.db", "SELECT start, avg(steps) FROM trials WHERE n = 32 GROUP BY 1"))
    worst = max(means.values())
    assert means["opposite"] < 0.5 * worst < means["random"], means
    left_out = [f"prl from {start} for n >= 64, easy at n = 32: {means[start]:,.0f} of {worst:,.0f} mean steps"
                for start in ("opposite", "safe")]
    lines = "".join(f"left out: {line}\n" for line in left_out)
    assert lines in told and lines in done("study --status a.db"), told
    assert json.loads(done("study --status a.db --json"))["left_out"] == 3
    assert json.loads(done("report a.db --json"))["easy"] == "; ".join(left_out)
    done("report a.db -o r")
    page = read("r/index.html").decode()
    assert f"Easy starts were left out: {'; '.join(left_out)}." in page.replace("&gt;", ">")
    # In two goes, on two threads: the same.
    done("study --db b.db --plan small --quiet")
    done("study --db b.db --plan plan --extend --jobs 2 --quiet")
    rows = "SELECT start, n, trial, steps FROM trials ORDER BY 1, 2, 3"
    assert rows_of("a.db", rows) == rows_of("b.db", rows)
    assert json.loads(done("study --db a.db --json"))["done_now"] == 0
    # By options, the smallest rings show which starts are easy.
    done("study --db d.db -n 16..64x2 --start opposite,bullets --trials 20 --easy 60 --quiet")
    assert rows_of("d.db", "SELECT start, n, count(*) FROM trials GROUP BY 1, 2") == [
        ("bullets", 16, 20), ("bullets", 32, 20), ("bullets", 64, 20), ("opposite", 16, 20)]
    refused("study --db c.db -n 16,32 --easy 50 --share 1/2", "--share and --easy cannot be combined")


def the_hardest_start_of_each_protocol_stands_beside_the_others():
    write("plan", "trials = 10; grid; protocol = prl, fj06; n = 8, 16, 32; start = safe, random\n"
                  "grid; n = 4, 8, 16; N = 64n; start = leaderless")  # harder, but on smaller rings
    done("study --db a.db --plan plan --quiet")
    done("report a.db -o r")
    shown = {line.split('",points')[0] for line in read("r/plots/02-overview.csv").decode().splitlines() if "points" in line}
    assert shown == {'"prl, N=n, random', '"fj06, random'}, shown


def points_that_differ_only_in_their_limit_stay_apart():
    for limit in (1000000, 1000001):  # the same runs: together they would look twice as sure
        done(f"study --db a.db -n 8,16,32 --trials 5 --max-steps {limit} --extend --quiet")
    families = json.loads(done("report a.db --json"))["families"]
    assert [(f["label"], f["points"]) for f in families] == [
        (f"prl, N=n, random, at most 1,000,00{k} steps", 3) for k in (0, 1)], families


def files_that_contradict_each_other_are_refused():
    done("study --db a.db -n 8 --trials 5 --quiet")
    [(steps, events)] = rows_of("a.db", "SELECT steps, events FROM trial WHERE trial = 3")
    change("a.db", "b.db", f"UPDATE trial SET steps = steps + 1, hits = replace(hits, {steps}, {steps + 1})"
                           " WHERE trial = 3")
    for words in ("-o r", "--json", "--csv -"):
        refused(f"report a.db b.db {words}", f"has {steps} steps and {events} events in one,"
                f" {steps + 1} and {events} in the other", 3)
    assert not os.path.exists("r")
    change("a.db", "b.db", "UPDATE trial SET events = events + 1 WHERE trial = 3")
    refused("report b.db a.db --json", f"{events + 1} events in one, {steps} and {events} in the other", 3)


def starts_of_one_name_are_not_mixed():
    for name, ring in (("a", "0L 1 2b 3 0L 1 2 3s"), ("b", "0Ls 0Ls 0Ls 0Ls 0Ls 0Ls 0Ls 0Ls")):
        write("worst", ring)
        done(f"study --db {name}.db -n 8 --start worst --trials 5 --quiet")
    refused("report a.db b.db --json", "the files have different starts called worst: make a report of each")
    shutil.copy("a.db", "c.db")
    assert json.loads(done("report a.db c.db --json"))["trials"] == 5


def a_start_from_a_file_is_kept():
    os.mkdir("starts")
    ring = "0L 1 2b 3 0L 1 2 3s\n"
    write("starts/worst.txt", ring)
    done("study --db a.db -n 8 --start random,starts/worst.txt --trials 3 --quiet")
    shutil.rmtree("starts")
    write("same", ring)
    assert rows_of("a.db", "SELECT name, text FROM start") == [("worst.txt", ring)]
    for trial, steps in rows_of("a.db", "SELECT trial, steps FROM trials WHERE start = 'worst.txt'"):
        told = json.loads(done(f"elect -n 8 --start same --trial {trial} --json"))
        assert told["steps"] == steps, (trial, told)
    assert "6 of 6 trials" in done("study --db a.db --extend -n 8 --trials 3")
    assert not os.path.exists("a.db-wal"), "the file was not closed"
    done("report a.db -o r")
    refused("study --db b.db -n 9 --start same --trials 3", "--start: ")
    write("worst.txt", "0L 1 2 3 4 5 6 7\n")
    refused("study --db a.db -n 8 --start worst.txt --extend", "the study has another start called worst.txt")
    refused("study --db b.db -n 8 --start nowhere.txt", "prl has no start nowhere.txt")
    write("a b", ring)
    refused(["study", "--db", "b.db", "-n", "8", "--start", "a b"], "the name of a start has at most 47 letters")
    assert not os.path.exists("b.db")


def what_comes_after_the_hit_is_stored():
    write("plan", "n = 20; after = 0, 0; trials = 2")
    refused("study --db b.db --plan plan", "line 1, column 17: '0, 0' is not a count")
    done("study --db a.db -n 20 --after 1000 --trials 4 --quiet")
    done("study --db a.db -n 20 --trials 4 --extend --quiet")
    longer = rows_of("a.db", "SELECT steps, events FROM trials WHERE after = 1000 ORDER BY trial")
    shorter = rows_of("a.db", "SELECT steps, events FROM trials WHERE after = 0 ORDER BY trial")
    assert [row[0] for row in longer] == [row[0] for row in shorter]
    assert all(a[1] > b[1] for a, b in zip(longer, shorter))
    told = json.loads(done("elect -n 20 --after 1000 --trial 2 --json"))
    assert (told["steps"], told["events"], told["after"]) == (*longer[2], 1000), told
    done("elect -n 20 --after 1000 --trace t")
    assert json.loads(done("replay t --json"))["steps"] == told_steps("elect -n 20 --json") + 1000
    refused("elect -n 20 --after 5 --until steps=9", "--after needs a run that ends with the hit of a set")


def told_steps(words):
    return json.loads(done(words))["steps"]


def a_parameter_with_the_name_of_a_column_is_told_apart():
    done("study --db a.db -n 8 -N 1n,2n --trials 2 --quiet")
    assert rows_of("a.db", "SELECT parameter_N, count(*) FROM trials GROUP BY 1") == [(8, 2), (16, 2)]
    assert rows_of("a.db", "SELECT spelling FROM point")[1][0].startswith("protocol=prl; n=8; N=2n; "), \
        rows_of("a.db", "SELECT spelling FROM point")


def a_copy_without_its_log_says_so():
    child = subprocess.Popen([program, *"study --db a.db -n 200 --trials 1000000 --jobs 1 --quiet".split()])
    while not os.path.exists("a.db-wal") or os.path.getsize("a.db-wal") < 100000:
        assert child.poll() is None  # nobody looks into it, so that what is begun stands in the file
    shutil.copy("a.db", "copy.db")
    child.terminate()
    child.wait(timeout=60)
    told = run("study --status copy.db")
    assert told.returncode == 0 and b"copy.db-wal is missing" in told.stderr, told
    told = run("study --status a.db")
    assert told.returncode == 0 and told.stderr == b"", told


def planned_trials_take_no_memory():
    done("study --db a.db -n 4 --trials 3 --quiet")
    change("a.db", "b.db", "UPDATE point SET trials = 4000000000")
    with open("out", "wb") as out:
        child = subprocess.Popen([program, "study", "--status", "b.db"], stdout=out)
        _, ended, used = os.wait4(child.pid, 0)
    assert ended == 0 and used.ru_maxrss < 100 * 1024, (ended, used.ru_maxrss)


def a_study_waits_for_another_program():
    done("study --db busy.db -n 4 --trials 1 --quiet")
    other = sqlite3.connect("busy.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    child = subprocess.Popen([program, *"study --db busy.db -n 4,6 --trials 2 --extend".split()],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(2)
    assert child.poll() is None, child.communicate()
    other.execute("ROLLBACK")
    other.close()
    out, _ = child.communicate(timeout=120)
    assert child.returncode == 0 and b"4 of 4 trials" in out, out


def a_study_can_be_read_where_nothing_can_be_written():
    os.mkdir("shelf")
    done("study --db shelf/old.db -n 4 --trials 3 --quiet")
    csv = done("report shelf/old.db --csv -")
    os.chmod("shelf", 0o555)
    like_anybody = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]

    def run_like_anybody(words):
        return subprocess.run([*(like_anybody if os.geteuid() == 0 else []), program, *words.split()],
                              capture_output=True, check=False)
    told = run_like_anybody("report shelf/old.db --csv -")
    more = run_like_anybody("study --db shelf/old.db -n 4,5 --trials 3 --extend")
    os.chmod("shelf", 0o755)
    # A log that is not in the file yet, with an index that cannot be read.
    writer = sqlite3.connect("shelf/old.db", isolation_level=None)
    writer.execute("UPDATE session SET workers = 1")
    os.chmod("shelf/old.db-shm", 0)
    os.chmod("shelf", 0o555)
    logged = run_like_anybody("report shelf/old.db --csv -")
    os.chmod("shelf", 0o755)
    writer.close()
    assert (logged.returncode, logged.stdout) == (3, b""), logged
    assert logged.stderr == b"ringleader: shelf/old.db: unable to open database file\n", logged
    assert told.returncode == 0 and told.stdout.decode() == csv, told
    assert (more.returncode, more.stderr) == (3, b"ringleader: shelf/old.db is write-protected\n"), more


def what_is_impossible_or_missing_in_a_study_is_told():
    done("study --db rows.db -n 4 --trials 5 --quiet")
    file = sqlite3.connect("rows.db", isolation_level=None)
    file.execute("UPDATE trial SET leader = 77 WHERE trial = 3")
    file.close()
    told = done("study --db left.db -p prl,fj06 -n 4 --start shielded,opposite --trials 1")
    assert told.startswith("3 of 3 trials at 3 points"), told
    shutil.copy("rows.db", "mended.db")
    told = done("study --db mended.db")
    assert told.startswith("1 trials in the file were impossible and are run again\n5 of 5"), told
    told = run("report rows.db -o page")
    assert told.returncode == 0 and b"1 rows were impossible and are left out" in told.stderr, told
    assert b"impossible" in read("page/index.html")
    file = sqlite3.connect("rows.db", isolation_level=None)
    file.execute("DELETE FROM trial")
    file.close()
    refused("report rows.db -o page", "rows.db has no trials yet")


def a_claim_is_written_as_it_is_read():
    claim = 'O(n^2) ~ "as said" \\alpha_1'
    write("plan", f"n = 4, 6, 8; trials = 3; claim = {claim}")
    done("study --db c.db --plan plan --quiet")
    done("report c.db -o c")
    quoted = claim.replace('"', '""')
    assert f'"{quoted}"' in read("c/growth.csv").decode()
    tex = read("c/growth.tex").decode()
    assert r'O(n$^{2}$) \textasciitilde{} "as said" \textbackslash{}alpha\_1' in tex and "nan" not in tex, tex


def plans_that_differ_say_in_what():
    done("study --db d.db -n 8 --trials 2 --quiet")
    there = "protocol=prl; n=8; N=8; start=random; trials=2"
    for words, here in (("--seed 2", there.replace("trials", "seed=2; trials")),
                        ("--max-steps 99", there.replace("trials", "max-steps=99; trials")),
                        ("--until-error 5%", there + "; until-error=5%")):
        refused(f"study --db d.db -n 8 --trials 2 {words}", f"only the file has '{there}', only yours '{here}'")
    refused("study --db d.db -n 8,9 --trials 2", f"only the file has '', only yours '{there.replace('8', '9')}'")
    with open("plan", "wb") as file:
        file.write(b"n = 8\0")
    refused("study --db d.db --plan plan", "is not a text")
    refused(["study", "--db", "f.db", "-n", "8", "--fault", "+".join(f"1@{i}" for i in range(100))], "faults in a trial")


def a_report_says_what_it_leaves_out():
    done("study --db many.db -n 4,6 -N 10..79 --trials 1 --quiet")
    told = run("report many.db -o many")
    assert told.returncode == 0 and told.stdout.endswith(b" 64 plots\n"), told
    assert re.fullmatch(rb"ringleader: [0-9]+ plots were left out: a report has at most 64\n", told.stderr), told
    refused(["report", "many.db", "-o", "d/" * 2040], "cannot be made", 3)
    # More protocols than a plot has styles for.
    everybody = [protocol["name"] for protocol in json.loads(done("protocols --json"))["protocols"]]
    write("plan", "trials = 2; grid; protocol = prl; n = 6, 8; "
                  f"grid; protocol = {', '.join(set(everybody[1:]) - {'prl-dummy', 'fences'})}; n = 5, 7, 9")
    done("study --db all.db --plan plan --quiet")
    done("report all.db -o all")
    overview = read("all/plots/02-overview.svg").decode()
    shown = [name for name in everybody if f">{name}, " in overview]
    assert len(everybody) > 8 and len(shown) == 8, shown


sys.exit(try_all(globals()))
