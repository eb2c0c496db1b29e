#!/bin/sh
# One row more in a copy of the table of fields is an option, a key of plans, a column of CSV and of
# SQL, a key of JSON, and known by name to who asks at run time, as Python does: fields.sh SOURCE.
set -eu
source=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

cp -r "$source"/src "$source"/include .
for more in "$source"/*; do
    case ${more##*/} in
    src | include | build*) ;;
    *) ln -s "$more" . ;;
    esac
done
sed -i 's|^    FIELD(after, end.after, "after",|    FIELD(mark, end.mark, "mark", 0, 1000, 0, true, "COUNT", "a mark that means nothing")          \\\n&|' \
    include/ringleader/experiment.h
grep -q 'FIELD(mark' include/ringleader/experiment.h
meson setup build --buildtype=plain -Dtests=false >setup.log 2>&1 || { tail setup.log; exit 1; }
ninja -C build ringleader libringleader.a >build.log 2>&1 || { tail -n 20 build.log; exit 1; }
program=$scratch/build/ringleader

"$program" elect --help | grep -q -- '--mark COUNT'
"$program" study --help | grep -q -- '--mark COUNT'
"$program" elect -n 8 --mark 3 --json | grep -q '"mark":3,'
echo 'n = 8; mark = 5; trials = 2' >plan
"$program" study --db s.db --plan plan --quiet
"$program" study --db s.db -n 8 --mark 6 --trials 2 --extend --quiet
"$program" study --db s.db -n 8 --mark 7 --trials 2 2>err && exit 1
grep -q "only yours 'protocol=prl; n=8; N=8; start=random; mark=7; trials=2'" err
[ "$(sqlite3 s.db 'SELECT group_concat(mark) FROM (SELECT DISTINCT mark FROM trials ORDER BY 1)')" = 5,6 ]
[ "$(sqlite3 s.db "SELECT count(*) FROM point WHERE spec LIKE '%; mark=5'")" = 1 ]
"$program" report s.db --csv - >csv
head -n 1 csv | grep -q ',seed,max_steps,mark,after,'
grep -q ',1,,5,0,' csv
cat >ask.c <<'END'
#include "ringleader.h"
int main(void)
{
    const struct rl_item items[] = {{"n", "8"}, {"mark", "9"}};
    struct rl_experiment experiment = {0};
    const struct rl_field *field;
    bool listed = false;
    for (size_t i = 0; (field = rl_field_at(i)); i++)
        listed |= rl_text_equal(field->key, "mark");
    return !(listed && !rl_experiment_read(&experiment, items, 2, NULL, NULL) &&
             experiment.end.mark == 9);
}
END
cc -Iinclude ask.c -Lbuild -lringleader -Wl,-rpath,"$scratch/build" -o ask
./ask
echo "a field more is found wherever fields are"
