#!/usr/bin/env bash
# Who may include whom: enforces layers.txt over every #include "..." and <lanewise/...>.
# Usage: layering.sh ROOT. Exit status 1 and one line per offence.
set -u
root=${1:?usage: layering.sh ROOT}
table=$(cd "$(dirname "$0")" && pwd)/layers.txt
cd "$root" || exit 1

bad=0
seen=0
while IFS=: read -r folder allowed; do
    [ -n "$folder" ] && [ -d "$folder" ] || continue
    while IFS= read -r file; do
        seen=$((seen + 1))
        # emu/num is a folder of its own: a rule applies to the files whose deepest listed folder it is
        while IFS= read -r inc; do
            ok=0
            case $inc in
            */*) ;;
            *) ok=1 ;; # a file in the same folder
            esac
            case $inc in "$folder"/*) ok=1 ;; esac
            for prefix in $allowed; do
                case $inc in "$prefix"*) ok=1 ;; esac
            done
            if [ $ok = 0 ]; then
                echo "$file includes \"$inc\", which $folder may not include"
                bad=1
            fi
        done < <(sed -n -E 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"([^"]+)".*/\1/p; s/^[[:space:]]*#[[:space:]]*include[[:space:]]*<(lanewise\/[^>]+)>.*/\1/p' "$file")
    done < <(find "$folder" -type f \( -name '*.c' -o -name '*.h' -o -name '*.inc' \) | sort)
done < <(grep -v '^#' "$table")

if [ "$seen" -lt 10 ]; then
    echo "only $seen files looked at: is '$root' the root of the project?"
    exit 1
fi
[ $bad = 0 ] && echo "layering: $seen files keep to the table"
exit $bad
