/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.util.Optional;

/**
 * One file that will be different.
 *
 * @param name below the instance's folder
 * @param before its content now; empty if it is not there
 * @param after its content then; empty if it will not be there
 * @param kind what sort of file it is
 */
record FileChange(String name, Optional<byte[]> before, Optional<byte[]> after, Kind kind) {
    enum Kind {
        /** Its lines can be shown. */
        TEXT,
        /** A jar. */
        JAR,
        /** For its owner's eyes. */
        SECRET
    }

    String summary() {
        if (after.isEmpty()) {
            return name + ": removed";
        }
        if (kind == Kind.JAR) {
            String version = new PluginJar(after.get()).version();
            return name
                    + before.map(old -> ": version " + new PluginJar(old).version() + " replaced by " + version)
                            .orElse(": added, version " + version);
        }
        return name + (before.isEmpty() ? ": written" : ": edited");
    }
}
