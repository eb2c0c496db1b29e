#!/bin/sh
# What the library reads and writes is the same where the calling program has set a locale that
# writes a half as 0,5.
#   locale.sh PROGRAM
. "$(dirname "$0")/../program.sh"
cd "$scratch"
mkdir locales
cat >source <<'LOCALE'
LC_NUMERIC
decimal_point ","
thousands_sep ""
grouping -1
END LC_NUMERIC
LC_CTYPE
copy "POSIX"
END LC_CTYPE
LOCALE
# It warns of the categories that are not there.
localedef --no-archive -c -i ./source -f ANSI_X3.4-1968 locales/xx_XX >/dev/null 2>&1 || true

[ "$(LC_ALL=C "$program" plain)" = 0.5 ]
half=$(LOCPATH=$scratch/locales LC_ALL=xx_XX "$program" comma) || true
if [ "$half" != 0,5 ]; then
    echo "no locale with a comma can be made here"
    exit 77
fi
diff -r plain comma
