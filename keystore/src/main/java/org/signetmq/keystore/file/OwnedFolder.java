/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.file;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.internal.file.ProcessUser;
import org.signetmq.keystore.internal.file.ShellText;
import org.signetmq.keystore.internal.file.UnixAttributes;

/**
 * An open folder that reads, replaces and deletes files, and never follows a link. A change of its path by other users
 * has no effect. Root gets only the rights of the folder's owner: it reads no file that the owner cannot read, and its
 * files belong to the owner. Not thread-safe.
 */
public final class OwnedFolder implements Closeable {
    /** Only the owner reads and writes. */
    public static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rw-------");

    /** All users read, the owner writes. */
    public static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("rw-r--r--");

    private final FolderFiles files;

    private OwnedFolder(FolderFiles files) {
        this.files = files;
    }

    /**
     * Opens an existing folder.
     *
     * @throws IOException if it cannot be opened, or its path leads through a link of another user
     */
    public static OwnedFolder open(Path folder) throws IOException {
        return new OwnedFolder(FolderOpener.open(folder));
    }

    /**
     * Opens a folder, and makes it and its parents if they are absent. A new folder belongs to the owner of its parent,
     * and only that user may write to it.
     */
    public static OwnedFolder openOrMake(Path folder) throws IOException {
        return openOrMake(folder, AccessRights.READABLE_FOLDER);
    }

    static OwnedFolder openOrMake(Path folder, Set<PosixFilePermission> permissions) throws IOException {
        Path absolute = folder.toAbsolutePath();
        if (!Files.exists(absolute, LinkOption.NOFOLLOW_LINKS)) {
            Path parent = Objects.requireNonNull(absolute.getParent(), "a root is always there");
            try (OwnedFolder outer = openOrMake(parent, permissions)) {
                make(outer.files, String.valueOf(absolute.getFileName()), permissions);
            }
        }
        return open(absolute);
    }

    /** Makes a folder in another one, for the owner of that one. */
    private static void make(FolderFiles outer, String name, Set<PosixFilePermission> permissions) throws IOException {
        try (StagingFolder bench = StagingFolder.beside(outer)) {
            Path made = bench.files().path().resolve(name);
            Files.createDirectory(made, AccessRights.atCreation(made, permissions));
            if (bench.files() instanceof SecureFolder apart && outer instanceof SecureFolder held && bench.isApart()) {
                try (SecureFolder inside = apart.child(name)) {
                    AccessRights.like(held.attributes(), permissions).giveTo(inside.view());
                }
                apart.move(name, outer, name);
            }
        } catch (FileAlreadyExistsException e) {
            // another process made it; open() judges it like any other
        }
    }

    /** Returns the path of the folder. */
    public Path path() {
        return files.path();
    }

    /** Returns the names of all entries of the folder. */
    public List<String> names() throws IOException {
        return files.names();
    }

    /** Returns the permissions of a file; empty if it is absent or the file system has none. */
    public Optional<Set<PosixFilePermission>> permissions(String name) throws IOException {
        return files.attributes(name) instanceof PosixFileAttributes posix
                ? Optional.of(posix.permissions())
                : Optional.empty();
    }

    /**
     * Reads a file of at most this number of bytes. Returns empty if it is absent. The caller owns the array.
     *
     * @throws IOException if it is a link or no file, is too long, or the folder's owner cannot read it
     */
    public Optional<byte[]> read(String name, int mostBytes) throws IOException {
        BasicFileAttributes before = usable(name);
        if (before == null) {
            return Optional.empty();
        }
        byte[] content;
        try (InputStream in = Channels.newInputStream(files.open(name, Set.of(StandardOpenOption.READ)))) {
            content = in.readNBytes(mostBytes + 1);
        }
        BasicFileAttributes after = usable(name);
        if (after == null || !Objects.equals(before.fileKey(), after.fileKey())) {
            throw new IOException(shown(name) + ": replaced while it was read; try again");
        }
        if (content.length > mostBytes) {
            throw new IOException(shown(name) + ": larger than " + mostBytes + " bytes");
        }
        return Optional.of(content);
    }

    /** Writes a file, and replaces a file of that name as a whole. */
    public void write(String name, byte[] content, Set<PosixFilePermission> permissions) throws IOException {
        try (StagedFile draft = draft()) {
            draft.write(content);
            draft.replace(name, permissions);
        }
    }

    /** Creates a file that has no final name yet. The caller closes it. */
    public StagedFile draft() throws IOException {
        return new StagedFile(this, files);
    }

