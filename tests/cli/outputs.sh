#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Results are written all or none, even if a destination becomes unusable meanwhile, a signal arrives, or names of part files
# are taken.
# A pipe as one of the outputs makes the program wait between completing the files and renaming them.
# Usage: outputs.sh PROGRAM
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:?usage: outputs.sh PROGRAM}")
. "$here/helpers.sh"
enter_new_folder
cp "${here%/tests/cli}"/examples/objects/vector_add_gfx942.co v.co

fresh() {
    rm -rf c.npy z.npy new.npy ./*.part-* ./*.old-*
    echo old-c >c.npy
    echo old-z >z.npy
    chmod 604 c.npy
    make_npy x.npy '<f4' '(4,)' '0000803f000000400000404000008040'
    make_npy y.npy '<f4' '(4,)' '000020410000a0410000f04100002042'
    [ -p pipe ] || mkfifo pipe
}

# Starts a run that writes the arguments' files and waits at the pipe.
start() {
    "$program" run v.co --grid 1 --block 64 "$@" i32:4 >out.txt 2>err.txt &
    pid=$!
    for ((i = 0; i < 500; i++)); do
        [ -n "$(ls | grep part-)" ] && return
        sleep 0.02
    done
    fail "no part file appeared"
}

leftovers() {
    local left
    left=$(ls | grep -E 'part-|old-')
    [ -z "$left" ] || fail "$1 left $left"
}

# The second place becomes a folder: the first one gets its old contents back.
fresh
start out:c.npy=f32[4] inout:x.npy=z.npy inout:y.npy=pipe
rm z.npy && mkdir z.npy
cat pipe >/dev/null
wait $pid
[ $? = 2 ] || fail "exit status of a rename that fails"
[ "$(cat c.npy)" = old-c ] || fail "c.npy is not put back"
[ "$(stat -c %a c.npy)" = 604 ] || fail "the mode of c.npy is not put back"
grep -q 'cannot write z.npy: .*; no file was changed' err.txt || fail "sentence: $(cat err.txt)"
leftovers "a rename that fails"

# The same where the first one did not exist.
fresh
start out:new.npy=f32[4] inout:x.npy=z.npy inout:y.npy=pipe
rm z.npy && mkdir z.npy
cat pipe >/dev/null
wait $pid
[ -e new.npy ] && fail "new.npy stays"
leftovers "a rename that fails, with a new file"

# A signal before anything is renamed. (Not SIGINT: a shell without job control has it ignored in the background.)
ulimit -c 0
for signal in TERM HUP; do
    fresh
    start out:c.npy=f32[4] inout:x.npy=z.npy inout:y.npy=pipe
    kill -$signal $pid
    wait $pid
    status=$?
    [ $status = $((128 + $(kill -l $signal))) ] || fail "exit status $status after SIG$signal"
    [ "$(cat c.npy)" = old-c ] && [ "$(cat z.npy)" = old-z ] || fail "SIG$signal changed a file"
    leftovers "SIG$signal"
done

# Part files never follow or overwrite a file with the same name.
fresh
echo mine >victim
start out:c.npy=f32[4] inout:x.npy=z.npy inout:y.npy=pipe
part=$(ls | grep 'c.npy.part-')
[ "$(stat -c %F "$part")" = 'regular file' ] || fail "the part file is no file"
cat pipe >/dev/null
wait $pid || fail "a run that should succeed: $(cat err.txt)"
[ "$(stat -c %a c.npy)" = 604 ] || fail "the mode of c.npy is not kept"
leftovers "a run that succeeds"

# A name that is taken: exec keeps the shell's process id for the program.
fresh
bash -c 'ln -s victim c.npy.part-$$; exec "$@"' bash "$program" run v.co --grid 1 --block 64 out:c.npy=f32[4] x.npy y.npy i32:4 >/dev/null ||
    fail "a taken name of a part file"
[ "$(cat victim)" = mine ] || fail "a part file was written through a link"
[ "$(head -c 6 c.npy | tail -c 5)" = NUMPY ] || fail "c.npy is not written"

[ $bad = 0 ] && echo "outputs are written all or none"
exit $bad
