#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# libptxrun.so exports three functions and no more, and host.c, which loads it, checks that they do what ptxrun.h says.
# Usage: run.sh HOST LIBRARY
set -u
host=${1:?} library=${2:?}
if command -v nm >/dev/null; then
    names=$(nm -D --defined-only "$library" | awk '$2 == "T" { print $3 }' | grep -v '^_' | sort | tr '\n' ' ')
    [ "$names" = "ptx_run ptx_run_message ptx_run_status " ] || { echo "it offers $names"; exit 1; }
fi
exec "$host" "$library"
