#!/bin/bash
# A stranger's machine: fresh.sh COMMAND... runs each COMMAND, one after the other, in a clone of HEAD
# inside a bare Debian 12 (SUITE=trixie: Debian 13) that has nothing but make, git and certificates.
# Packages come from where this system gets them. Needs root. FRESH=DIR keeps the system for another
# run. The exit status is that of the first COMMAND that fails.
#   scripts/fresh.sh 'make run' 'make test'
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo "fresh.sh needs root" >&2; exit 2; }
[ $# -gt 0 ] || { sed -n '2,6s/^# //p' "$0"; exit 2; }
top=$(git rev-parse --show-toplevel)
root=${FRESH:-$(mktemp -d)}
suite=${SUITE:-bookworm}
here=$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")
command -v debootstrap >/dev/null || apt-get install -y debootstrap >/dev/null
if [ ! -x "$root/usr/bin/make" ]; then
    uri=$(apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' "Codename: $here" 'Component: main' 2>/dev/null | head -n 1)
    [ -n "$uri" ] || uri=$(grep -rhoE '(URIs: |^deb )[^ ]+' /etc/apt/sources.list* | awk '{print $2; exit}')
    debootstrap --variant=minbase --include=make,git,ca-certificates "$suite" "$root" "$uri" >"$root.log" 2>&1 ||
        { tail -n 5 "$root.log" >&2; exit 3; }
fi
rm -rf "$root/etc/apt/sources.list" "$root/etc/apt/sources.list.d"
apt-get indextargets --format 'deb $(REPO_URI) $(CODENAME) main' 'Origin: Debian' 'Component: main' 2>/dev/null |
    sed "s/ $here/ $suite/" | sort -u >"$root/etc/apt/sources.list" # Debian's own archives and nobody else's
cp -rL /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
cp -L /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
mkdir -p "$root/etc/ssl/certs"; cp -rL /etc/ssl/certs/. "$root/etc/ssl/certs/" 2>/dev/null || true
for f in /etc/npmrc /usr/etc/npmrc /usr/local/etc/npmrc "$HOME/.npmrc"; do
    [ ! -f "$f" ] || install -D "$f" "$root$f"
done
for d in proc sys dev dev/pts dev/shm; do
    mountpoint -q "$root/$d" || mount --rbind "/$d" "$root/$d" 2>/dev/null || mount -t tmpfs tmpfs "$root/$d"
    mount --make-rslave "$root/$d" 2>/dev/null || true
done
cleanup() {
    for d in dev/shm dev/pts dev sys proc; do umount -l "$root/$d" 2>/dev/null || true; done
    [ -n "${FRESH:-}" ] || rm -rf --one-file-system "$root"
}
trap cleanup EXIT
rm -rf "$root/project"
git clone -q "$top" "$root/project"
status=0
for command in "$@"; do
    echo "== $command"
    start=$(date +%s)
    # Nothing of this system's environment but what package clients need to trust their servers.
    env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM="${TERM:-dumb}" \
        $(env | grep -E '^[A-Za-z_]*(_CERTS?|_CAINFO|_CA_[A-Z_]*|_CERT_[A-Z]*|_BUNDLE|_proxy|_PROXY)=[^ ]*$' || true) \
        chroot "$root" /bin/bash -c "cd /project && $command" </dev/null || status=$?
    echo "== $command: exit $status after $(($(date +%s) - start)) s"
    [ "$status" = 0 ] || break
done
exit "$status"
