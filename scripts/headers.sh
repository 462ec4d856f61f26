#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Keeps the public headers of a release in tests/data/headers, for the test older_consumer: a program built with them
# must run on later libraries of the same SONAME. Run it for each release; within one LW_ABI_VERSION only if no
# program can have been built with the headers that it replaces.
# Usage: headers.sh BUILD
set -eu
build=${1:?usage: headers.sh BUILD}
root=$(cd "$(dirname "$0")/.." && pwd)
to=$root/tests/data/headers/lanewise
rm -rf "$to" && mkdir -p "$to"
cp "$root"/include/lanewise/*.h "$build"/include/lanewise/*.h "$to"
