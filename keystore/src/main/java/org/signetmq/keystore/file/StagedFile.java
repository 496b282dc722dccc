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
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.internal.file.UnixAttributes;

/**
 * A new file under a random name, for its owner only. {@link #close} deletes it if it has no final name yet; any thread
 * may call it.
 */
public final class StagedFile implements Closeable {
    private final OwnedFolder folder;
    private final FolderFiles files;
    private final StagingFolder bench;
    private final String name = "." + UUID.randomUUID() + ".new";
    private boolean named;
    private boolean closed;

    StagedFile(OwnedFolder folder, FolderFiles files) throws IOException {
        this.folder = folder;
        this.files = files;
        this.bench = StagingFolder.beside(files);
        try {
            bench.files()
                    .open(name, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW))
                    .close();
        } catch (IOException e) {
            bench.close();
            throw named(e, files.path());
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
    public FileChannel open(OpenOption... options) throws IOException {
        Set<OpenOption> all = new HashSet<>(List.of(options));
        all.add(StandardOpenOption.WRITE);
        return bench.files().open(name, all);
    }

    /** Writes the whole content. */
    public void write(byte[] content) throws IOException {
        try (FileChannel channel = open()) {
            ByteBuffer remaining = ByteBuffer.wrap(content);
            while (remaining.hasRemaining()) {
                channel.write(remaining);
            }
        }
    }

    /**
     * Gives the file its final name, and replaces a file of that name. The new file gets owner and group of the
     * replaced file, else of the folder.
     *
     * @param permissions the permissions; write permissions of other users are removed
     */
    public synchronized void replace(String target, Set<PosixFilePermission> permissions) throws IOException {
        BasicFileAttributes there = folder.usable(target);
        try {
            finish(there, permissions);
            bench.files().move(name, files, target);
        } catch (IOException e) {
            throw named(e, files.path().resolve(target));
        }
        named = true;
        files.sync();
    }

    /**
     * Gives the file its final name, unless a file has that name.
     *
     * @throws FileAlreadyExistsException if the name is taken
     */
    void take(String target, Set<PosixFilePermission> permissions) throws IOException {
        if (files.attributes(target) != null) {
            throw new FileAlreadyExistsException(files.path().resolve(target).toString());
        }
        finish(null, permissions);
        if (bench.isApart() || !link(target)) {
            moveToReserved(target);
        }
        files.sync();
    }

    /** Links the file to its final name. Unlike a rename, a link never replaces a file of another process. */
    private boolean link(String target) throws IOException {
        Path path = files.path();
        try {
            Files.createLink(path.resolve(target), path.resolve(name));
            return true;
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (UnsupportedOperationException | IOException e) {
            return false;
        }
    }

    /** Reserves the final name by an empty file and renames this file over it, for file systems without links. */
    private void moveToReserved(String target) throws IOException {
        files.open(target, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW))
                .close();
        try {
            bench.files().move(name, files, target);
            named = true;
        } finally {
            if (!named) {
                files.delete(target);
            }
        }
    }

    private void finish(@Nullable BasicFileAttributes like, Set<PosixFilePermission> permissions) throws IOException {
        try (FileChannel channel = open()) {
            channel.force(true);
        }
        if (like instanceof PosixFileAttributes file) {
            bench.files().change(name, AccessRights.like(file, permissions));
        } else if (UnixAttributes.areKnown(files.path())) {
            bench.files().change(name, AccessRights.like(ofFolder(), permissions));
        }
    }

    private PosixFileAttributes ofFolder() throws IOException {
        return files instanceof SecureFolder held
                ? held.attributes()
                : Files.readAttributes(files.path(), PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (!named) {
                bench.files().delete(name);
            }
        } finally {
            bench.close();
        }
    }
}
