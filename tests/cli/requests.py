#!/usr/bin/env python3
# What the command line does with requests that are nearly right, and with a world that is not:
# requests.py PROGRAM. Nothing is lost, nothing is silent, nothing is printed where it does not belong.
import json
import os
import re
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
import time

from asking import done, interrupted, listening, program, read, refused, run, scratch, write, try_all


# ---- files ------------------------------------------------------------------------------------


def no_output_is_an_input_or_another_output():
    done("study --db a.db -n 8 --trials 3 --quiet")
    write("f", "0 1 2 3\n")
    write("s", "seqR 0 3\n")
    done("elect -n 4 --trace t.rlt --json")
    os.link("a.db", "hard.db")
    os.symlink("a.db", "soft.db")
    os.mkdir("d")
    os.symlink("..", "d/up")
    before = {name: read(name) for name in ("a.db", "f", "s", "t.rlt")}
    want = "need two different files, not one"
    for csv in ("a.db", "./a.db", "hard.db", "soft.db", "d/up/a.db", scratch + "/a.db"):
        refused(["report", "a.db", "--csv", csv], want)
    for other in ("f", "./f"):
        refused(["elect", "-n", "4", "--start", "f", "--timeline", other], want)
        refused(["elect", "-n", "4", "--start", "f", "--end", other], want)
        refused(["explore", "-n", "4", "--from", "f", "--trace", other], want)
        refused(["verify", "-n", "4", "--start", "f", "--distribution", other], want)
    refused("elect -n 4 --schedule s --trace s", want)
    refused("elect -n 4 --timeline new --trace ./new", want)
    refused("elect -n 4 --end new.svg --picture new.svg", want)
    refused("draw t.rlt -o ./t.rlt", want)
    refused("study --db s --plan s", want)
    refused("study --db a.db --salvage hard.db", want)
    refused("elect -n 4 --start - --schedule -", want)
    for name, content in before.items():
        assert read(name) == content, name
    assert not os.path.exists("new")


def standard_output_has_one_thing_on_it():
    timeline = run("elect -n 10 --start safe --timeline -")
    assert all(b"," in line for line in timeline.stdout.splitlines()), timeline.stdout
    assert b"leader" in timeline.stderr
    trace = run("elect -n 10 --trace -").stdout
    told = run("replay - --json", text=None, stdin=None) if not trace else subprocess.run(
        [program, "replay", "-", "--json"], input=trace, capture_output=True)
    assert told.returncode == 0 and json.loads(told.stdout)["right"], told
    refused("elect -n 10 --trace - --timeline -", "need two different files")
    refused("elect -n 10 --trace - --json", "nothing else can go to standard output")
    done("study --db one.db -n 8 --trials 3 --quiet")
    refused("report one.db --json -o d", "cannot be combined")
    refused("report one.db --json --csv -", "cannot be combined")


