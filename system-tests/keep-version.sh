#!/bin/sh
# Keeps what the version of this working copy writes, and the signatures of its API, in testkit/compatibility/VERSION. Run it
# before a release, after "mvn verify", and commit the folder. Later versions must read it; it is never made again.
#   system-tests/keep-version.sh VERSION
set -eu
cd "$(dirname -- "$0")"
folder=../testkit/compatibility/${1:?the version}
if [ -e "$folder" ]; then
  printf 'keep-version: error: %s is there; a version is kept once\n' "$folder" >&2
  exit 1
fi
(cd .. && mvn -q -B -pl system-tests -am test-compile dependency:build-classpath -Dmdep.outputFile=target/class-path \
  -Dmdep.includeScope=test)
classes=target/test-classes:$(cat target/class-path)
java -cp "$classes" org.signetmq.system.CompatibilityFolder "$folder"
java -cp "$classes" org.signetmq.system.ApiJars "$folder/api"
