/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.file;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes of files that are written in full first, and then made one after the other. Each change is atomic. If the
 * disk is full, nothing changes. If the process ends between two changes, the first ones are made and the others are
 * not. Not thread-safe.
 */
public final class FileChanges implements AutoCloseable {
    /**
     * A change.
     *
     * @param draft the new content, or null to delete the file
     */
    private record Change(
            OwnedFolder folder, String name, @Nullable StagedFile draft, Set<PosixFilePermission> permissions) {}

    private final TargetFolders folders = new TargetFolders();
    private final List<Change> changes = new ArrayList<>();

    /** Writes a new content of a file that other users may read. */
    public void put(Path target, byte[] content) throws IOException {
        put(folders.of(target, AccessRights.READABLE_FOLDER), target, content, OwnedFolder.READABLE);
    }

    /** Writes a new content of a file that only the owner can read. The same holds for its folder if that is new. */
    public void putPrivate(Path target, byte[] content) throws IOException {
        put(folders.of(target, AccessRights.PRIVATE_FOLDER), target, content, OwnedFolder.PRIVATE);
    }

    /** Adds the deletion of a file, which may be absent. */
    public void delete(Path target) throws IOException {
        changes.add(new Change(
                folders.of(target, AccessRights.READABLE_FOLDER),
                String.valueOf(target.getFileName()),
                null,
                OwnedFolder.PRIVATE));
    }

    /**
     * Makes the changes in the order of their addition.
     *
     * @param beforeEach runs before each change; if it throws, the other changes are not made
     */
    public void apply(Runnable beforeEach) throws IOException {
        for (Change change : changes) {
            beforeEach.run();
            if (change.draft() == null) {
                change.folder().delete(change.name());
            } else {
                change.draft().replace(change.name(), change.permissions());
            }
        }
    }

    /** Removes what was written and did not get its name. */
    @Override
    public void close() throws IOException {
        for (Change change : changes) {
            if (change.draft() != null) {
                change.draft().close();
            }
        }
        folders.close();
    }

    private void put(OwnedFolder folder, Path target, byte[] content, Set<PosixFilePermission> permissions)
            throws IOException {
        StagedFile draft = folder.draft();
        changes.add(new Change(folder, String.valueOf(target.getFileName()), draft, permissions));
        draft.write(content);
    }
}
