/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import org.signetmq.keystore.internal.file.ProcessUser;

/**
 * A new file beside its place, under a random name, for its owner only. {@link #close} deletes it if it has no final
 * name yet; any thread may call it.
 */
public final class StagedFile implements Closeable {
    private final WholeFile target;
    private final Path draft;
    private boolean named;

    StagedFile(WholeFile target) throws IOException {
        this.target = target;
        this.draft = target.path().resolveSibling("." + UUID.randomUUID() + ".new");
        try {
            Files.createFile(draft, WholeFile.atCreation(draft, WholeFile.PRIVATE));
        } catch (IOException e) {
            throw named(e, target.path().resolveSibling(""));
        }
    }

    /** Returns a failure with the name that the user knows, in place of the random one. */
    private static IOException named(IOException failure, Path file) {
        if (!(failure instanceof FileSystemException failed)) {
            return failure;
        }
        FileSystemException shown = failure instanceof AccessDeniedException
                ? new AccessDeniedException(file.toString())
                : new FileSystemException(file.toString(), null, failed.getReason());
        shown.initCause(failure);
        return shown;
    }

    /** Opens the file for writing. The caller closes the channel. */
    public FileChannel open() throws IOException {
        return FileChannel.open(draft, StandardOpenOption.WRITE);
    }

    /** Writes the whole content to the disk. */
    public void write(byte[] content) throws IOException {
        try (FileChannel channel = open()) {
            ByteBuffer remaining = ByteBuffer.wrap(content);
            while (remaining.hasRemaining()) {
                channel.write(remaining);
            }
            channel.force(true);
        }
    }

    /** Gives the file its final name and these permissions. It replaces a file of that name, and keeps its group. */
    public synchronized void replace(Set<PosixFilePermission> permissions) throws IOException {
        boolean replaces = target.isThere();
        try {
            finish(replaces, permissions);
            Files.move(draft, target.path(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw named(e, target.path());
        }
        named = true;
        target.syncFolder();
    }

    /**
     * Gives the file its final name, unless a file has that name.
     *
     * @throws FileAlreadyExistsException if the name is taken
     */
    synchronized void take(Set<PosixFilePermission> permissions) throws IOException {
        finish(false, permissions);
        try {
            Files.createLink(target.path(), draft); // unlike a rename, it never replaces a file of another process
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (UnsupportedOperationException | IOException noLinks) {
            moveToReserved();
        }
        target.syncFolder();
    }

    /** Reserves the final name by an empty file and renames this file over it, for file systems without links. */
    private void moveToReserved() throws IOException {
        Files.createFile(target.path());
        try {
            Files.move(draft, target.path(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            named = true;
        } finally {
            if (!named) {
                Files.deleteIfExists(target.path());
            }
        }
    }

    private void finish(boolean replaces, Set<PosixFilePermission> permissions) throws IOException {
        try (FileChannel channel = open()) {
            channel.force(true);
        }
        PosixFileAttributeView view = Files.getFileAttributeView(draft, PosixFileAttributeView.class);
        if (view == null) {
            return;
        }
        Set<PosixFilePermission> given = EnumSet.copyOf(permissions);
        if (replaces) {
            PosixFileAttributes there = Files.readAttributes(target.path(), PosixFileAttributes.class);
            try {
                view.setGroup(there.group());
                if (ProcessUser.current().isRoot()) {
                    view.setOwner(there.owner());
                }
            } catch (FileSystemException notAMember) {
                given.removeAll(Set.of(PosixFilePermission.GROUP_READ, PosixFilePermission.GROUP_WRITE));
            }
        }
        view.setPermissions(given);
    }

    @Override
    public synchronized void close() throws IOException {
        if (!named) {
            named = true;
            Files.deleteIfExists(draft);
        }
    }
}
