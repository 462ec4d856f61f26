#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# assemble.sh CANDIDATES LENIENCIES: does ptxas accept the spellings that this library accepts, and no others?
# CANDIDATES TARGET prints "1 statement;" or "0 statement;". ptxas reports every bad line of a file, so a file
# holds many statements; where it crashes, the file is halved until the statement is found. LENIENCIES holds
# "targets ;; who accepts ;; extended regular expression ;; reason"; one that matches nothing fails.
set -u
candidates=$1 leniencies=$2
command -v ptxas > /dev/null || { echo "skipped: no ptxas"; exit 77; }
version=$(ptxas --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')
case $version in
13.0) ;;
*) echo "skipped: ptxas $version; the list of exceptions was made with 13.0"; exit 77 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
head_lines=5

# assemble TARGET STATEMENTS: the same statements, each after 1 (accepted), 0 (refused) or crash.
assemble()
{
    local target=$1 in=$2 status bad
    {
        printf '.version 9.0\n.target %s\n.address_size 64\n.visible .entry k() {\n' "$target"
        printf '.reg .b32 r<48>; .reg .b64 d<48>; .reg .b64 p<4>;\n'
        cat "$in"
        printf 'ret; }\n'
    } > "$in.ptx"
    { ptxas -arch "$target" "$in.ptx" -o "$in.cubin" > "$in.log" 2>&1; } 2> /dev/null
    status=$?
    sed -n 's/^ptxas .*\.ptx, line \([0-9]*\); \(error\|fatal\) .*/\1/p' "$in.log" | sort -nu > "$in.bad"
    if [ $status -gt 1 ] && [ $status -ne 255 ]; then
        if [ "$(wc -l < "$in")" -eq 1 ]; then
            printf 'crash %s\n' "$(cat "$in")"
            return
        fi
        split -l $((($(wc -l < "$in") + 1) / 2)) "$in" "$in."
        assemble "$target" "$in.aa"
        assemble "$target" "$in.ab"
        return
    fi
    awk -v head=$head_lines -v bad="$in.bad" \
        'BEGIN { while ((getline l < bad) > 0) refused[l] = 1 } { print ((NR + head) in refused ? 0 : 1), $0 }' "$in"
}

# One target: lines "TARGET who statement" of all disagreements on the output.
compare()
{
    local target=$1 dir=$work/$1 part
    mkdir "$dir"
    "$candidates" "$target" | sort -u -k 2 > "$dir/ours"
    cut -d' ' -f2- "$dir/ours" | split -l 1500 - "$dir/part."
    for part in "$dir"/part.??; do
        assemble "$target" "$part"
    done > "$dir/theirs"
    cut -d' ' -f2- "$dir/theirs" | cmp -s - <(cut -d' ' -f2- "$dir/ours") || echo "$target lost statements"
    # a later pass of ptxas may refuse what the first accepts, but it only runs on a file without errors
    sed -n 's/^1 //p' "$dir/theirs" > "$dir/good"
    : > "$dir/late"
    while assemble "$target" "$dir/good" > "$dir/again" && grep -q '^0 ' "$dir/again"; do
        sed -n 's/^0 //p' "$dir/again" >> "$dir/late"
        sed -n 's/^1 //p' "$dir/again" > "$dir/good"
    done
    awk -v late="$dir/late" 'BEGIN { while ((getline l < late) > 0) refused[l] = 1 }
        { verdict = $1; line = substr($0, length($1) + 2); print (line in refused ? 0 : verdict), line }' \
        "$dir/theirs" > "$dir/verdicts"
    paste -d' ' <(cut -d' ' -f1 "$dir/verdicts") "$dir/ours" |
        awk -v t="$target" '$1 != $2 { who = $1 == "crash" ? "crash" : $1 == 1 ? "ptxas" : "lanewise"
                                       $1 = $2 = ""; sub(/^ */, ""); print t, who, $0 }'
    # statements that both accept must assemble: errors inside ptxas's own routines have no line here
    paste -d' ' <(cut -d' ' -f1 "$dir/verdicts") "$dir/ours" | sed -n 's/^1 1 //p' > "$dir/both"
    assemble "$target" "$dir/both" > /dev/null
    grep -v Advisory "$dir/both.log" | sed "s/^/$target late /"
    wc -l < "$dir/ours" > "$dir/count"
}

targets=${LW_TARGETS:-"sm_75 sm_80 sm_89 sm_90 sm_100a sm_120 sm_120a sm_120f"}
for target in $targets; do
    compare "$target" > "$work/$target.out" &
    while [ "$(jobs -rp | wc -l)" -ge "${LW_JOBS:-2}" ]; do wait -n; done
done
wait
cat "$work"/sm_*.out > "$work/differences"
awk -v list="$leniencies" '
    BEGIN {
        while ((getline line < list) > 0) {
            if (line ~ /^#/ || line == "") continue
            n++
            split(line, f, / ;; /)
            who[n] = f[2]; pattern[n] = f[3]; where[n] = f[1]
        }
    }
    {
        for (i = 1; i <= n; i++)
            if ($1 ~ "^(" where[i] ")$" && $2 == who[i] && substr($0, length($1) + length($2) + 3) ~ pattern[i]) {
                used[i]++
                next
            }
        print
        wrong++
    }
    END {
        for (i = 1; i <= n; i++)
            if (!used[i]) { print "explains nothing any more: " where[i] " ;; " who[i] " ;; " pattern[i]; wrong++ }
        exit wrong > 0
    }' "$work/differences" > "$work/report"
status=$?
head -40 "$work/report"
[ $status -eq 0 ] || echo "$(wc -l < "$work/report") differences"
echo "$(cat "$work"/sm_*/count | awk '{ n += $1 } END { print n }') statements, $(wc -l < "$work/differences") explained"
exit $status
