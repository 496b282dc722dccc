/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.file;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** Makes a folder in another one, for the owner of the other one. */
final class NewFolder {
    private NewFolder() {}

    static void make(FolderFiles outer, String name, Set<PosixFilePermission> permissions) throws IOException {
        try (Workbench bench = Workbench.beside(outer)) {
            Path made = bench.files().path().resolve(name);
            Files.createDirectory(made, NewFileModes.folder(made, permissions));
            if (bench.files() instanceof HeldFolder apart && outer instanceof HeldFolder held && bench.isApart()) {
                try (HeldFolder inside = apart.child(name)) {
                    AccessRights.like(held.attributes(), permissions).giveTo(inside.view());
                }
                apart.move(name, outer, name);
            }
        } catch (FileAlreadyExistsException e) {
            // another process made it: it is opened next, and judged like any other
        }
    }
}
