#!/bin/sh
# The main job, and what to try next.
set -eu
cd "$(dirname "$0")/.."
ringleader=${BUILD:-build}/ringleader
"$ringleader" elect -n 1000 --start random --seed 1
cat <<END

What to try next:
  $ringleader elect -n 100 --start safe --fault 50@1e6   break half of it, watch it heal
  $ringleader elect -n 1e6                               a million agents
  $ringleader --help
END
