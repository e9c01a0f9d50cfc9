#!/bin/sh
# Installs the Flow plug-in and flow-host from this folder, or removes them. It asks nothing.
set -eu
umask 022

usage() {
    cat <<'TEXT'
usage: ./install.sh [--prefix DIR] [--uninstall]

Without --prefix the plug-in goes to /usr/OFX/Plugins, which every OpenFX host searches, and flow-host to
/usr/local/bin. Both need root: sudo ./install.sh

--prefix DIR  The plug-in goes to DIR/OFX/Plugins and flow-host to DIR/bin, such as --prefix ~/.local for yourself
              alone. Hosts find the plug-in when OFX_PLUGIN_PATH names DIR/OFX/Plugins.
--uninstall   Removes the plug-in and flow-host from these folders, and nothing else.
TEXT
}

fail() {
    echo "error: $1" >&2
    exit 1
}

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
prefix=
action=install
while [ $# -gt 0 ]; do
    case $1 in
    --prefix)
        [ $# -ge 2 ] || fail "--prefix needs a folder"
        prefix=$2
        shift
        ;;
    --prefix=*) prefix=${1#--prefix=} ;;
    --uninstall) action=uninstall ;;
    -h | --help)
        usage
        exit 0
        ;;
    *)
        usage >&2
        exit 2
        ;;
    esac
    shift
done

if [ -n "$prefix" ]; then
    case $prefix in
    /*) ;;
    *) prefix=$PWD/$prefix ;;
    esac
    plugins=$prefix/OFX/Plugins
    programs=$prefix/bin
else
    plugins=/usr/OFX/Plugins
    programs=/usr/local/bin
fi
bundle=$plugins/Flow.ofx.bundle
program=$programs/flow-host
remedy="run it as root (sudo ./install.sh), or name a folder of your own with --prefix"

if [ "$action" = uninstall ]; then
    rm -rf "$bundle" && rm -f "$program" || fail "cannot remove $bundle and $program: $remedy"
    echo "removed $bundle and $program"
    exit 0
fi

if command -v sha256sum >/dev/null 2>&1; then
    (cd "$here" && sha256sum --check --quiet SHA256SUMS) || fail "a file differs from SHA256SUMS: unpack the archive again"
fi
mkdir -p "$plugins" "$programs" || fail "cannot create $plugins and $programs: $remedy"
[ -w "$plugins" ] && [ -w "$programs" ] || fail "cannot write to $plugins and $programs: $remedy"

# Both are copied beside their places first, so that a host that starts meanwhile finds a whole plug-in.
new=$plugins/.flow-new-$$
old=$plugins/.flow-old-$$
trap 'rm -rf "$new" "$programs/.flow-host-$$"' EXIT
cp -R "$here/Flow.ofx.bundle" "$new"
cp "$here/bin/flow-host" "$programs/.flow-host-$$"
if [ -e "$bundle" ]; then
    mv "$bundle" "$old"
fi
mv "$new" "$bundle"
rm -rf "$old"
mv -f "$programs/.flow-host-$$" "$program"

echo "installed $bundle"
echo "installed $program"
if [ -n "$prefix" ]; then
    echo "Add these lines to your shell's profile, then restart the host:"
    echo "  export OFX_PLUGIN_PATH=\"$plugins\${OFX_PLUGIN_PATH:+:\$OFX_PLUGIN_PATH}\""
    echo "  export PATH=\"$programs:\$PATH\""
else
    echo "Hosts find the plug-in there; restart those that are running."
fi
echo "For the menu and the toolset of layers in Nuke, and the group FlowLayers in Natron, add these too:"
echo "  export NUKE_PATH=\"$bundle/Contents/Resources/nuke\${NUKE_PATH:+:\$NUKE_PATH}\""
echo "  export NATRON_PLUGIN_PATH=\"$bundle/Contents/Resources/natron\${NATRON_PLUGIN_PATH:+:\$NATRON_PLUGIN_PATH}\""
