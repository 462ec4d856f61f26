#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The wheel, from scripts/wheel.sh to running the tests in a fresh environment that has it. Part of the full tests, since it
# compiles the library again, and needs PyPI.
set -eu
src=${LW_SOURCE_DIR:?} bin=${LW_BINARY_DIR:?}
[ -n "${LW_FULL:-}" ] || { echo "skipped: building a wheel takes minutes; LW_FULL=1 has it"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: there is no python3"; exit 77; }
tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv" || { echo "skipped: this Python makes no environments"; exit 77; }
"$tmp/venv/bin/pip" install -q numpy ml_dtypes pytest || { echo "skipped: PyPI cannot be reached"; exit 77; }

"$src/scripts/wheel.sh" "$tmp/wheels"
wheel=$(echo "$tmp"/wheels/lanewise-*manylinux_2_28_*.whl)
[ -f "$wheel" ] || { echo "the wheel is not tagged manylinux_2_28"; exit 1; }
"$tmp/venv/bin/pip" install -q "$wheel"
# Checks auditwheel's verdict: the newest version of glibc that is required.
library=$(echo "$tmp"/venv/lib/python3*/site-packages/lanewise/liblanewise.so)
newest=$(objdump -T "$library" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1)
echo "$newest is the newest version that the library asks for"
[ "$(printf '%s\n' GLIBC_2.28 "$newest" | sort -V | tail -1)" = GLIBC_2.28 ] || exit 1

cd "$tmp"
export LW_PYTHON_INSTALLED=1
for suite in instructions mma launch interrupt testing document; do
    "$tmp/venv/bin/python" -B "$src/tests/python/test_$suite.py"
done
"$tmp/venv/bin/python" -B "$src/tests/python/test_structs.py" cc
cat >test_fails.py <<'END'
import numpy as np
from lanewise.testing import assert_same_bits


def test_transposed():
    want = np.arange(64, dtype=np.float32).reshape(8, 8)
    assert_same_bits(want.T.copy(), want)
END
"$tmp/venv/bin/pytest" -q test_fails.py >report && { echo "pytest saw no failure"; exit 1; }
grep -q 'explained: it is the expected array transposed' report
cp "$src/python/bench.py" . # away from the package in its folder
"$tmp/venv/bin/python" bench.py "$src/examples/objects/vector_add_gfx950.co"
