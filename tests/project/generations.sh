#!/usr/bin/env bash
# No code tests for a generation: differences are columns of a table of generations (lw_arch_traits,
# lw_amdgpu_traits) or arrays indexed by lw_arch. In the folders below, an architecture may be named only as such an
# index and in the listed tables; isa_tables, which consists of tables, must not compare with one.
# Usage: generations.sh ROOT. Exit status 1 and one line per offence.
set -u
cd "${1:?usage: generations.sh ROOT}" || exit 1

# table that names architectures in its entries | why
tables='loaders/target.c:which architectures a generic processor covers'
# line that compares architectures | why
ranges='isa_tables/matrix.h:return arch >= LW_ARCH_SM_70 \&\& arch < LW_ARCH_COUNT;|the vendor
isa_tables/amdgpu/rows.h:const bool amd = arch >= LW_ARCH_GFX908 \&\& arch <= LW_ARCH_GFX1250;|where the columns of opcodes end'

bad=0
report() {
    [ -z "$1" ] || { echo "$1"; bad=1; }
}

chip='LW_ARCH_(GFX|SM_)[0-9A-Z]+'
named=$(grep -rnE "$chip" emu layouts loaders observers cli --include='*.c' --include='*.h' --include='*.inc' |
    sed -E "s/\[$chip\]//g" | grep -E "$chip")
while IFS=: read -r file reason; do
    [ -n "$(printf '%s\n' "$named" | grep -F "$file:")" ] || report "$file names no architecture any more ($reason)"
    named=$(printf '%s\n' "$named" | grep -vF "$file:")
done <<<"$tables"
report "$named"

compared=$(grep -rnE "([=!<>]=|[^-<][<>]|case) *$chip|$chip *([=!<>]=|<[^<]|>[^>])" isa_tables --include='*.c' --include='*.h')
while IFS='|' read -r range reason; do
    file=${range%%:*} text=$(sed 's/\\&/\&/g' <<<"${range#*:}")
    [ -n "$(printf '%s\n' "$compared" | grep -F "$file:" | grep -F "$text")" ] || report "$file: no line '$text' ($reason)"
    compared=$(printf '%s\n' "$compared" | grep -vF "$text")
done <<<"$ranges"
report "$compared"

seen=$(find emu layouts loaders observers cli -name '*.[ch]' | wc -l)
[ "$seen" -gt 100 ] || { echo "only $seen files: is '$1' the root of the project?"; exit 1; }
[ $bad = 0 ] && echo "generations: $seen files name architectures in tables only"
exit $bad
