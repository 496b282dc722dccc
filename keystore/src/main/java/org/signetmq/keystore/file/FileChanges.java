/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.file;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/**
 * Changes of files that are written in full first, and then made one after the other. Each change is atomic. If the
 * disk is full, nothing changes. If the process ends between two changes, the first ones are made and the others are
 * not. Not thread-safe.
 */
public final class FileChanges implements AutoCloseable {
    /** Makes one change. */
    private interface Change {
        void make() throws IOException;
    }

    private final List<Change> changes = new ArrayList<>();
    private final List<StagedFile> drafts = new ArrayList<>();
    private final Deque<WholeFile> added = new ArrayDeque<>();
    private boolean complete;

    /**
     * Writes a new content of a file. A replaced file keeps its permissions.
     *
     * @param permissions {@link WholeFile#PRIVATE}, also for its folder if that is new, or {@link WholeFile#READABLE}
     */
    public void put(Path target, Set<PosixFilePermission> permissions, byte[] content) throws IOException {
        StagedFile draft = draft(target, permissions, content);
        changes.add(() -> draft.replace(new WholeFile(target).permissionsOr(permissions)));
    }

    /** Writes a file as {@link #put} does. If it is there, the changes are not made. */
    public void add(Path target, Set<PosixFilePermission> permissions, byte[] content) throws IOException {
        StagedFile draft = draft(target, permissions, content);
        changes.add(() -> {
            draft.take(permissions);
            added.push(new WholeFile(target));
        });
    }

    /** Adds the deletion of a file, which may be absent. */
    public void delete(Path target) {
        changes.add(new WholeFile(target)::delete);
    }

    private StagedFile draft(Path target, Set<PosixFilePermission> permissions, byte[] content) throws IOException {
        Path absolute = target.toAbsolutePath();
        WholeFile.makeFolder(
                absolute.resolveSibling(""), permissions.equals(WholeFile.PRIVATE) ? "rwx------" : "rwxr-xr-x");
        StagedFile draft = new WholeFile(absolute).draft();
        drafts.add(draft);
        draft.write(content);
        return draft;
    }

    /**
     * Makes the changes in the order of their addition.
     *
     * @param beforeEach runs before each change; if it throws, the other changes are not made
     * @throws java.nio.file.FileAlreadyExistsException if an added file is there
     */
    public void apply(Runnable beforeEach) throws IOException {
        for (Change change : changes) {
            beforeEach.run();
            change.make();
        }
        complete = true;
    }

    /** Removes what was written and did not get its name. If not all changes were made, it removes added files, too. */
    @Override
    public void close() throws IOException {
        for (StagedFile draft : drafts) {
            draft.close();
        }
        while (!complete && !added.isEmpty()) {
            added.pop().delete();
        }
    }
}
