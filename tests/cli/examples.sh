#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs every example of the help texts as it stands; each must exit with 0, validate's with 3.
# Usage: examples.sh PROGRAM
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:?usage: examples.sh PROGRAM}")
root=${here%/tests/cli}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/files"
ln -s "$program" "$work/bin/lanewise"
export PATH="$work/bin:$PATH" LC_ALL=C
. "$here/helpers.sh"

# The files that the examples name.
cd "$work/files" || exit 1
cp "$root"/examples/objects/vector_add_gfx9*.co .
make_npy a.npy '<f2' '(16, 16)' "$(repeat 128 003c0040)"
make_npy b.npy '<f2' '(16, 16)' "$(repeat 128 00380042)"
make_npy ap.npy '<f2' '(1, 1, 16, 16)' "$(repeat 128 003c0040)"
make_npy bp.npy '<f2' '(1, 1, 16, 16)' "$(repeat 128 00380042)"
make_npy b8.npy '<f2' '(16, 8)' "$(repeat 64 00380042)"
make_npy a4.npy '|u1' '(16, 128)' "$(repeat 1024 0207)"
make_npy b4.npy '|u1' '(128, 16)' "$(repeat 1024 0a03)"
make_npy sa.npy '|u1' '(16, 4)' "$(repeat 32 7f80)"
make_npy sb.npy '|u1' '(16, 4)' "$(repeat 32 7e7f)"
make_npy x.npy '<f4' '(1000,)' "$(repeat 500 0000803f00000040)"
make_npy y.npy '<f4' '(1000,)' "$(repeat 500 0000404000008040)"
printf 'watch c[17]\ncontinue\nback 2\nprint v2 f32\n' >commands

python=$(command -v python3) || echo "not tried: runs of captured launches, which python3 makes"
[ -z "$python" ] || "$python" "$root/tests/runtime/capture.py" make 000001-vector_add.lwcap vector_add_gfx950.co gfx950
[ -z "$python" ] || { mkdir capture && cp 000001-vector_add.lwcap capture/000001-attention.lwcap; }
for name in saxpy attention train; do # programs of users
    printf '#!/bin/sh\n' >$name
    chmod +x $name
done

ran=0
bad=0
for verb in $(lanewise help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
    count=0
    while IFS= read -r command; do
        [[ -z $python && $command == *.lwcap* ]] && continue
        (eval "$command") >"$work/out" 2>"$work/err" </dev/null
        got=$?
        count=$((count + 1))
        # without a GPU no launch is saved
        if [ $got != 0 ] && ! { [ "$verb" = capture ] && [ $got = 1 ] && grep -q "no launch was seen" "$work/err"; }; then
            echo "exit status $got: $command"
            cat "$work/err"
            bad=1
        fi
    done < <(lanewise help "$verb" | sed -n '/^Examples:/,$p' | grep '^  lanewise')
    [ $count -gt 0 ] || { echo "$verb has no examples"; bad=1; }
    ran=$((ran + count))
done
while IFS= read -r command; do
    (eval "$command") >"$work/out" 2>"$work/err" </dev/null || { echo "failed: $command"; cat "$work/err"; bad=1; }
    ran=$((ran + 1))
done < <(lanewise help | sed -n '/^Try these:/,$p' | grep '^  lanewise')
echo "$ran examples of the help texts ran"
exit $bad
