/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarInputStream;
import org.signetmq.keystore.file.OwnedFolder;

/**
 * A file that will be different.
 *
 * @param name below the instance's folder
 * @param before its content now; empty if it is absent
 * @param after its content then; empty if it will be absent
 * @param kind the sort of the file
 */
record FileChange(String name, Optional<byte[]> before, Optional<byte[]> after, Kind kind) {
    enum Kind {
        /** Its lines can be shown. */
        TEXT,
        /** A jar. */
        JAR,
        /** Only its owner may read it. */
        SECRET
    }

    /** Returns the name of the file without its folder. */
    static String fileName(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    /**
     * Carries out the change: the broker sees the file before or the file after.
     *
     * @param ofNewFile the permissions of a file that is new
     * @throws UnusableInstanceException if the file is not as it was when the change was planned
     */
    void carryOut(OwnedFolder folder, Set<PosixFilePermission> ofNewFile) throws IOException {
        String file = fileName(name);
        Optional<byte[]> now = folder.read(file, Instance.MOST_BYTES);
        if (!Arrays.equals(now.orElse(null), before.orElse(null))) {
            throw new UnusableInstanceException(name + ": changed meanwhile; run the command again");
        }
        if (after.isEmpty()) {
            folder.delete(file);
        } else {
            Set<PosixFilePermission> permissions = kind == Kind.SECRET
                    ? OwnedFolder.PRIVATE
                    : folder.permissions(file).orElse(ofNewFile);
            folder.write(file, after.get(), permissions);
        }
    }

    /** Returns the participle for the change. */
    String participle() {
        if (after.isEmpty()) {
            return "removed";
        }
        if (kind != Kind.JAR) {
            return before.isEmpty() ? "written" : "edited";
        }
        String version = version(after.get());
        if (before.isEmpty()) {
            return "added" + (version.equals(UNKNOWN) ? "" : ", version " + version);
        }
        String former = version(before.get());
        return former.equals(UNKNOWN) && version.equals(UNKNOWN)
                ? "replaced"
                : "replaced, version " + former + " by " + version;
    }

    private static final String UNKNOWN = "unknown";

    /** Returns the version in a jar's manifest. */
    private static String version(byte[] bytes) {
        try (JarInputStream jar = new JarInputStream(new ByteArrayInputStream(bytes))) {
            return Optional.ofNullable(jar.getManifest())
                    .map(manifest -> manifest.getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION))
                    .orElse(UNKNOWN);
        } catch (IOException e) {
            return UNKNOWN;
        }
    }
}
