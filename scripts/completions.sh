#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Writes the shell completions from the help texts: completions/lanewise.bash, _lanewise (zsh), lanewise.fish.
# Usage: completions.sh PROGRAM [FOLDER]
set -eu
program=${1:?usage: completions.sh PROGRAM [FOLDER]}
folder=${2:-$(cd "$(dirname "$0")/.." && pwd)/completions}
verbs=$("$program" help | sed -n 's/^  \([a-z]*\)  .*/\1/p')

# options VERB: "NAME VALUE LETTER<TAB>first line of help"; VALUE or LETTER is - if there is none
options() {
    "$program" help "$1" | sed -n '/^Options:/,/^Examples:/p' |
        sed -nE 's/^  (-(.),|   ) --([a-z-]+)( ([^ ]+))?  +(.*)/\3 \5 \2\t\6/p' |
        sed -E 's/^([a-z-]+)  /\1 - /; s/ \t/ -\t/'
}
summary() { "$program" help | sed -n "s/^  $1  *//p" | head -1; }
names() { options "$1" | sed 's/ .*//'; }
archs=$("$program" list | sed -nE 's/^ *((gfx|sm_)[0-9a-z]+) .*/\1/p' | tr '\n' ' ' | sed 's/ $//')

{
    echo '# SPDX-License-Identifier: MIT'
    echo '# Completions of lanewise for bash, written by scripts/completions.sh from the help texts.'
    echo '_lanewise() {'
    echo '    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]} options='
    echo '    COMPREPLY=()'
    echo '    if [ "$COMP_CWORD" = 1 ]; then'
    echo "        COMPREPLY=(\$(compgen -W '$(echo $verbs) help --version' -- \"\$word\"))"
    echo '        return'
    echo '    fi'
    echo '    if [ "$before" = --arch ]; then'
    echo "        COMPREPLY=(\$(compgen -W '$archs' -- \"\$word\"))"
    echo '        return'
    echo '    fi'
    echo '    case $verb in'
    for verb in $verbs; do
        echo "    $verb) options='$(for n in $(names "$verb"); do printf -- '--%s ' "$n"; done)--help' ;;"
    done
    echo "    help) COMPREPLY=(\$(compgen -W '$(echo $verbs)' -- \"\$word\")); return ;;"
    echo '    esac'
    echo '    case $word in'
    echo '    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;'
    echo '    *) COMPREPLY=($(compgen -f -- "$word")) ;;'
    echo '    esac'
    echo '}'
    echo 'complete -o filenames -F _lanewise lanewise'
} >"$folder/lanewise.bash"

# Brackets, colons and quotes are special in zsh's specifications.
plain() { tr '[]:' '   ' | tr -d "'\\\\"; }
{
    echo '#compdef lanewise'
    echo '# SPDX-License-Identifier: MIT'
    echo '# Completions of lanewise for zsh, written by scripts/completions.sh from the help texts.'
    echo '_lanewise() {'
    echo '    local -a verbs'
    echo '    verbs=('
    for verb in $verbs; do echo "        '$verb:$(summary "$verb" | plain)'"; done
    echo "        'help:the verbs, or one verb explained'"
    echo '    )'
    echo '    if ((CURRENT == 2)); then'
    echo "        _describe verb verbs"
    echo "        _arguments '--version[the version]'"
    echo '        return'
    echo '    fi'
    echo '    local verb=${words[2]}'
    echo '    shift words'
    echo '    ((CURRENT--))'
    echo '    case $verb in'
    for verb in $verbs; do
        echo "    $verb)"
        echo "        _arguments '*:file:_files' '--help[explain this verb, with examples]' \\"
        options "$verb" | while IFS=$'\t' read -r head help; do
            read -r name value letter <<<"$head"
            action=
            [ "$value" = - ] || action=":$(echo "$value" | plain):_files"
            [ "$name" != arch ] || action=":architecture:($archs)"
            echo "            '*--$name[$(echo "$help" | plain)]$action' \\"
        done
        echo '            && return'
        echo '        ;;'
    done
    echo '    help) _describe verb verbs ;;'
    echo '    esac'
    echo '}'
    echo '_lanewise "$@"'
} >"$folder/_lanewise"

{
    echo '# SPDX-License-Identifier: MIT'
    echo '# Completions of lanewise for fish, written by scripts/completions.sh from the help texts.'
    echo "complete -c lanewise -n __fish_use_subcommand -l version -d 'the version'"
    echo "complete -c lanewise -n __fish_use_subcommand -f -a help -d 'the verbs, or one verb explained'"
    echo "complete -c lanewise -n '__fish_seen_subcommand_from help' -f -a '$(echo $verbs)'"
    for verb in $verbs; do
        echo "complete -c lanewise -n __fish_use_subcommand -f -a $verb -d '$(summary "$verb" | plain)'"
        echo "complete -c lanewise -n '__fish_seen_subcommand_from $verb' -l help -s h -d 'explain this verb, with examples'"
        options "$verb" | while IFS=$'\t' read -r head help; do
            read -r name value letter <<<"$head"
            more=
            [ "$letter" = - ] || more=" -s $letter"
            [ "$value" = - ] || more="$more -r"
            [ "$name" != arch ] || more="$more -f -a '$archs'"
            echo "complete -c lanewise -n '__fish_seen_subcommand_from $verb' -l $name$more -d '$(echo "$help" | plain)'"
        done
    done
} >"$folder/lanewise.fish"
