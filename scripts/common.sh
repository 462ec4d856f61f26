# SPDX-License-Identifier: MIT
# Shared by the scripts in this folder: reports progress, and installs missing packages on Debian and Ubuntu.

say() { printf '\n==> %s\n' "$*"; }
die() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# as_root COMMAND...: runs it as root, if that takes no more than a sudo password.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo "$@"
    else
        return 1
    fi
}

# install_packages PACKAGE...: quiet; its log goes to $install_log.
install_packages() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >"$install_log" 2>&1
}

# need WHAT PACKAGE...: installs the Debian packages that are missing; elsewhere says what to install.
# Fails if some could not be installed.
need() {
    local what=$1 missing=() failed=() install_log
    shift
    if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
        say "not a Debian or Ubuntu system: for $what please install the equivalents of: $*"
        return 0
    fi
    for p in "$@"; do
        dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' || missing+=("$p")
    done
    [ ${#missing[@]} = 0 ] && return 0
    say "installing for $what: ${missing[*]}"
    install_log=$(mktemp)
    as_root apt-get update >"$install_log" 2>&1 || tail -3 "$install_log" >&2
    # If installing all at once fails, one at a time, so that one unknown package does not prevent the others.
    if ! install_packages "${missing[@]}"; then
        for p in "${missing[@]}"; do
            install_packages "$p" || failed+=("$p")
        done
    fi
    if [ ${#failed[@]} != 0 ]; then
        tail -2 "$install_log" >&2
        say "could not install: ${failed[*]} (as root: apt-get install ${failed[*]})"
    fi
    rm -f "$install_log"
    [ ${#failed[@]} = 0 ]
}

jobs() { nproc 2>/dev/null || echo 2; }
