#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Studies made wrong by SQL, as a stranger would: other schemas, values of other types, NULL where
# there is none, numbers out of range, markup for names.
#   damage_sql.py PROGRAM COUNT [SEED]
# Each is refused with one line and status 2 or 3, or, where a value could be right, opened; never a
# signal, never more than 200 MB.
import os
import random
import re
import resource
import shutil
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../cli"))
from asking import done, ended, scratch, write

count = int(sys.argv[2])
dice = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
HOSTILE = (None, "", -1, 0, 1, 99, 500_000_000, 2**32, 2**63 - 1, -2**63, 1e308, float("inf"), b"\0\xff",
           "x" * 5000, "<script>alert(1)</script>", "a'b\"c", "a,b", "a\nb", "\x1b[31m", "{}", "[0,1,2]",
           '{"N":9}', '{"N":', "{\"C_PB\":0,\"C_NI\":0,\"S_RL\":0}", "protocol=prl; n=8; N=8; start=safe",
           "n=8", "target 99\n", "target -1\n", "set a\n" * 40 + "target 0\n", "set a b\ntarget 0\n",
           "parameter " + "x " * 99 + "\nset a\ntarget 0\n", "set <b>\ntarget 0\n", "set a\ntarget 0",
           "start random\nset settled\ntarget 0\n")


def status_of(words, *statuses):
    """Never a signal, never too much memory, and one line where it is refused."""
    status = ended(words, *statuses).returncode
    assert megabytes() <= 200, (words, megabytes())
    return status


def megabytes():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024  # of the largest so far


def tables_of(file):
    return [name for name, in file.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")]


def columns_of(file, table):
    return [row[1] for row in file.execute(f"PRAGMA table_info({table})")]


def with_schema(path, change):
    """Rewrites the statements that SQLite keeps; gives the old ones back."""
    file = sqlite3.connect(path, isolation_level=None)
    old = file.execute("SELECT rowid, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    file.execute("PRAGMA writable_schema=ON")
    for rowid, sql in old:
        file.execute("UPDATE sqlite_master SET sql = ? WHERE rowid = ?", (change(rowid, sql), rowid))
    file.close()
    return dict(old)


def loosen(_, sql):
    return re.sub(r" STRICT\b,?| NOT NULL|, CHECK \(.*\)(?=\))", "", sql) if sql.startswith("CREATE TABLE") else sql


def other_thing(path):
    """Something that a study has not, or has not so: refused, by name."""
    file = sqlite3.connect(path, isolation_level=None)
    table = dice.choice(tables_of(file))
    column = dice.choice(columns_of(file, table))
    sql = dice.choice((
        f"CREATE TRIGGER t AFTER INSERT ON {table} BEGIN DELETE FROM point; END",
        f"CREATE TRIGGER t BEFORE UPDATE ON {table} BEGIN SELECT 1; END",
        "CREATE TABLE another (x)",
        f"CREATE INDEX i ON {table} ({column})",
        f"CREATE VIEW v AS SELECT * FROM {table}",
        f"DROP TABLE {table}",
        f"ALTER TABLE {table} RENAME TO another",
        f"ALTER TABLE {table} RENAME COLUMN {column} TO other",
        f"ALTER TABLE {table} ADD COLUMN other TEXT",
        f"CREATE TABLE kept AS SELECT * FROM {table}; DROP TABLE {table};"
        f" CREATE VIEW {table} AS SELECT * FROM kept",
        f"CREATE TABLE kept AS SELECT * FROM {table}; DROP TABLE {table}; ALTER TABLE kept RENAME TO {table}",
        "DROP VIEW trials",
        "DROP VIEW trials; CREATE VIEW trials AS SELECT * FROM trial",
        "PRAGMA application_id = 7", "PRAGMA user_version = 2", "PRAGMA user_version = -1"))
    try:
        file.executescript("DROP VIEW trials;" + sql if "trials" not in sql else sql)
    except sqlite3.OperationalError:
        file.execute("CREATE TABLE another (x)")
    file.close()
    return True


def other_types(path):
    """Statements that are not ours, letter for letter."""
    with_schema(path, lambda _, sql: sql.replace("TEXT", "BLOB", 1) if dice.random() < 0.4 else loosen(_, sql))
    return True


def missing_values(path):
    """NULL where there is none, or another type, under our own statements."""
    old = with_schema(path, loosen)
    file = sqlite3.connect(path, isolation_level=None)
    table = dice.choice([name for name in tables_of(file) if file.execute(f"SELECT 1 FROM {name}").fetchone()])
    column = dice.choice([name for name in columns_of(file, table) if name not in ("id", "max_steps", "leader", "point", "trial")])
    wrong = (b"\0\xff",) if column == "curve" else (None, b"\0\xff") # a trial may have no curve
    file.execute(f"UPDATE OR REPLACE {table} SET {column} = ?", (dice.choice(wrong),))
    file.close()
    with_schema(path, lambda rowid, sql: old[rowid])
    return True


def other_values(path):
    """A value that its type allows, or not: some of them could be right."""
    old = with_schema(path, loosen)
    file = sqlite3.connect(path, isolation_level=None)
    for _ in range(dice.choice((1, 1, 3))):
        table = dice.choice([name for name in tables_of(file) if file.execute(f"SELECT 1 FROM {name}").fetchone()])
        column = dice.choice(columns_of(file, table))
        try:
            file.execute(f"UPDATE OR REPLACE {table} SET {column} = ? WHERE rowid IN (SELECT rowid FROM {table}"
                         " ORDER BY random() LIMIT 1)" if table != "trial" else
                         f"UPDATE OR REPLACE {table} SET {column} = ? WHERE trial % 7 = 3", (dice.choice(HOSTILE),))
        except sqlite3.Error:
            pass
    file.close()
    with_schema(path, lambda rowid, sql: old[rowid])
    return False


def other_own(path):
    """A protocol's text or sheet that is not what was written."""
    file = sqlite3.connect(path, isolation_level=None)
    column = dice.choice(("protocol", "hash", "text", "sheet"))
    value = dice.choice([value for value in HOSTILE if isinstance(value, str)])
    file.execute(f"UPDATE own SET {column} = ?", (value,))
    file.close()
    return True


os.environ["XDG_CACHE_HOME"] = scratch
done("new ripple")
write("ring", "0L 1 2 3 4 5 6 7\n")
done("study --db whole.db -n 8 --start random,leaderless,ring --fault none,3@100 --trials 20 --claim O(n^2) --quiet")
done("study --db whole.db -p ripple.c -n 5,8 --max-steps 1e6 --trials 4 --extend --quiet")
kinds = (other_thing, other_types, missing_values, other_values, other_values, other_own)
refused = 0
for i in range(count):
    shutil.copy("whole.db", "b.db")
    kind = kinds[i % len(kinds)]
    must = kind(path="b.db")
    statuses = [status_of(words, 0, 2, 3) for words in ("report b.db --json", "study --status b.db")]
    if all(statuses):
        statuses.append(status_of("study --db b.db --quiet", 2, 3))
        refused += 1
    assert all(statuses) or not must, (i, kind.__name__, statuses)
    for name in os.listdir("."):
        if name.startswith("b.db"):
            os.remove(name)
shutil.rmtree(scratch)
print(f"{count} studies made wrong by SQL: {refused} refused, {count - refused} opened; at most {megabytes()} MB")
