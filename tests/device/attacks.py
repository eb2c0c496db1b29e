#!/usr/bin/env python3
"""Attacks on a ring with a key by somebody without it: attacks.py PROGRAM.

Every datagram of a ring of nodes passes through this program, as through a hostile network: it can
send them elsewhere, record and repeat them, and hold them back. Whatever it does, every interaction
is one that the right neighbour decided (the logs of all nodes are put into one order and replayed),
nodes at a link that is cut do not say that they are well, and when the network is honest again there
is one leader. Nothing waits for a time, only for what is to happen; LIMIT is for what never does.
"""

import collections
import json
import os
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time

LIMIT = 120  # seconds, for each wait
KIND = 3  # its place in a datagram
ASK = 0


class Network:
    """Nodes in a ring, with this program between any two of them.

    `route(sender, right, data)` says to whom a datagram goes that node `sender` sends to its right
    or left: pairs (node, whether it seems to come from its left)."""

    def __init__(self, program, directory, n, key=True):
        self.n = n
        self.names = [chr(ord("a") + i) for i in range(n)]
        self.directory = directory
        self.program = program
        self.addresses = [None] * n
        self.heard = collections.Counter()  # datagrams, by sender and direction
        self.route = self.honest
        self.ends = [[self.socket(), self.socket()] for _ in range(n)]  # left, right of each
        self.selector = selectors.DefaultSelector()
        for i, ends in enumerate(self.ends):
            for side, end in enumerate(ends):
                self.selector.register(end, selectors.EVENT_READ, (i, side == 1))
        self.key = os.path.join(directory, "ring.key")
        subprocess.run([program, "key", self.key], check=True)
        self.nodes = [self.start(i) for i in range(n)]

    @staticmethod
    def socket():
        end = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        end.bind(("127.0.0.1", 0))
        return end

    def path(self, i, ending):
        return os.path.join(self.directory, self.names[i] + ending)

    def start(self, i):
        def who(k, side):
            return "%s@127.0.0.1:%d" % (self.names[k % self.n], self.ends[i][side].getsockname()[1])

        words = [self.program, "node", "--name", self.names[i], "--listen", "127.0.0.1:0"]
        words += ["--left", who(i - 1, 0), "--right", who(i + 1, 1), "-N", str(self.n)]
        words += ["--rate", "100", "--key", self.key, "--log", self.path(i, ".log")]
        words += ["--status", self.path(i, ".json")]
        return subprocess.Popen(words, stdout=subprocess.DEVNULL)

    def honest(self, sender, right, data):
        return [((sender + 1) % self.n, True)] if right else [((sender - 1) % self.n, False)]

    def carry(self, seconds):
        """Carries what there is for so long."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for key, _ in self.selector.select(0.02):
                sender, right = key.data
                data, self.addresses[sender] = key.fileobj.recvfrom(100)
                self.heard[sender, right] += 1
                for node, from_left in self.route(sender, right, data):
                    self.deliver(node, from_left, data)

    def deliver(self, node, from_left, data):
        if self.addresses[node]:
            self.ends[node][0 if from_left else 1].sendto(data, self.addresses[node])

    def until(self, what, condition):
        deadline = time.monotonic() + LIMIT
        while not condition():
            assert time.monotonic() < deadline, what + " did not happen: " + str(self.statuses())
            self.carry(0.05)

    def status(self, i):
        try:
            with open(self.path(i, ".json")) as file:
                return json.load(file)
        except FileNotFoundError:
            return None

    def statuses(self):
        return [self.status(i) for i in range(self.n)]

    def lines(self, i, word):
        """Interactions that a node has told of: as the responder (done), or the initiator (heard)."""
        with open(self.path(i, ".log")) as log:
            return sum(line.startswith(word) for line in log)

    def works(self):
        self.until("a hundred interactions of each", lambda: all(
            os.path.exists(self.path(i, ".log")) and self.lines(i, "done") > 100
            and self.lines(i, "heard") > 100 for i in range(self.n)))

    def is_well(self, i):
        status = self.status(i)
        return status is None or status["well"]

    def one_leader(self):
        """The network is honest again."""
        self.route = self.honest
        self.until("all well, with one leader", lambda: all(self.statuses()) and all(
            status["well"] for status in self.statuses()) and sum(
                status["leads"] for status in self.statuses()) == 1)

    def account(self):
        """All nodes end; every interaction was one of the protocol's, and both sides tell of it."""
        for node in self.nodes:
            node.terminate()
        for node in self.nodes:
            assert node.wait(LIMIT) == 0
        logs = [self.path(i, ".log") for i in range(self.n)]
        words = [self.program, "ring", "--check", "-N", str(self.n), "--json", *logs]
        answer = subprocess.run(words, stdout=subprocess.PIPE, timeout=LIMIT)
        account = json.loads(answer.stdout)
        assert answer.returncode == 0 and account["anomalies"] == 0, account
        return account["interactions"]

    def end(self):
        for node in self.nodes:
            node.kill()
            node.wait()