    /**
     * Opens a pipe or device for writing. The caller closes the stream.
     *
     * @throws IOException if it is a link, or belongs to a user other than root and the user of this process
     */
    public OutputStream openPipe(String name) throws IOException {
        BasicFileAttributes attributes = files.attributes(name);
        if (attributes != null && attributes.isSymbolicLink()) {
            throw new LinkRejectedException(files.path().resolve(name));
        }
        Path pipe = files.path().resolve(name);
        if (UnixAttributes.areKnown(pipe)) {
            UnixAttributes facts = UnixAttributes.of(pipe);
            if (facts.owner() != ProcessUser.id() && facts.owner() != ProcessUser.ROOT) {
                throw new IOException(
                        shown(name) + ": a pipe or device of another user; that user could read the output");
            }
        }
        return Channels.newOutputStream(files.open(name, Set.of(StandardOpenOption.WRITE)));
    }

    /** Waits for the lock of a file of this name. The caller holds it until it closes the channel. */
    public FileChannel lock(String name) throws IOException {
        if (usable(name) == null) {
            try (StagedFile draft = draft()) {
                draft.take(name, PRIVATE);
            } catch (FileAlreadyExistsException e) {
                usable(name); // another process made it for the same lock
            }
        }
        FileChannel channel = files.open(name, Set.of(StandardOpenOption.WRITE));
        try {
            FileLock unused = channel.lock(); // ends with the channel
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Whether a process holds the lock of a file. An absent file has none. */
    public boolean isLocked(String name) throws IOException {
        if (usable(name) == null) {
            return false;
        }
        try (FileChannel channel = files.open(name, Set.of(StandardOpenOption.READ));
                FileLock free = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return free == null;
        } catch (OverlappingFileLockException ofThisProcess) {
            return true;
        }
    }

    /** Deletes a file or link, if it exists. */
    public void delete(String name) throws IOException {
        files.delete(name);
        files.sync();
    }

    /** Deletes a folder, if it exists and is empty. A link is not followed. */
    public void deleteEmptyFolder(String name) throws IOException {
        try {
            files.deleteFolder(name);
            files.sync();
        } catch (NoSuchFileException | DirectoryNotEmptyException stays) {
            // nothing to delete
        }
    }

    /**
     * Returns the attributes of a file; null if it is absent.
     *
     * @throws IOException if it is a link, no file, or a file that the folder's owner may not use
     */
    @Nullable
    BasicFileAttributes usable(String name) throws IOException {
        BasicFileAttributes attributes = files.attributes(name);
        if (attributes == null) {
            return null;
        }
        if (attributes.isSymbolicLink()) {
            throw new LinkRejectedException(files.path().resolve(name));
        }
        if (!attributes.isRegularFile()) {
            throw new IOException(shown(name) + ": not a file");
        }
        if (attributes instanceof PosixFileAttributes file && files instanceof SecureFolder held) {
            requireOfOwner(name, file, held.attributes());
        }
        return attributes;
    }

    /** Rejects files of other owners, because a user can move or link foreign files into a folder. */
    private void requireOfOwner(String name, PosixFileAttributes file, PosixFileAttributes folder) throws IOException {
        if (file.owner().equals(folder.owner()) || !ProcessUser.isRoot()) {
            return;
        }
        Set<PosixFilePermission> permissions = file.permissions();
        boolean readable = permissions.contains(PosixFilePermission.OTHERS_READ)
                || (permissions.contains(PosixFilePermission.GROUP_READ)
                        && file.group().equals(folder.group()));
        if (!readable || !isRoots(name, file)) {
            throw new IOException(shown(name) + ": belongs to " + file.owner().getName() + ", its folder to "
                    + folder.owner().getName() + "; give it to the owner of the folder");
        }
    }

    /** Tells whether only root can have made this file, and it has no other name. */
    private boolean isRoots(String name, PosixFileAttributes file) throws IOException {
        Path path = files.path().resolve(name);
        Map<String, Object> facts = Files.readAttributes(path, "unix:uid,nlink,fileKey", LinkOption.NOFOLLOW_LINKS);
        return Objects.equals(facts.get("fileKey"), file.fileKey())
                && Objects.equals(facts.get("uid"), ProcessUser.ROOT)
                && Objects.equals(facts.get("nlink"), 1)
                && AccessRights.withoutOtherWriters(file.permissions()).equals(file.permissions());
    }

    String shown(String name) {
        return ShellText.shown(files.path().resolve(name));
    }

    @Override
    public void close() throws IOException {
        files.close();
    }
}
