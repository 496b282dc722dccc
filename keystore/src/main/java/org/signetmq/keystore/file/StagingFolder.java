/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.internal.file.ProcessUser;
import org.signetmq.keystore.internal.file.ShellText;

/**
 * The folder of a new file before it gets its name. Usually it is the target folder. If root writes into a folder of
 * another user, it is a new folder of root inside. Then no other user can replace the unfinished file.
 */
final class StagingFolder implements Closeable {
    private final FolderFiles files;
    private final @Nullable SecureFolder around;
    private final String name;

    private StagingFolder(FolderFiles files, @Nullable SecureFolder around, String name) {
        this.files = files;
        this.around = around;
        this.name = name;
    }

    static StagingFolder beside(FolderFiles folder) throws IOException {
        if (!ProcessUser.isRoot() || !(folder instanceof SecureFolder held) || isRootsAlone(held.attributes())) {
            return new StagingFolder(folder, null, "");
        }
        String name = ".signet-" + UUID.randomUUID();
        Path path = held.path().resolve(name);
        Files.createDirectory(path, AccessRights.atCreation(path, AccessRights.PRIVATE_FOLDER));
        SecureFolder apart = held.child(name); // fails if another user moved the folder meanwhile
        if (!isRootsAlone(apart.attributes())) {
            apart.close();
            throw new IOException(ShellText.shown(path) + ": replaced by another user; nothing was written");
        }
        return new StagingFolder(apart, held, name);
    }

    private static boolean isRootsAlone(PosixFileAttributes folder) throws IOException {
        return folder.owner().equals(ProcessUser.root())
                && AccessRights.withoutOtherWriters(folder.permissions()).equals(folder.permissions());
    }

    FolderFiles files() {
        return files;
    }

    boolean isApart() {
        return around != null;
    }

    @Override
    public void close() throws IOException {
        if (around != null) {
            files.close();
            around.deleteFolder(name);
        }
    }
}
