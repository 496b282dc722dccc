/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The mounts that this process sees. Only Linux tells them; elsewhere nothing counts as read-only. */
public final class MountTable {
    private record Mount(String id, String parent, String point, boolean isReadOnly) {
        /** Parses a line of /proc/self/mountinfo, see proc(5). */
        static Mount parse(String line) {
            List<String> fields = Arrays.asList(line.split(" "));
            int end = fields.indexOf("-"); // of the optional fields
            boolean readOnly = has(fields.get(5), "ro") || has(fields.get(end + 3), "ro");
            return new Mount(fields.get(0), fields.get(1), plain(fields.get(4)), end > 5 && readOnly);
        }

        private static boolean has(String options, String option) {
            return Arrays.asList(options.split(",")).contains(option);
        }

        private static String plain(String escaped) {
            return escaped.replace("\\040", " ")
                    .replace("\\011", "\t")
                    .replace("\\012", "\n")
                    .replace("\\134", "\\");
        }
    }

    private final List<Mount> mounts;

    private MountTable(List<Mount> mounts) {
        this.mounts = mounts;
    }

    /** Returns the present mounts. */
    public static MountTable current() {
        try {
            return parse(Files.readAllLines(Path.of("/proc/self/mountinfo"), StandardCharsets.ISO_8859_1));
        } catch (IOException | RuntimeException unknown) {
            return new MountTable(List.of());
        }
    }

    static MountTable parse(List<String> lines) {
        return new MountTable(lines.stream().map(Mount::parse).toList());
    }

    /**
     * Tells whether a path lies on a read-only mount.
     *
     * @param path an absolute path without links
     */
    public boolean isReadOnly(Path path) {
        if (!path.toString().chars().allMatch(character -> character < 0x80)) {
            return false; // Java and the table may write its name in different ways
        }
        Mount at = top(null, "/");
        for (int i = 1; i <= path.getNameCount() && at != null; i++) {
            at = top(at, "/" + path.subpath(0, i));
        }
        return at != null && at.isReadOnly();
    }

    /** Returns the mount that covers a path, whose parent lies on another mount. A covered mount has no effect. */
    private @Nullable Mount top(@Nullable Mount around, String point) {
        Mount at = around;
        for (boolean found = true; found; ) {
            found = false;
            for (Mount mount : mounts) {
                if (mount.point().equals(point) && isOn(mount, at)) {
                    at = mount;
                    found = true;
                    break;
                }
            }
        }
        return at;
    }

    private boolean isOn(Mount mount, @Nullable Mount around) {
        return around == null
                ? mounts.stream()
                        .noneMatch(other -> other != mount && other.id().equals(mount.parent()))
                : mount != around && mount.parent().equals(around.id());
    }
}