def closed_streams_do_not_run_into_files():
    for closed in (0, 1, 2):
        words = [program, "elect", "-n", "10", "--watch", "--trace", "b.rlt"]
        shell = ["sh", "-c", f'exec "$@" {closed}>&-', "sh", *words]
        subprocess.run(shell, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if os.path.exists("b.rlt"):
            done("replay b.rlt --json")
            os.remove("b.rlt")
    assert subprocess.run(["sh", "-c", 'exec "$0" protocols >&-', program], capture_output=True,
                          check=False).returncode == 3


def a_file_that_is_replaced_keeps_its_mode_and_its_links():
    write("private.csv", "")
    os.chmod("private.csv", 0o600)
    os.symlink("private.csv", "link.csv")
    os.symlink("nothing-yet.csv", "dangling.csv")
    refused("elect -n 10 --timeline dangling.csv", "dangling.csv cannot be written: No such file", 3)
    for name in ("private.csv", "link.csv"):
        done(["elect", "-n", "10", "--timeline", name])
    assert stat.S_IMODE(os.stat("private.csv").st_mode) == 0o600
    assert os.path.islink("link.csv") and read("private.csv").startswith(b"step,")
    long = "x" * 250 + ".csv"
    done(["elect", "-n", "10", "--timeline", long])
    assert read(long) == read("private.csv")


def a_signal_leaves_no_part_of_a_file():
    os.mkdir("signals")
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup takes it away, and children inherit that
    words = "elect -n 100 --until steps=1e15 --engine step --timeline signals/t.csv --trace signals/t.rlt"
    for number in (signal.SIGHUP, signal.SIGPIPE, signal.SIGKILL):
        child = subprocess.Popen([program, *words.split()], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        # Its files are open when there are more descriptors than the three streams.
        while len(os.listdir(f"/proc/{child.pid}/fd")) < 5 and child.poll() is None:
            pass
        child.send_signal(number)
        assert child.wait() == -number
        assert os.listdir("signals") == [], (number, os.listdir("signals"))


def a_second_interrupt_ends_it_at_once():
    child = listening("elect -n 100 --until steps=1e15 --engine step")
    # Both are there before it can do anything about the first.
    for number in (signal.SIGSTOP, signal.SIGINT, signal.SIGTERM, signal.SIGCONT):
        child.send_signal(number)
        if number == signal.SIGSTOP:
            os.waitpid(child.pid, os.WUNTRACED)
    assert child.wait() in (-signal.SIGINT, -signal.SIGTERM), child.returncode


def an_interrupted_election_says_so_and_its_files_are_whole():
    long = "elect -n 2000 -N 2e7 --start leaderless --engine step"  # for hours
    out, err = interrupted(long + " --trace t.rlt --timeline t.csv")
    assert re.search("^ended    at step [0-9,]*, interrupted, before S_RL$", out, re.M) and not err, (out, err)
    done("replay t.rlt")
    assert read("t.csv").startswith(b"step,leaders,live_bullets,dummy_bullets,signals,insecure_agents,maximal_dist\n")
    out, err = interrupted(long + " --json", signal.SIGTERM)
    assert '"reached":false' in out and '"interrupted":true' in out and not err, (out, err)
    # One that goes on beyond the hit says nothing of it.
    out, _ = interrupted("elect -n 20 --start safe --engine step --until steps=1e15")
    assert re.search("^ended    at step [0-9,]*, interrupted$", out, re.M), out


def what_is_interrupted_leaves_nothing_half_written():
    for words, told in (("draw -n 2000 -N 2e7 --start leaderless --engine step -o p.svg", "interrupted"),
                        ("verify -n 4 --start random --jobs 1 --distribution p.csv", "interrupted after .* s"),
                        ("verify -n 6 --only closure --trace v.rlt", "interrupted after .* s")):
        out, err = interrupted(words)
        assert re.fullmatch(f"ringleader: {told}\n", err) and not out, (words, out, err)
        assert os.listdir(".") == [], (words, os.listdir("."))


def several_outputs_appear_together_or_not_at_all():
    os.mkdir("outputs")
    ours = {"timeline": "t.csv", "trace": "t.rlt", "end": "end.txt", "picture": "p.svg"}
    for full in ("timeline", "end", "trace"):
        words = ["elect", "-n", "10"]
        for option, name in ours.items():
            words += ["--" + option, "/dev/full" if option == full else "outputs/" + name]
        refused(words, "/dev/full could not be written", 3)
        assert os.listdir("outputs") == [], (full, os.listdir("outputs"))
    refused("prove -p fj06 --trace outputs/t.rlt --dot outputs/p.dot --certificate /dev/full",
            "/dev/full could not be written", 3)
    # Longer than a buffer, so that the first part of it is refused already.
    refused("prove -p prl-oracle --certificate /dev/full", "/dev/full could not be written", 3)
    refused("explore -n 2 -N 3000 --from leaderless --trace /dev/full", "/dev/full could not be written", 3)
    refused("ring -n 3 --rate 500 --hold 0.2 --start-out outputs/s --schedule-out /dev/full",
            "/dev/full could not be written", 3)
    assert os.listdir("outputs") == []


def a_file_that_may_not_grow_is_told_as_a_full_disk_is():
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
    refused("elect -n 1000 --trace large.rlt", "large.rlt could not be written", 3, preexec_fn=limit)
    assert not os.path.exists("large.rlt")


def descriptors_that_run_out_are_told():
    def few(count):
        return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (count, count))
    os.environ["UCX_VFS_ENABLE"] = "n"  # or a thread of a library below MPI complains, too
    refused("elect -n 5 --timeline t.csv --trace -", "standard output could not be written: Too many open",
            3, preexec_fn=few(4))
    refused("ring -n 8", "node 1 has no socket:", 3, preexec_fn=few(5))
    refused("ring -n 8", "node 1 has no log: Too many open files", 3, preexec_fn=few(6))


# ---- values and company -----------------------------------------------------------------------


def a_fault_does_not_come_after_the_end():
    reason = "comes after the end of the run"
    refused("elect -n 10 --seed 3 --fault 1@5000 --max-steps 3000", reason)
    refused("elect -n 10 --fault 1@21 --until steps=20", reason)
    refused("elect -n 10 --fault 1@7 --schedule -", reason, text="(seqR 9 0 (4)^1)^2")
    refused("study --db f.db -n 10 --fault none,1@5000 --max-steps 3000", reason)
    done("elect -n 10 --fault 1@6 --schedule -", 1, text="(seqR 9 0 (4)^1)^2")
    assert not os.path.exists("f.db")


def what_cannot_be_computed_cannot_be_forced():
    for words in ("-n 3 -N 0", "-n 3 -N 1e9", "-p fences -n 2 --patience 4294967295",
                  "-p ppl -n 3 --psi 0", "-p ppl -n 3 --kmax 1e6", "-p aaf08 -n 3 --k 0"):
        refused(f"verify {words} --force", "")
    assert json.loads(done("verify -n 3 -N 2 --force --jobs 1 --json", 1))["N"] == 2


def a_start_makes_states_or_refuses():
    reason = "no start 'safe' with these parameters"
    refused("explore -n 3 -N 2 --force --from safe", reason)
    refused("verify -n 3 -N 2 --force --distribution d.csv --start safe", reason)
    refused("elect -p ppl -n 8 --psi 2", "n = 8 is not below psi 2^psi = 8: the IDs of 4 segments")
    refused("export -n 5 --format prism", "a model of 312500000 configurations is too long", 3)
    assert not os.path.exists("d.csv")


def an_option_without_meaning_is_a_mistake():
    done("elect -n 4 --trace m.rlt --json")
    done("study --db m.db -n 8 --trials 3 --quiet")
    for words in ("verify -n 2 --seed 3", "verify -n 2 --start safe", "verify -n 2 --invariant S_RL",
                  "explore -n 3 --from safe --distribution d.csv", "explore -n 3 --from safe --exact",
                  "export -n 2 --format prism --json", "export -n 2 --format prism --trace t",
                  "study --db k.db -n 9 --k 3", "study --status m.db -n 9", "study --status m.db --db k.db",
                  "study --db k.db --extend", "study --db k.db -n 9 --quiet --json",
                  "draw m.rlt --seed 5 -o p.svg", "draw --ring safe -n 5 --rows 9 -o p.svg",
                  "replay m.rlt --at 3 --events", "report m.db --title T --json",
                  "elect -n 5 --seed 1 --seed 2", "elect -n 5 --json --watch",
                  "verify -n 2 --only closure --distribution d"):
        refused(words, "")
    for name in ("d.csv", "k.db", "p.svg", "t"):
        assert not os.path.exists(name), name
    refused("verify -n 2 --seed zzz --start nosuch", "--seed needs --distribution")
    refused("study --db k.db -n 9 --k garbage", "no protocol of the grid has this parameter")


def counts_are_whole():
    for words in ("elect -n 5.5", "elect -n 5 --seed 0.5", "elect -n 5 --trial 1.5e0",
                  "study --db w.db -n 5.5", "study --db w.db -n 5 --seed 0.5",
                  "protocols -n 2.5", "verify -n 2 --jobs 1.5"):
        refused(words, "is not a count")
    for words in ("elect -p fj06 -n 5 --oracle delay=1e18", "elect -p fj06 -n 5 --delay 1e18"):
        refused(words, "delay" if "--delay" in words else "oracle")
        refused(words, "below 2^32")
    refused("study --db w.db -p fj06 -n 5 --delay 1e18", "--delay: 1e18 is too large")


def nothing_is_not_an_amount():
    refused("explore -n 3 --from leaderless --memory 0", "--memory must be 1 or more, not 0")
    refused("verify -n 3 --memory 0", "--memory must be 1 or more, not 0")
    reason = "max-steps is at least 1"
    refused("elect -n 5 --max-steps 0", reason)
    refused("study --db z.db -n 5 --max-steps 0", reason)
    write("plan", "n = 5; max-steps = 0")
    refused("study --db z.db --plan plan", reason)
    assert not os.path.exists("z.db")


def a_command_line_may_be_long():
    told = json.loads(run(["elect", "-n", "5", *["--fault", "1@5"] * 200, "--json"]).stdout)
    assert len(told["faults"]) == 200, told
    with open("log", "w") as file:
        file.write("boot 0\n")
    for logs in (62, 63, 64, 300):
        told = run(["ring", "--check", "-N", str(logs), *["log"] * logs])
        assert told.returncode in (0, 1), told


def the_example_of_agent_h_runs():
    header = os.path.join(os.path.dirname(__file__), "../../include/ringleader/agent.h")
    with open(header) as file:
        comment = file.read().split("*/")[0]
    lines = [line[7:] for line in comment.splitlines() if line.startswith(" *     ")]
    first, last = (lines.index(next(line for line in lines if word in line)) for word in ("VARIABLES", "bool leads"))
    write("example.c", "\n".join(lines[first:last + 1]) + "\n")
    done("elect -p example.c -n 2 --until steps=10")


def too_much_is_refused():
    refused(["study", "--db", "y" * 5000, "-n", "4"], "the path of the database is too long")


def the_seed_chooses_where_a_distribution_starts():
    tables = []
    for seed in (1, 2, 1):
        done(f"verify -n 3 --distribution p.csv --start random --seed {seed} --jobs 1")
        tables.append(read("p.csv"))
    assert tables[0] == tables[2] != tables[1]


# ---- what is printed --------------------------------------------------------------------------


def json_is_valid_whatever_happens():
    name = b"not-utf8-\xff\xc3.txt"
    with open(name, "wb") as file:
        file.write(b"0 1 2 3\n")
    told = json.loads(run([b"elect", b"-n", b"4", b"--start", name, b"--json"]).stdout)
    assert os.fsencode(told["start"]) == name, told
    answer = json.loads(done("verify -p prl-dummy -n 2 --jobs 1 --json", 1))
    json.dumps(answer, allow_nan=False)


def an_early_interrupt_is_json_too():
    done("prove -p fj06 --certificate whole")
    write("long", target_for_ever(read("whole").decode(), 3000))
    for words in ("verify -n 5 --jobs 1 --json", "explore -p fences -n 12 --from random --reaches S_F --json",
                  "prove -p aaf08 --k 2 --json", "prove --check long --json"):
        out, _ = interrupted(words)
        answer = json.loads(out)
        assert answer["interrupted"] is True and answer.get("all_well", answer.get("holds")) is None
        assert ("protocol" in answer) != ("--check" in words), answer


def a_complaint_is_one_line_with_its_reason():
    refused(["elect", "-n", "5", "--start", "no\nsuch\x1bfile"], r"no\nsuch\x1bfile")
    long = "y" * 3000
    refused(["elect", "-n", long], "is not a count: write 1000")
    refused(["elect", "-n", "5", "-p", long], "(see ringleader protocols)")
    refused(["replay", "/".join(["z"] * 1000)], "No such file or directory")
    done("study --db g.db -n 8 --trials 3 --quiet")
    with sqlite3.connect("g.db") as file:
        file.execute("UPDATE point SET spec = 'garbage'")
    result = run("report g.db --csv -")
    assert result.returncode in (2, 3) and b"(null)" not in result.stderr, result


def a_pipe_is_a_file_to_start_from():
    os.mkfifo("pipe")
    writer = subprocess.Popen(["sh", "-c", "echo 0 1 2 3 >pipe"])
    assert json.loads(done("elect -n 4 --start pipe --json"))["n"] == 4
    writer.wait()
    os.mkdir("directory")
    refused("elect -n 4 --start directory", "Is a directory", 3)
    refused("elect -n 4 --start /dev/zero", "/dev/zero: File too large", 3)
    write("secret", "0 1 2 3\n")
    os.chmod("secret", 0)
    # Root is let in everywhere, unless it gives that up.
    like_anybody = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    told = subprocess.run([*(like_anybody if os.geteuid() == 0 else []), program, "elect", "-n", "4",
                           "--start", "secret"], capture_output=True, check=False)
    assert told.returncode == 3 and told.stderr.count(b"\n") == 1, told
    assert b"Permission denied" in told.stderr, told


def target_for_ever(certificate, agents):
    """The certificate, with a target that is as it was on rings of fewer agents, and all of larger ones."""
    head, _, rest = certificate.partition("automaton 7\n")
    rows = [[int(number) for number in line.split()] for line in rest.splitlines()[:7]]
    lines = [f"automaton {7 * agents + 7}"]
    for read_so_far in range(agents + 1):
        after = min(read_so_far + 1, agents)
        for accepts, *following in rows:
            lines.append(f"{int(accepts or read_so_far == agents)}  "
                         + " ".join(str(7 * after + state) for state in following))
    return head + "\n".join(lines + rest.splitlines()[7:]) + "\n"


def every_damage_of_a_certificate_is_told():
    answer = json.loads(done("prove -p fj06 --certificate whole --json"))["every_n"]
    assert answer["fails_at"] == [2] and answer["shown_by"] == {"start": "LB Ls", "arcs": []}, answer
    whole = read("whole").decode()
    assert json.loads(done("prove --check whole --json"))["self_stabilizing_from"] == 3
    for old, new, status, reason in (
            ("certificate 3", "certificate 2", 3, "a number from 3 to 3"),
            ("program_version", "version", 3, "expected program_version"),
            ("assumes defined-c", "assumes nothing", 3, "expected defined-c"),
            ("  4 1", "  4 0", 1, "n = 4 is self-stabilizing, enumerated again"),
            ("  2 0", "  2 1", 1, "n = 2 is not self-stabilizing, enumerated again"),
            ("delay 0", "delay 5", 2, "an oracle that reports at once"),
            ("protocol fj06", "protocol nosuch", 3, "the name of a protocol"),
            ("states 8\n0 1", "states 8\n1 0", 3, ""),
            ("L 1\n", "L 0\n", 3, ""),
            ("automaton 7", "automaton 99999999", 3, ""),
            ("automaton 7", "automaton 999", 3, "at most as many states as the file has room for"),
            ("move arc", "move left", 1, "stage none does not allow move 'left'"),
            ("move right", "move sideways", 3, "a move: arc, right, left, seam or lose"),
            ("stage one 7\n", "stage one 99999999\n", 3, ""),
            ("from 3", "from 2", 1, ""),
            ("0  0 1 2 1 3 4 2 4", "1  0 1 2 1 3 4 2 4", 1, "")):
        assert old in whole, old
        write("damaged", whole.replace(old, new, 1))
        told = run("prove --check damaged --json")
        assert told.returncode == status, (old, new, told)
        if status == 1:
            answer = json.loads(told.stdout)
            assert answer["holds"] is False and answer["reason"], answer
        assert reason in (told.stdout + told.stderr).decode(), (old, new, told)
    write("damaged", target_for_ever(whole, 8))
    refused("prove --check damaged", "this ring of the target does not have exactly one leader: - - - - - - - -", 1)
    write("damaged", whole + "more\n")
    refused("prove --check damaged", "nothing after the end", 3)
    done("prove -p fj06 --sweeps 1 --certificate safe", 1)
    assert json.loads(done("prove --check safe --json"))["self_stabilizing_from"] is None


def an_output_is_opened_before_the_work():
    """What would take hours is refused at once, with nothing of it done."""
    for words in ("verify -n 5 --trace no/such/t", "verify -n 5 --start random --distribution no/such/d",
                  "explore -p fences -n 12 --from random --reaches S_F --trace no/such/t",
                  "prove -p aaf08 --k 2 --certificate no/such/c", "prove -p aaf08 --k 2 --dot no/such/d",
                  "prove -p aaf08 --k 2 --trace no/such/t", "export -n 4 --format prism -o no/such/m"):
        refused(words, "No such file or directory", 3)


def an_automaton_is_text_for_graphviz():
    """Every line is a node, an edge or an attribute; every state of an edge is a node; texts of states
    with quotes and backslashes are escaped."""
    write("quoted.c", r'''
#define ORACLE
#define VARIABLES(NUMBER, SYMBOLS) SYMBOLS(leader, "", "L\"\\")
#include "ringleader/agent.h"
static inline void meet(struct world world, struct agent *l, struct agent *r)
{ if (world.no_leader) r->leader = 1; else if (l->leader) r->leader = 0; }
static inline bool leads(struct agent agent) { return agent.leader; }
static bool one(const struct rl_ring *ring) { return has_one_leader(ring); }
static const struct rl_set SETS[] = {{"one", "", one, one}};
#define FIELDS LISTED(set, SETS), .target = 0
''')
    for words in ("-p fj06", "-p prl-oracle", "-p quoted.c"):
        run(f"prove {words} --dot a.dot")
        lines = read("a.dot").decode().splitlines()
        assert re.fullmatch(r'digraph "[^"]*" {', lines[0]) and lines[-1] == "}", lines
        nodes, ends, labels = set(), set(), []
        for line in lines[1:-1]:
            node = re.fullmatch(r"  (\w+) \[shape=\w+\];", line)
            edge = re.fullmatch(r'  (\w+) -> (\w+)(?: \[label="((?:[^"\\]|\\.)*)"\])?;', line)
            assert node or edge or line == "  rankdir=LR;", line
            nodes |= {node[1]} if node else set()
            ends |= {edge[1], edge[2]} if edge else set()
            labels += [edge[3]] if edge and edge[3] else []
        assert ends <= nodes and "start" in nodes and len(labels) > 2, lines
    assert any(r'L\"\\' in label for label in labels), labels


def a_ring_is_replayed_by_an_election():
    told = json.loads(done("ring -n 3 --rate 500 --hold 0.2 --start-out s --schedule-out t --json"))
    again = run("elect -n 3 --start s --schedule t --json".split())
    assert json.loads(again.stdout)["hits"] == told["hits"], (told, again)
    write("three", "0L 1 2\n")
    done("ring -n 3 --rate 500 --hold 0.2 --start three --json")
    write("three", "0L 1 what\n")
    refused("ring -n 3 --start three", "line 1, column 6")


def a_full_device_is_told_once():
    for words in ("--help", "--version", "elect --help", "export -n 2 --format prism",
                  "protocols", "elect -n 5"):
        with open("/dev/full", "wb") as full:
            result = subprocess.run([program, *words.split()], stdout=full, stderr=subprocess.PIPE,
                                    check=False)
        assert result.returncode == 3 and result.stderr.count(b"\n") == 1, (words, result)


def a_fault_without_recovery_is_told():
    told = done("elect -n 10 --start safe --fault 10@20 --fault 10@30 --max-steps 31", 1)
    assert told.count("not recovered\n") == 2, told


def nothing_took_longer_than_the_wait_for_it():
    for words in ("elect -n 5", "verify -n 2", "explore -n 2 --from safe",
                  "study --db s.db -n 4 --trials 2"):
        began = time.monotonic()
        took = json.loads(done(words + " --json"))["wall_seconds"]
        assert 0 <= took <= time.monotonic() - began, words


# ---- where it ended ---------------------------------------------------------------------------


def the_end_is_a_start():
    for protocol in json.loads(done("protocols --json"))["protocols"]:
        ring = ["-p", protocol["name"], "-n", "7"]
        done(["elect", *ring, "--until", "steps=50", "--end", "end.txt", "--trace", "end.rlt"])
        assert done(["replay", "end.rlt", "--at", "50"]).encode() == read("end.txt")
        first = done(["replay", "end.rlt", "--at", "0"])
        write("first.txt", first)
        done(["elect", *ring, "--start", "first.txt", "--until", "steps=0", "--end", "again.txt"])
        assert read("again.txt") == first.encode()
    done("elect -n 6 --start safe --fault 6@10 --until steps=20 --trace f.rlt --end f.txt")
    assert done("replay f.rlt --at 9") != done("replay f.rlt --at 10")
    assert done("replay f.rlt --at 20").encode() == read("f.txt")
    refused("replay f.rlt --at 21", "the execution ends at 20")


sys.exit(try_all(globals()))
