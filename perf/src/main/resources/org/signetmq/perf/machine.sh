#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the experiments change of the machine; needs root.
#   machine.sh mount FOLDER SIZE       makes and mounts plain, gocryptfs, image and fscrypt in an empty folder; prints the
#                                      process of gocryptfs. SIZE of the image, such as 8G
#   machine.sh unmount FOLDER          ends all mounts there, and deletes the folder
#   machine.sh cipher                  prints the driver of AES-XTS that the kernel prefers
#   machine.sh forget                  drops the caches of the operating system
#   machine.sh limit GROUP CORES PID   lets the process, with others of the group, use this much processor time
#   machine.sh unlimit GROUP           deletes the group, when its processes have ended
set -eu

fail() {
  echo "$1" >&2
  exit 1
}

need() { # program package
  command -v "$1" >/dev/null || fail "needs $1: apt-get install $2"
}

PATH=$PATH:/usr/sbin:/sbin
umask 077
command=$1
[ "$(id -u)" = 0 ] || fail 'needs the rights of root'

tries() { # seconds command...: repeats until it succeeds
  left=$(($1 * 10))
  shift
  until "$@" 2>/dev/null; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || return 1
    sleep 0.1
  done
}

mount_all() { # folder size
  need gocryptfs gocryptfs
  need fusermount fuse3
  need fscrypt fscrypt
  need mkfs.ext4 e2fsprogs
  cd "$1"
  mkdir plain gocryptfs gocryptfs.cipher image

  head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' >gocryptfs.password
  gocryptfs -init -q -passfile gocryptfs.password gocryptfs.cipher
  # a session of its own: an interrupt from the terminal must not end it before the brokers
  setsid gocryptfs -fg -q -passfile gocryptfs.password gocryptfs.cipher gocryptfs </dev/null >gocryptfs.log 2>&1 &
  tries 20 mountpoint -q gocryptfs || fail "gocryptfs: does not mount: $(tail -n 1 gocryptfs.log)"
  mkdir gocryptfs/journals

  truncate -s "$2" image.ext4
  # the kernel would write what is lazy while brokers are measured
  mkfs.ext4 -q -F -b 4096 -m 0 -T largefile -E lazy_itable_init=0,lazy_journal_init=0 -O encrypt image.ext4
  mount -o loop,nodev,nosuid image.ext4 image
  mkdir image/plain image/encrypted

  # the settings of fscrypt are ours, so that it leaves nothing on the system
  cat >fscrypt.conf <<'SETTINGS'
{"source": "raw_key", "hash_costs": {"time": "1", "memory": "1024", "parallelism": "1"},
 "options": {"padding": "32", "contents": "AES_256_XTS", "filenames": "AES_256_CTS", "policy_version": "2"},
 "use_fs_keyring_for_v1_policies": false, "allow_cross_user_metadata": false}
SETTINGS
  export FSCRYPT_CONF="$PWD/fscrypt.conf" FSCRYPT_ROOT_MNT="$PWD/image"
  head -c 32 /dev/urandom >fscrypt.key
  fscrypt setup image --quiet >&2
  fscrypt encrypt image/encrypted --source=raw_key --key=fscrypt.key --name=journals --quiet >&2
  mkdir image/encrypted/journals
  pgrep -f "passfile gocryptfs.password gocryptfs.cipher" | while read -r process; do
    [ "$(readlink "/proc/$process/cwd")" != "$PWD" ] || echo "$process"
  done | head -n 1
}

unmount_all() { # folder
  for point in "$1/gocryptfs" "$1/image"; do
    if mountpoint -q "$point"; then # brokers that a signal ends at the same time still write
      tries 60 umount "$point" || umount --lazy "$point"
    fi
  done
  tries 60 rm -rf "$1" || fail "cannot be deleted: $1"
}

limit() { # group cores pid; a period is short, so that processes do not stand still for long
  micros=$(awk "BEGIN { print int($2 * 10000) }")
  if [ -d /sys/fs/cgroup/cpu ]; then # version 1 has a folder for each controller
    mkdir -p "/sys/fs/cgroup/cpu/$1"
    echo 10000 >"/sys/fs/cgroup/cpu/$1/cpu.cfs_period_us"
    echo "$micros" >"/sys/fs/cgroup/cpu/$1/cpu.cfs_quota_us"
    echo "$3" >"/sys/fs/cgroup/cpu/$1/cgroup.procs"
  else
    echo +cpu >/sys/fs/cgroup/cgroup.subtree_control
    mkdir -p "/sys/fs/cgroup/$1"
    echo "$micros 10000" >"/sys/fs/cgroup/$1/cpu.max"
    echo "$3" >"/sys/fs/cgroup/$1/cgroup.procs"
  fi
}

unlimit() { # group
  for group in "/sys/fs/cgroup/cpu/$1" "/sys/fs/cgroup/$1"; do
    [ ! -d "$group" ] || tries 5 rmdir "$group"
  done
}

case $command in
  mount) mount_all "$2" "$3" ;;
  unmount) unmount_all "$2" ;;
  cipher)
    awk -F ' *: *' '{ field[$1] = $2 }
      $1 == "priority" && field["name"] == "xts(aes)" && $2 > best { best = $2; driver = field["driver"] }
      END { print driver == "" ? "unknown" : driver }' /proc/crypto
    ;;
  forget) sync && echo 3 >/proc/sys/vm/drop_caches ;;
  limit) limit "$2" "$3" "$4" ;;
  unlimit) unlimit "$2" ;;
  *) fail "unknown command $command" ;;
esac