def another_answers_in_its_place(network):
    """b stands still; a's questions go to d, and d's answers to a."""
    a, b, d = 0, 1, 3
    network.works()
    os.kill(network.nodes[b].pid, 19)  # SIGSTOP

    def route(sender, right, data):
        if sender == a and right:
            return [(d, True)]
        if sender == d and not right:
            return [(a, False)]
        return network.honest(sender, right, data)

    network.carry(0.1)  # what was on its way
    network.route = route
    network.carry(0.1)
    heard, refused = network.lines(a, "heard"), network.status(d)["refused"]["key"]
    network.until("a not well", lambda: not network.is_well(a))
    assert network.lines(a, "heard") == heard, "a learnt what b never saw"
    assert network.status(d)["refused"]["key"] > refused
    os.kill(network.nodes[b].pid, 18)  # SIGCONT


def two_rings_of_one(network):
    """Six nodes, and a network that joins them to two rings of three."""
    network.works()
    network.carry(0.1)
    before = [(network.lines(i, "done"), network.lines(i, "heard")) for i in range(6)]
    heard = dict(network.heard)

    def route(sender, right, data):
        [(node, from_left)] = network.honest(sender, right, data)
        if (sender // 3) != (node // 3):
            node = (node + 3) % 6
        return [(node, from_left)]

    network.route = route
    network.until("the ends of the cut links not well",
                  lambda: not any(network.is_well(i) for i in (0, 2, 3, 5)))
    for i in (0, 3):  # at most what was on its way
        assert network.lines(i, "done") <= before[i][0] + 1, "it decided on another ring's question"
    for i in (2, 5):
        assert network.lines(i, "heard") <= before[i][1] + 1, "it learnt from another ring"
        assert network.heard[i, True] > heard[i, True] + 20  # and it did ask


def a_recorded_question(network):
    """The link from a to b is cut, and a question that a has asked is sent to b 5,000 times."""
    network.works()
    recorded = []

    def route(sender, right, data):
        if sender == 0 and right:
            recorded.append(data)
        return network.honest(sender, right, data)

    def cut(sender, right, data):
        between = (sender, right) in ((0, True), (1, False))
        return [] if between else network.honest(sender, right, data)

    network.route = route
    network.until("a question", lambda: recorded)
    network.route = cut
    network.carry(0.2)
    decided, answers = network.lines(1, "done"), network.heard[1, False]
    for i in range(5000):
        network.deliver(1, True, recorded[-1])
        if i % 50 == 49:
            network.until("an answer to each", lambda: network.heard[1, False] >= answers + i + 1)
    network.until("b not well", lambda: not network.is_well(1))
    assert network.lines(1, "done") == decided, "an old question was decided again"
    assert network.heard[1, False] == answers + 5000  # each was answered once


def directions_swapped(network):
    """Questions go to the left, answers to the right, and everything back to its sender as well."""
    network.works()
    network.carry(0.1)
    before = [(network.lines(i, "done"), network.lines(i, "heard")) for i in range(network.n)]

    def route(sender, right, data):
        left = ((sender - 1) % network.n, right)
        return [left, ((sender + 1) % network.n, not right), (sender, True), (sender, False)] if (
            data[KIND] == ASK) == right else []

    def swapped(sender, right, data):
        return [pair for pair in route(sender, right, data)
                if pair != network.honest(sender, right, data)[0]]

    network.route = swapped
    network.until("nobody well", lambda: not any(network.is_well(i) for i in range(network.n)))
    for i in range(network.n):
        assert network.lines(i, "done") <= before[i][0] + 1, "a question from the right was decided"
        assert network.lines(i, "heard") <= before[i][1] + 1, "an answer from the left was learnt"


def run(attack, n, failures):
    with tempfile.TemporaryDirectory() as directory:
        network = Network(os.path.realpath(sys.argv[1]), directory, n)
        try:
            attack(network)
            network.one_leader()
            print("%s: %d interactions, none of them the attacker's" % (attack.__name__, network.account()))
        except Exception as failure:  # pylint: disable=broad-except
            failures.append("%s: %s %s" % (attack.__name__, type(failure).__name__, failure))
        finally:
            network.end()


def main():
    failures = []
    attacks = [(another_answers_in_its_place, 4), (two_rings_of_one, 6), (a_recorded_question, 3),
               (directions_swapped, 5)]
    threads = [threading.Thread(target=run, args=(attack, n, failures)) for attack, n in attacks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
