#!/bin/sh
# The Python package as a user meets it: run.sh BUILD-DIRECTORY. Installs it into an environment of its
# own, then types, tests, the examples in the docstrings and the notebook.
set -eu
build=$(realpath "$1")
cd "$(dirname "$0")/.."
../scripts/python.sh "$build"
python=$build/python/bin/python
package=$("$python" -P -c 'import ringleader, os; print(os.path.dirname(ringleader.__file__))')
# Nothing of the source's folder: what is tested is what was installed.
cd tests
"$python" -m mypy --config-file ../pyproject.toml -p ringleader --cache-dir "$build/mypy"
"$python" -m pytest -q -p no:cacheprovider . --doctest-modules "$package" --ignore "$package/_build.py" \
    --ignore look_at_notebook.py --ignore starve.py
# Out of memory, wherever the library asks for some.
"${CC:-cc}" -shared -fPIC -o "$build/failing.so" failing.c
LD_PRELOAD="$build/failing.so" "$python" starve.py
"$python" -m ipykernel install --sys-prefix >/dev/null
"$python" -m nbconvert --to notebook --execute ../examples/ringleader.ipynb --output-dir "$build" \
    --output ringleader.ipynb
"$python" look_at_notebook.py "$build/ringleader.ipynb"
