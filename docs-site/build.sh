#!/bin/sh
# Renders docs/ as a site into a folder, by a Python of its own in target/. It says nothing if all is well.
#   build.sh [FOLDER]   default docs-site/target/site; what the folder had before goes
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
site=${1:-$here/target/site}
case $site in
  /*) ;;
  *) site=$PWD/$site ;;
esac
fail() {
  printf 'docs-site: error: %s\n' "$1" >&2
  exit 1
}

python=$(command -v python3) || fail 'no python3 found; install Python 3.11 or later with its module venv'
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
  fail "$python is older than 3.11; install Python 3.11 or later with its module venv"

# one at a time, where there is flock: modules of a build run beside each other
mkdir -p "$here/target"
exec 9>"$here/target/lock"
! command -v flock >/dev/null || flock 9

# made again when what it holds changes; ready is there when it is whole
venv=$here/target/venv
if ! cmp -s "$here/requirements.txt" "$venv/ready"; then
  rm -rf "$venv"
  log=$here/target/venv.log
  "$python" -m venv "$venv" >"$log" 2>&1 ||
    fail "$python makes no virtual environment; install its module venv (Debian: python3-venv); the log is $log"
  "$venv/bin/python" -m pip --disable-pip-version-check install --quiet --no-deps --require-hashes \
    --only-binary=:all: -r "$here/requirements.txt" >"$log" 2>&1 ||
    fail "pip could not install what requirements.txt names; the log is $log"
  cp "$here/requirements.txt" "$venv/ready"
fi

# the same sources give the same bytes: the one date in them is that of the build in the root pom
date=$(sed -n 's:.*<project.build.outputTimestamp>\(.*\)</project.build.outputTimestamp>.*:\1:p' "$here/../pom.xml")
SOURCE_DATE_EPOCH=$(date -u -d "$date" +%s) || fail "pom.xml: project.build.outputTimestamp is no time: $date"
export SOURCE_DATE_EPOCH PYTHONDONTWRITEBYTECODE=1 PYTHONHASHSEED=0 PYTHONUTF8=1
# an advertisement of the theme for its successor
export NO_MKDOCS_2_WARNING=1
# with --quiet it would not count what it does not say, and pass
log=$here/target/mkdocs.log
if ! "$venv/bin/python" -m mkdocs build --strict --clean --config-file "$here/mkdocs.yml" --site-dir "$site" >"$log" 2>&1; then
  grep -v '^INFO' "$log" >&2
  fail 'docs/ has what the site cannot have'
fi

# for servers, other languages and developers of the theme
rm -rf "$site/404.html" "$site/sitemap.xml" "$site/sitemap.xml.gz" "$site/assets/javascripts/lunr" \
  "$site/search/search_index.json"
find "$site" -name '*.map' -delete
cp "$venv"/lib/python3*/site-packages/mkdocs_material-*.dist-info/licenses/LICENSE "$site/assets/mkdocs-material.LICENSE"
