/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.IOException;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.signetmq.keystore.file.OwnedFolder;

/**
 * A file of an instance. It is replaced whole: the broker sees the old one or the new one.
 *
 * @param folder where it is
 * @param name its name there
 */
record InstanceFile(OwnedFolder folder, String name) {
    /**
     * Carries out a change.
     *
     * @param permissions those of a file that is new
     * @throws UnusableInstanceException if the file is not as it was when the change was planned
     */
    void change(FileChange change, Set<PosixFilePermission> permissions) throws IOException {
        Optional<byte[]> now = folder.read(name, Instance.MOST_BYTES);
        if (now.isPresent() != change.before().isPresent()
                || !Arrays.equals(now.orElse(new byte[0]), change.before().orElse(new byte[0]))) {
            throw new UnusableInstanceException(change.name() + ": changed meanwhile; run the command again");
        }
        if (change.after().isEmpty()) {
            folder.delete(name);
        } else {
            folder.write(name, change.after().get(), permissions(change, permissions));
        }
    }

    private Set<PosixFilePermission> permissions(FileChange change, Set<PosixFilePermission> ofNewFile)
            throws IOException {
        return change.kind() == FileChange.Kind.SECRET
                ? OwnedFolder.PRIVATE
                : folder.permissions(name).orElse(ofNewFile);
    }
}
