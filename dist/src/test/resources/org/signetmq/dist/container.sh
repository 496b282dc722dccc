# Runs a command in a container of its own mounts and processes, with the rights that Kubernetes gives: a user and groups by
# number, no capabilities, no new privileges, a root that may be read-only. The caller is root in new namespaces.
#   container.sh ROOT ro|rw USER GROUP GROUPS [SOURCE:TARGET:ro|rw]... -- COMMAND...
set -eu
root=$1 access=$2 user=$3 group=$4 groups=$5
shift 5
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755,nosuid tmpfs "$root/dev"
device() {
  mknod -m 666 "$root/dev/$1" c 1 "$2"
}
device null 3
device zero 5
device full 7
device random 8
device urandom 9
ln -s /proc/self/fd "$root/dev/fd"
ln -s /proc/self/fd/1 "$root/dev/stdout"
mkdir -m 1777 "$root/dev/shm"
while [ "$1" != -- ]; do
  source=${1%%:*}
  target=${1#*:}
  mode=${target#*:}
  target=$root${target%%:*}
  if [ -d "$source" ]; then
    mkdir -p "$target"
  else
    mkdir -p "$(dirname "$target")"
    [ -e "$target" ] || : >"$target"
  fi
  mount --bind "$source" "$target"
  [ "$mode" = rw ] || mount -o remount,bind,ro "$target"
  shift
done
shift
mount -o "remount,bind,$access" "$root"
ip link set lo up
hostname pod
exec chroot "$root" setpriv --reuid "$user" --regid "$group" --groups "$groups" --no-new-privs \
  --bounding-set=-all --inh-caps=-all --ambient-caps=-all -- "$@"
