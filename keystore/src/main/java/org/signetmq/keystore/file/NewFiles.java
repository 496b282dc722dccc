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

/** New files that appear together or not at all, and never replace a file. Not thread-safe. */
public final class NewFiles implements AutoCloseable {
    private record Unpublished(
            OwnedFolder folder, StagedFile draft, String name, Set<PosixFilePermission> permissions) {}

    private final TargetFolders folders = new TargetFolders();
    private final List<Unpublished> drafts = new ArrayList<>();
    private final Deque<Unpublished> published = new ArrayDeque<>();
    private boolean complete;

    /** Adds a file that other users may read but not write, under any umask. */
    public void add(Path target, byte[] content) throws IOException {
        write(folders.of(target, AccessRights.READABLE_FOLDER), target, content, OwnedFolder.READABLE);
    }

    /** Adds a file that only the owner can read from its creation on. The same holds for its folder if that is new. */
    public void addPrivate(Path target, byte[] content) throws IOException {
        write(folders.of(target, AccessRights.PRIVATE_FOLDER), target, content, OwnedFolder.PRIVATE);
    }

    /** Gives the files their names, in the order of addition. */
    public void publish() throws IOException {
        for (Unpublished file : drafts) {
            file.draft().take(file.name(), file.permissions());
            published.push(file);
        }
        complete = true;
    }

    @Override
    public void close() throws IOException {
        for (Unpublished file : drafts) {
            file.draft().close();
        }
        while (!complete && !published.isEmpty()) {
            Unpublished file = published.pop();
            file.folder().delete(file.name());
        }
        folders.close();
    }

    private void write(OwnedFolder folder, Path target, byte[] content, Set<PosixFilePermission> permissions)
            throws IOException {
        StagedFile draft = folder.draft();
        drafts.add(new Unpublished(folder, draft, String.valueOf(target.getFileName()), permissions));
        draft.write(content);
    }
}
