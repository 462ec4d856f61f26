#!/usr/bin/env bash
# The library has no mutable globals: no object in .data, .bss or thread-local sections (constant tables with
# pointers are in .data.rel.ro, which is read-only once loaded). Usage: globals.sh LIBRARY.a
set -u
lib=${1:?usage: globals.sh LIBRARY}
command -v nm >/dev/null 2>&1 || { echo "nm is not installed"; exit 77; }
table=$(nm -A -f sysv "$lib" 2>/dev/null | grep -E '(OBJECT|TLS) *[|]')
[ -n "$table" ] || { echo "no objects in $lib"; exit 1; }
# Instrumentation adds objects of its own under reserved names.
hits=$(echo "$table" | grep -E '[|]\.(data|bss|tdata|tbss)(\.[A-Za-z_0-9.]+)?$' | grep -v '|\.data\.rel\.ro' | grep -v -E ':(\.L|__)')
if [ -n "$hits" ]; then
    echo "mutable globals:"
    echo "$hits"
    exit 1
fi
echo "globals: $(echo "$table" | wc -l) objects, all constant"
