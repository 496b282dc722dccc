/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.file;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Opens the folders of several files, and each folder once. Not thread-safe. */
final class TargetFolders implements AutoCloseable {
    private final Map<Path, OwnedFolder> opened = new LinkedHashMap<>();

    /**
     * Opens the folder of a file, and makes it if it is absent.
     *
     * @param permissions of a new folder
     * @throws IllegalArgumentException if the path is a root
     */
    OwnedFolder of(Path target, Set<PosixFilePermission> permissions) throws IOException {
        Path path = target.toAbsolutePath().getParent();
        if (path == null) {
            throw new IllegalArgumentException("target: " + target + " is not in a folder");
        }
        OwnedFolder known = opened.get(path);
        if (known != null) {
            return known;
        }
        OwnedFolder folder = OwnedFolder.openOrMake(path, permissions);
        opened.put(path, folder);
        return folder;
    }

    @Override
    public void close() throws IOException {
        for (OwnedFolder folder : opened.values()) {
            folder.close();
        }
    }
}
