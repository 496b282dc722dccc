/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** Permissions that let nobody but the owner in; where the file system has none, those of the folder must do. */
final class OwnerOnly {
    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private OwnerOnly() {}

    static FileAttribute<?>[] file(Path path) {
        return attributes(path, "rw-------");
    }

    static FileAttribute<?>[] folder(Path path) {
        return attributes(path, "rwx------");
    }

    /** Refuses a private file that others can read or change, as ssh does. */
    static void require(Path file) {
        if (!hasPermissions(file)) {
            return;
        }
        try {
            Set<PosixFilePermission> open = EnumSet.copyOf(OTHERS);
            open.retainAll(Files.getPosixFilePermissions(file));
            if (!open.isEmpty()) {
                throw new KeystoreUnusableException(
                        file + ": others than its owner have access to this private key; run: chmod 600 " + file);
            }
        } catch (IOException e) {
            throw new KeystoreUnusableException(file + ": its permissions cannot be read", e);
        }
    }

    private static FileAttribute<?>[] attributes(Path path, String permissions) {
        return hasPermissions(path)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static boolean hasPermissions(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
