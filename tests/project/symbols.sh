#!/usr/bin/env bash
# Who may refer to whose symbols: enforces layers.txt over the symbol tables of object files.
# An object of a folder may refer to what is defined in its own folder and in those that the table allows; a header
# in the table allows what it declares; `public` allows what include/lanewise declares, wherever it is defined.
# Usage: symbols.sh ROOT BUILD LIST. LIST names the objects, one per line, BUILD is the folder they were built in.
# Exit status 1 and one line per offence.
set -u
root=${1:?usage: symbols.sh ROOT BUILD LIST} build=${2:?} list=${3:?}
table=$(cd "$(dirname "$0")" && pwd)/layers.txt
nm=${NM:-nm}
command -v "$nm" >/dev/null 2>&1 || { echo "$nm is not installed"; exit 77; }

# What public headers and the headers in the table declare: "HEADER NAME", where HEADER is - for all of include/lanewise.
declared() {
    sed -n -E 's/^LW_API .*[ *](lw_[a-z0-9_]+)\(.*/- \1/p; s/^LW_API .*[ *](lw_[a-z0-9_]+)(\[|;).*/- \1/p' "$root"/include/lanewise/*.h
    for header in $(grep -v '^#' "$table" | grep -o -E '[a-z_/]+\.h' | sort -u); do
        grep -o -E '\blw_[a-z0-9_]+' "$root/$header" | sort -u | sed "s|^|$header |"
    done
}
# "S FILE NAME KIND" for every global symbol, with nm's KIND.
symbols() {
    grep . "$list" | xargs "$nm" -A -P -g 2>/dev/null |
        sed -E "s|^$build/||; s|CMakeFiles/[^/]+\.dir/||; s|\.o(bj)?:||; s|^|S |"
}

{ grep -v '^#' "$table" | sed 's/^/R /; s/:/ /'; declared | sed 's/^/D /'; symbols; } | awk '
function folder_of(file,    f, best) {
    for (f in grants)
        if (index(file, f "/") == 1 && length(f) > length(best))
            best = f
    return best
}
function granted(from, to, name,    n, list, i) {
    if (from == to || (to == "isa_tables" && ("-", name) in declared))
        return 1
    n = split(grants[from], list, " ")
    for (i = 1; i <= n; i++) {
        if (list[i] == to "/" || (list[i] == "public" && ("-", name) in declared))
            return 1
        if (index(list[i], to "/") == 1 && list[i] ~ /\.h$/ &&
            (("-", name) in declared || (list[i], name) in declared))
            return 1
    }
    return 0
}
$1 == "R" { folder = $2; $1 = $2 = ""; grants[folder] = $0 }
$1 == "D" { declared[$2, $3] = 1 }
$1 == "S" && $4 == "U" { uses[++used] = $2 SUBSEP $3 }
$1 == "S" && $4 != "U" && !($3 in home) { home[$3] = $2; defined++ }
END {
    for (i = 1; i <= used; i++) {
        split(uses[i], use, SUBSEP)
        if (!(use[2] in home))
            continue
        from = folder_of(use[1]); to = folder_of(home[use[2]])
        if (from == "" || to == "") {
            print (from == "" ? use[1] : home[use[2]]) " is in no folder of the table"; bad = 1
        } else if (!granted(from, to, use[2])) {
            print use[1] " refers to " use[2] " of " home[use[2]] ", which " from " may not"; bad = 1
        }
    }
    if (defined < 100) {
        print "only " defined + 0 " symbols looked at: is the list that of the objects?"; exit 1
    }
    if (!bad)
        print "symbols: " used " references to " defined " symbols keep to the table"
    exit bad
}'
