/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The permissions of new files and folders: only the owner may write. Where the file system has none, they are empty.
 */
final class NewFileModes {
    private NewFileModes() {}

    static FileAttribute<?>[] privateFile(Path path) {
        return attributes(path, "rw-------");
    }

    static FileAttribute<?>[] privateFolder(Path path) {
        return attributes(path, "rwx------");
    }

    static FileAttribute<?>[] readableFile(Path path) {
        return attributes(path, "rw-r--r--");
    }

    static FileAttribute<?>[] readableFolder(Path path) {
        return attributes(path, "rwxr-xr-x");
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
