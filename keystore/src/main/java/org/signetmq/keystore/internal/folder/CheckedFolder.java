/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.folder;

import java.nio.file.Path;
import java.util.List;

/**
 * A folder, and the check of its permissions before its files are read.
 *
 * @param path the folder, which need not exist
 */
public record CheckedFolder(Path path, Check check) {
    /** Checks the permissions of files. */
    public interface Check {
        /**
         * Rejects a folder or files that other users may change.
         *
         * @throws org.signetmq.keystore.KeystoreUnusableException if it rejects one
         */
        void requireSafe(Path folder, List<Path> files);
    }
}
