#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The shell completions name every verb and option of the help texts, and work: bash's are run, zsh and fish parse
# theirs if they are installed. Usage: completions.sh PROGRAM
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=${here%/tests/cli}
program=$(realpath "${1:?usage: completions.sh PROGRAM}")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
bad=0
fail() { echo "FAILED: $*"; bad=1; }
export LC_ALL=C

"$root/scripts/completions.sh" "$program" "$work" || fail "the completions cannot be written"
# bash's file has names only and must be current; the other two may have older descriptions.
cmp -s "$work/lanewise.bash" "$root/completions/lanewise.bash" ||
    { diff "$root/completions/lanewise.bash" "$work/lanewise.bash" | head -5; fail "completions are old: run scripts/completions.sh"; }

# complete WORD...: what bash offers for the last word
. "$root/completions/lanewise.bash"
complete_words() {
    COMP_WORDS=(lanewise "$@")
    COMP_CWORD=$#
    _lanewise
    echo "${COMPREPLY[@]}"
}
verbs=$("$program" help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
[ "$(echo $verbs | wc -w)" -ge 7 ] || fail "no verbs in the help"
options=0
for verb in $verbs; do
    case " $(complete_words '') " in *" $verb "*) ;; *) fail "bash does not offer $verb" ;; esac
    grep -q "^ *'$verb:..*'" "$root/completions/_lanewise" || fail "zsh: no $verb"
    grep -q "__fish_use_subcommand -f -a $verb -d '..*'" "$root/completions/lanewise.fish" || fail "fish: no $verb"
    offered=" $(complete_words "$verb" --) "
    # Options as the help's usage and manual page spell them, extracted in a different way than the script
    # does.
    for option in $("$program" help "$verb" | sed '1,/^Options:/d; /^Examples:/,$d' | grep -oE '^ {2}.{4}--[a-z-]+' | grep -oE -- '--[a-z-]+') --help; do
        case $offered in *" $option "*) ;; *) fail "bash: $verb does not offer $option" ;; esac
        sed -n "/^    $verb)/,/;;/p" "$root/completions/_lanewise" | grep -q -- "$option\[" || fail "zsh: $verb has no $option"
        grep -q "_from $verb' -l ${option#--} " "$root/completions/lanewise.fish" || fail "fish: $verb has no $option"
        options=$((options + 1))
    done
done
[ $options -gt 50 ] || fail "only $options options"
case $(complete_words info v_x --arch gfx9) in *gfx942*) ;; *) fail "bash does not complete --arch" ;; esac
[ "$(complete_words run --tra)" = '--trace --trace-wave --trace-limit --trace-plain' ] || fail "bash: run --tra"
if command -v zsh >/dev/null 2>&1; then zsh -n "$root/completions/_lanewise" || fail "zsh cannot read it"; fi
if command -v fish >/dev/null 2>&1; then fish -n "$root/completions/lanewise.fish" || fail "fish cannot read it"; fi
echo "$options options in the completions of bash, zsh and fish"
exit $bad
