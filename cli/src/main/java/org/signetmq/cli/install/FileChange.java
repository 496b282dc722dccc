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

    /** What was done. */
    String summary() {
        return name + ": " + done();
    }

    /** What is yet to be done. */
    String intention() {
        return name + ": would be " + done();
    }

    private String done() {
        if (after.isEmpty()) {
            return "removed";
        }
        if (kind == Kind.JAR) {
            Optional<String> version = new PluginJar(after.get()).version();
            return before.map(old -> replaced(new PluginJar(old).version(), version))
                    .orElse("added" + version.map(known -> ", version " + known).orElse(""));
        }
        return before.isEmpty() ? "written" : "edited";
    }

    private static String replaced(Optional<String> before, Optional<String> after) {
        return before.isEmpty() && after.isEmpty()
                ? "replaced"
                : "replaced, version " + before.orElse("unknown") + " by " + after.orElse("unknown");
    }
}
