/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.file;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The permissions that new files and folders get when they are made; none where the file system has none. */
final class NewFileModes {
    /** All users list, the owner adds. */
    static final Set<PosixFilePermission> READABLE_FOLDER = PosixFilePermissions.fromString("rwxr-xr-x");

    /** Only the owner does anything. */
    static final Set<PosixFilePermission> PRIVATE_FOLDER = PosixFilePermissions.fromString("rwx------");

    private NewFileModes() {}

    static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }
}
