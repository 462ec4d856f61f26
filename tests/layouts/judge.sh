#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs a Python program that uses another project's package, and skips if that is not installed. LW_PYTHON names the
# interpreter that has it (default python3). Usage: judge.sh PROGRAM.py LANEWISE
set -u
python=${LW_PYTHON:-python3}
command -v "$python" >/dev/null 2>&1 || { echo "$python is not installed"; exit 77; }
"$python" -B "$1" "$2" 2>errors
status=$?
[ $status = 0 ] || [ $status = 77 ] || head -20 errors
rm -f errors
exit $status
