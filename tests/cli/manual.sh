#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The manual page names every verb and every option in the help texts, and no others. Each help text names an option once.
# Usage: manual.sh PROGRAM PAGE
set -u
program=${1:?usage: manual.sh PROGRAM PAGE}
page=${2:?usage: manual.sh PROGRAM PAGE}
verbs=$("$program" help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
helped=$({
    echo --version
    for verb in $verbs; do
        "$program" help "$verb" | sed -n '/^Options:/,/^Examples:/p' | grep -oE '^  (-.,|   ) --[a-z-]+' | grep -oE -- '--[a-z-]+'
    done
} | sort -u)
paged=$(sed 's/\\-/-/g' "$page" | grep -oE -- '--[a-z]+(-[a-z]+)*' | sort -u)
bad=0
for verb in $verbs; do
    grep -qE "^\.SS .*\b$verb\b" "$page" || { echo "the page has no section for $verb"; bad=1; }
done
for verb in $verbs; do
    twice=$("$program" help "$verb" | sed -n '/^Options:/,/^Examples:/p' | grep -oE '^  (-.,|   ) --[a-z-]+' | sort | uniq -d)
    [ -z "$twice" ] || { echo "$verb has an option twice:$twice"; bad=1; }
done
[ "$(echo "$helped" | wc -l)" -gt 5 ] || { echo "no options found in the help texts"; bad=1; }
diff <(echo "$helped") <(echo "$paged") || { echo "left: options of the help texts; right: of the page"; bad=1; }
exit $bad
