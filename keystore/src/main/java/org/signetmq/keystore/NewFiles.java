/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Several new files that appear together or not at all: written beside their place, synced, then linked into it. Never
 * replaces a file. Closing removes what was not published. Not thread-safe.
 */
final class NewFiles implements AutoCloseable {
    private record Draft(Path temporary, Path target) {}

    private final List<Draft> drafts = new ArrayList<>();
    private final Deque<Path> published = new ArrayDeque<>();
    private boolean complete;

    /** A file that other users may read and not write, also under a lax umask. */
    void add(Path target, byte[] content) throws IOException {
        Path folder = folderOf(target);
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, NewFileModes.readableFolder(folder));
        }
        write(target, content, NewFileModes.readableFile(target));
    }

    /** A file, and its folder if that is new, for the owner alone from their first moment. */
    void addPrivate(Path target, byte[] content) throws IOException {
        Path folder = folderOf(target);
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, NewFileModes.privateFolder(folder));
        }
        write(target, content, NewFileModes.privateFile(target));
    }

    /** Puts the files in their places, in the order of adding. */
    void publish() throws IOException {
        for (Draft draft : drafts) {
            place(draft);
            published.push(draft.target());
        }
        for (Draft draft : drafts) {
            sync(folderOf(draft.target()));
        }
        complete = true;
    }

    @Override
    public void close() throws IOException {
        for (Draft draft : drafts) {
            Files.deleteIfExists(draft.temporary());
        }
        while (!complete && !published.isEmpty()) {
            Files.deleteIfExists(published.pop());
        }
    }

    private void write(Path target, byte[] content, FileAttribute<?>[] attributes) throws IOException {
        Path temporary = folderOf(target).resolve("." + UUID.randomUUID() + ".new");
        drafts.add(new Draft(temporary, target));
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        try (FileChannel channel = FileChannel.open(temporary, options, attributes)) {
            ByteBuffer remaining = ByteBuffer.wrap(content);
            while (remaining.hasRemaining()) {
                channel.write(remaining);
            }
            channel.force(true);
        }
    }

    private static void place(Draft draft) throws IOException {
        try {
            // unlike a rename, a link never replaces what somebody else put there meanwhile
            Files.createLink(draft.target(), draft.temporary());
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (UnsupportedOperationException | IOException e) {
            if (Files.exists(draft.target())) {
                throw new FileAlreadyExistsException(draft.target().toString());
            }
            Files.move(draft.temporary(), draft.target(), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static void sync(Path folder) throws IOException {
        if (!folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return; // elsewhere folders cannot be opened
        }
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static Path folderOf(Path target) {
        Path folder = target.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IllegalArgumentException("target: " + target + " is not in a folder");
        }
        return folder;
    }
}
