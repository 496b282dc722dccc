#!/bin/sh
# Builds an openssl that knows ML-KEM and ML-DSA (3.6) into a folder, from the crate openssl-src. Needs cargo, perl, gcc
# and make, and some minutes. Prints the path of the program; a second call finds it and builds nothing.
#   testkit/openssl-new.sh [FOLDER]      default: ~/.cache/signet/openssl, where the tests look for it
set -eu
folder=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/signet/openssl}
program=$folder/bin/openssl
if ! [ -x "$program" ]; then
  mkdir -p "$folder/bin" "$folder/ssl"
  folder=$(CDPATH='' cd -- "$folder" && pwd -P)
  program=$folder/bin/openssl
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/src"
  : >"$work/src/lib.rs"
  printf '[package]\nname = "fetch"\nversion = "0.0.0"\n[dependencies]\nopenssl-src = "=300.6.1"\n' >"$work/Cargo.toml"
  (cd "$work" && cargo vendor --quiet vendored >/dev/null)
  cd "$work/vendored/openssl-src/openssl"
  # no program but openssl, without what messages do not need
  ./Configure --prefix="$folder" --openssldir="$folder/ssl" no-shared no-module no-tests no-docs no-tls no-dtls no-quic \
    no-comp no-engine no-legacy >"$work/log" 2>&1 && make -j1 build_sw >>"$work/log" 2>&1 || {
    tail -20 "$work/log" >&2
    exit 1
  }
  # the crate leaves out the usual configuration, which "openssl req" wants
  printf '[req]\ndistinguished_name = name\n[name]\n' >"$folder/ssl/openssl.cnf"
  cp apps/openssl "$program.new"
  mv "$program.new" "$program"
fi
printf '%s\n' "$program"
