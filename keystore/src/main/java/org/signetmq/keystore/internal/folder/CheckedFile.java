/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.folder;

import java.nio.file.Path;
import java.util.List;

/**
 * A file of a folder, and the check of their permissions before the file is read.
 *
 * @param path the file, which need not exist
 */
public record CheckedFile(CheckedFolder folder, Path path) {
    /**
     * Rejects the file if other users may change it.
     *
     * @throws org.signetmq.keystore.KeystoreUnusableException if it rejects the file
     */
    void requireSafe() {
        folder.check().requireSafe(folder.path(), List.of(path));
    }
}
