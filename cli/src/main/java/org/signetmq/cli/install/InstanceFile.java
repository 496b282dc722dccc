/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;

/**
 * A file of an instance.
 *
 * @param path where it is
 * @param model a file that is there, and whose owner and permissions a new one gets
 */
record InstanceFile(Path path, Path model) {
    void change(FileChange change) throws IOException {
        if (change.after().isEmpty()) {
            Files.deleteIfExists(path);
        } else {
            replace(change.after().get(), change.kind());
        }
    }

    /** Written beside it and renamed: the broker, and who reads it now, see the old or the new one. */
    private void replace(byte[] content, FileChange.Kind kind) throws IOException {
        Path target = Files.exists(path) ? path.toRealPath() : path;
        // mode 0600 from the start: that is how temporary files are made
        Path temporary = Files.createTempFile(target.getParent(), ".signet-", ".tmp");
        try {
            Files.write(temporary, content);
            likeTheModel(temporary, Files.exists(target) ? target : model, kind);
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static void likeTheModel(Path file, Path model, FileChange.Kind kind) throws IOException {
        PosixFileAttributes wanted = Files.readAttributes(model, PosixFileAttributes.class);
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (!view.readAttributes().owner().equals(wanted.owner())) {
            view.setOwner(wanted.owner()); // root installs for the user whom the broker runs as
            view.setGroup(wanted.group());
        }
        if (kind != FileChange.Kind.SECRET) {
            view.setPermissions(wanted.permissions());
        }
    }
}
