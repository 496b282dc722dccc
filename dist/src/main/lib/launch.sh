# Functions of the launchers, in the shell of POSIX: that of a release and that of the source tree.

fail() {
  printf 'signet: error: %s\n' "$1" >&2
  [ $# -lt 2 ] || printf 'signet: hint: %s\n' "$2" >&2
  exit 3
}

# Sets java, version (as 17.0.15) and major.
find_java() {
  if [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
    [ -x "$java" ] || fail "JAVA_HOME: no bin/java in $JAVA_HOME" "set it to the folder of a $1 17 or later"
  else
    java=$(command -v java) || fail 'no java found' "install a $1 17 or later, or set JAVA_HOME"
  fi
  # the file "release" of a Java says its version without starting it
  release=$(dirname -- "$(readlink -f -- "$java" 2>/dev/null || printf %s "$java")")/../release
  version=$(sed -n 's/^JAVA_VERSION="\([^"]*\)".*/\1/p' "$release" 2>/dev/null || :)
  [ -n "$version" ] || version=$("$java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p')
  major=${version#1.}
  major=${major%%[!0-9]*}
  [ "$major" -ge 17 ] 2>/dev/null || fail "Java 17 or later is needed, $java is version ${major:-unknown}" \
    "set JAVA_HOME to a $1 17 or later"
}

# Commands start a quarter faster with the classes they need in an archive. It holds for one jar and one version of Java.
# An archive of the same moment is of this jar: file systems count time in steps of some milliseconds.
is_of_jar() {
  [ -e "$archive" ] && [ ! "$jar" -nt "$archive" ]
}

# Writes the archive. A Java that cannot make one does without, and is not asked again: an empty archive is ignored.
# Methods that wait for the compiler when the archive is written wait for ever in those who use it, so none may wait
# (-Xbatch): SHA-512 did, and sealing large files took ten times as long.
#   $1  why once, for the user
#   $2  archives that this one replaces: a pattern of names in its folder
archive_classes() {
  rehearsal=$(mktemp -d) || return 0
  printf 'signet: preparing a faster start, %s ...\n' "$1" >&2 || : # standard error may be closed
  "$java" -Xbatch -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:ArchiveClassesAtExit="$rehearsal/archive" \
    -Xlog:disable -cp "$jar" org.signetmq.cli.Rehearsal "$rehearsal" </dev/null >/dev/null 2>&1 || : >"$rehearsal/archive"
  # whole or not at all under its name, also where temporary files are on another file system
  if cp "$rehearsal/archive" "$archive.$$" 2>/dev/null; then
    (
      cd "$(dirname -- "$archive")" || exit
      # shellcheck disable=SC2086 # a pattern
      rm -f -- $2
    )
    mv -f "$archive.$$" "$archive"
  else
    rm -f "$archive.$$"
  fi
  rm -rf "$rehearsal"
}

# Becomes the command, with the archive if there is one.
run() {
  # short commands start faster with one compiler and one collector thread; the demo and a service run long enough for both
  options='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData'
  for argument in "$@"; do
    case $argument in
      demo | doctor) options= ;;
      serve) options=-XX:+UseSerialGC ;;
      # these may go on for gigabytes
      seal | open)
        options='-XX:+UseSerialGC'
        case $(uname -sm) in
          # the native library does the work here: the best compiler would only take processor time from it, unless the
          # library cannot be loaded and something becomes hot in earnest
          'Linux x86_64' | 'Linux aarch64')
            options="$options -XX:Tier4InvocationThreshold=50000 -XX:Tier4MinInvocationThreshold=10000"
            options="$options -XX:Tier4CompileThreshold=150000 -XX:Tier4BackEdgeThreshold=2000000"
            ;;
          # without it AES is slow until the best compiler had it, which by default takes more calls than there are
          # segments
          *) options="$options -XX:Tier4InvocationThreshold=100 -XX:Tier4MinInvocationThreshold=50 -XX:Tier4CompileThreshold=200" ;;
        esac
        ;;
    esac
  done
  # one of another Java, or of another jar, would be ignored
  if [ -n "$archive" ] && is_of_jar; then
    set -- -Xlog:cds=off -Xlog:cds+dynamic=off -XX:SharedArchiveFile="$archive" -jar "$jar" "$@"
  else
    set -- -jar "$jar" "$@"
  fi
  speak_utf_8
  # shellcheck disable=SC2086 # options are words
  exec "$java" -Xshare:auto $options ${SIGNET_JAVA_OPTS:-} "$@"
}

# Names and addresses may be other than ASCII.
speak_utf_8() {
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
    *[Uu][Tt][Ff]*) ;;
    *) LC_ALL=C.UTF-8 && export LC_ALL ;;
  esac
}
