#!/usr/bin/env bash
# The test of symbols must catch objects with made-up offences, and accept one without.
# Usage: symbols_negative.sh COMPILER ROOT BUILD LIST
set -u
cc=${1:?} root=${2:?} build=${3:?} list=${4:?}
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0

# FOLDER FUNCTION told|fine: an object of the folder that calls the function.
try() {
    mkdir -p "$tmp/$1"
    printf 'int %s(void);\nint offender(void);\nint offender(void) { return %s(); }\n' "$2" "$2" >"$tmp/offender.c"
    "$cc" -c "$tmp/offender.c" -o "$tmp/$1/offender.c.o" || { echo "$cc cannot compile"; exit 1; }
    { cat "$tmp/list"; echo "$tmp/$1/offender.c.o"; } >"$tmp/longer"
    out=$("$here/symbols.sh" "$root" "$tmp" "$tmp/longer")
    status=$?
    [ $status = 77 ] && { echo "$out"; exit 77; }
    case $3$status in
    told1) grep -q "^$1/offender.c refers to $2 of .*, which $1 may not" <<<"$out" && return ;;
    fine0) return ;;
    esac
    echo "an object of $1 calls $2, which is $3; status $status: $out"
    bad=1
}

# The original objects, under another root.
sed "s|^$build/|$tmp/|" "$list" >"$tmp/list"
(cd "$build" && sed -n "s|^$build/||p" "$list" | tar cf - -T -) | tar xf - -C "$tmp"

try emu/device lw_amdgpu_text told   # public, but defined further up
try emu/device lw_error_fail told   # not public
try emu/device lw_status_text fine  # public, defined at the bottom
try loaders lw_mma_create told      # public, but not for loaders
try emu/amdgpu lw_kernels_read told # from loaders, but not in the headers that are allowed
try emu/amdgpu lw_kernarg_build fine
try observers lw_mem_lookup told
try observers lw_event_text fine
try cli lw_mem_lookup told
exit $bad
