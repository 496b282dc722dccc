/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The rights and the programs that encrypted disks need. */
final class Requirements {
    private static final int ROOT = 0;

    private Requirements() {}

    /** Returns the programs, and the package of each. */
    private static Map<String, String> programs() {
        Map<String, String> programs = new LinkedHashMap<>();
        programs.put("gocryptfs", "gocryptfs");
        programs.put("fusermount", "fuse3");
        programs.put("fscrypt", "fscrypt");
        programs.put("mkfs.ext4", "e2fsprogs");
        programs.put("mount", "mount");
        programs.put("umount", "mount");
        programs.put("setsid", "util-linux");
        return programs;
    }

    /** Returns what this process lacks, in one line; empty if nothing. */
    static Optional<String> missing() throws IOException {
        Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        return missing((Integer) user, name -> Program.find(name).isPresent());
    }

    /** Returns what a user with these programs lacks. */
    static Optional<String> missing(int user, Predicate<String> isInstalled) {
        List<String> needs = new ArrayList<>();
        if (user != ROOT) {
            needs.add("the rights of root, to mount");
        }
        Map<String, String> lacking = programs();
        lacking.keySet().removeIf(isInstalled);
        if (!lacking.isEmpty()) {
            needs.add(String.join(", ", lacking.keySet()) + ": apt-get install "
                    + String.join(" ", lacking.values().stream().distinct().toList()));
        }
        return needs.isEmpty() ? Optional.empty() : Optional.of("needs " + String.join("; and ", needs));
    }
}
