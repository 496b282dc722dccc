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

    /** Writes a new content of a file that other users may read. A replaced file keeps its permissions. */
    public void put(Path target, byte[] content) throws IOException {
        put(target, content, false);
    }

    /** Writes a new content of a file that only the owner can read. The same holds for its folder if that is new. */
    public void putPrivate(Path target, byte[] content) throws IOException {
        put(target, content, true);
    }

    private void put(Path target, byte[] content, boolean isPrivate) throws IOException {
        StagedFile draft = draft(target, content, isPrivate);
        changes.add(() -> draft.replace(new WholeFile(target).permissionsOr(permissions(isPrivate))));
    }

    /** Writes a file that other users may read. If it is there, the changes are not made. */
    public void add(Path target, byte[] content) throws IOException {
        add(target, content, false);
    }

    /** Writes a file as {@link #add} does, and as {@link #putPrivate} does for its owner only. */
    public void addPrivate(Path target, byte[] content) throws IOException {
        add(target, content, true);
    }

    private void add(Path target, byte[] content, boolean isPrivate) throws IOException {
        StagedFile draft = draft(target, content, isPrivate);
        changes.add(() -> {
            draft.take(permissions(isPrivate));
            added.push(new WholeFile(target));
        });
    }

    /** Adds the deletion of a file, which may be absent. */
    public void delete(Path target) {
        changes.add(new WholeFile(target)::delete);
    }

    private static Set<PosixFilePermission> permissions(boolean isPrivate) {
        return isPrivate ? WholeFile.PRIVATE : WholeFile.READABLE;
    }

    private StagedFile draft(Path target, byte[] content, boolean isPrivate) throws IOException {
        Path absolute = target.toAbsolutePath();
        WholeFile.makeFolder(absolute.resolveSibling(""), isPrivate ? "rwx------" : "rwxr-xr-x");
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
