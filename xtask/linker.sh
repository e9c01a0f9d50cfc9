#!/bin/sh
# The linker of this workspace on Linux: the machine's C compiler, as always.
# A fresh Debian or Ubuntu has none, and without one not even `cargo xtask` can
# be built: then this installs it first, after saying so. Anywhere else, or
# where that fails, it ends with the command to type.
set -eu

if ! command -v cc >/dev/null 2>&1; then
    packages="gcc libc6-dev"
    {
        # Cargo links several programs at once; one of them installs, the others wait.
        lock="${TMPDIR:-/tmp}/flow-linker-$(id -u).lock"
        if command -v flock >/dev/null 2>&1; then
            exec 9>"$lock"
            flock 9
        fi
        if ! command -v cc >/dev/null 2>&1; then
            as_root=""
            [ "$(id -u)" -eq 0 ] || as_root="sudo"
            if command -v apt-get >/dev/null 2>&1 && { [ -z "$as_root" ] || sudo -n true; } >/dev/null 2>&1; then
                echo "no C compiler found; installing with apt-get: $packages"
                $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q || true
                $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages || true
            fi
        fi
        if ! command -v cc >/dev/null 2>&1; then
            echo "error: linking needs a C compiler, and none was found. On Debian or Ubuntu, type this, then run the command again:"
            echo "  sudo apt-get update && sudo apt-get install -y $packages"
            exit 1
        fi
    } >&2
fi
exec cc "$@"
