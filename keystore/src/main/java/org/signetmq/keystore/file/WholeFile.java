/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.internal.file.ProcessUser;
import org.signetmq.keystore.internal.file.ShellText;
import org.signetmq.keystore.internal.file.UnixAttributes;

/**
 * A file that is read and replaced as a whole, and is no link. Its folder is one that no other user may change: see
 * {@code PermissionCheck}.
 *
 * @param path the file, which need not exist
 */
public record WholeFile(Path path) {
    /** Only the owner reads and writes. */
    public static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rw-------");

    /** All users read, the owner writes. */
    public static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("rw-r--r--");

    /** Makes a folder and those above it, if they are absent. Only the user may write to them. */
    public static void makeFolder(Path folder) throws IOException {
        makeFolder(folder, "rwxr-xr-x");
    }

    static void makeFolder(Path folder, String permissions) throws IOException {
        Files.createDirectories(folder, atCreation(folder, PosixFilePermissions.fromString(permissions)));
    }

    /** Returns the permissions for the creation of a file or folder; empty if the file system has no permissions. */
    static FileAttribute<?>[] atCreation(Path path, Set<PosixFilePermission> permissions) {
        return hasPermissions(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    static boolean hasPermissions(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /**
     * Reads at most this number of bytes. Returns empty if the file is absent. The caller owns the array.
     *
     * @throws IOException if it is a link or no file, or is too long
     */
    public Optional<byte[]> read(int mostBytes) throws IOException {
        if (!isThere()) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(path)) {
            byte[] content = in.readNBytes(mostBytes + 1);
            if (content.length > mostBytes) {
                throw new IOException(ShellText.shown(path) + ": larger than " + mostBytes + " bytes");
            }
            return Optional.of(content);
        }
    }

    /** Returns the permissions of the file, or others if it is absent. */
    public Set<PosixFilePermission> permissionsOr(Set<PosixFilePermission> others) throws IOException {
        return hasPermissions(path) && isThere() ? Files.getPosixFilePermissions(path) : others;
    }

    /** Replaces the file. It gets these permissions, and keeps its group. */
    public void write(byte[] content, Set<PosixFilePermission> permissions) throws IOException {
        try (StagedFile draft = draft()) {
            draft.write(content);
            draft.replace(permissions);
        }
    }

    /** Creates the file under another name. The caller closes it. */
    public StagedFile draft() throws IOException {
        return new StagedFile(this);
    }

    /**
     * Opens a pipe or device for writing. The caller closes the stream.
     *
     * @throws IOException if it is a link, or belongs to a user other than root and the user of this process
     */
    public OutputStream openPipe() throws IOException {
        if (UnixAttributes.areKnown(path)) {
            UnixAttributes facts = UnixAttributes.of(path);
            requireNoLink(facts.isLink());
            if (facts.owner() != ProcessUser.current().id() && facts.owner() != ProcessUser.ROOT) {
                throw new IOException(
                        ShellText.shown(path) + ": a pipe or device of another user; that user could read the output");
            }
        }
        return Files.newOutputStream(path, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Waits for the lock of the file, and makes it if it is absent. The caller holds it until it closes the channel.
     */
    public FileChannel lock() throws IOException {
        if (!isThere()) {
            try {
                Files.createFile(path, atCreation(path, PRIVATE));
            } catch (FileAlreadyExistsException e) {
                // another process made it for the same lock
            }
        }
        FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE);
        try {
            FileLock unused = channel.lock(); // ends with the channel
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Whether a process holds the lock of the file. An absent file has none. */
    public boolean isLocked() throws IOException {
        if (!isThere()) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
                FileLock free = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return free == null;
        } catch (OverlappingFileLockException ofThisProcess) {
            return true;
        }
    }

    /** Deletes the file or link, if it exists. */
    public void delete() throws IOException {
        if (Files.deleteIfExists(path)) {
            syncFolder();
        }
    }

    /**
     * Tells whether the file exists.
     *
     * @throws IOException if it is a link or no file
     */
    boolean isThere() throws IOException {
        BasicFileAttributes attributes = attributes();
        if (attributes == null) {
            return false;
        }
        requireNoLink(attributes.isSymbolicLink());
        if (!attributes.isRegularFile()) {
            throw new IOException(ShellText.shown(path) + ": not a file");
        }
        return true;
    }

    private @Nullable BasicFileAttributes attributes() throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private void requireNoLink(boolean isLink) throws IOException {
        if (isLink) {
            throw new IOException(ShellText.shown(path)
                    + ": a link, which is not followed; name the file or folder that it leads to");
        }
    }

    /** Makes a new name in the folder survive a loss of power. */
    void syncFolder() {
        try (FileChannel folder = FileChannel.open(path.resolveSibling(""), StandardOpenOption.READ)) {
            folder.force(true);
        } catch (IOException | UnsupportedOperationException unable) {
            // some systems cannot open a folder; the name reaches the disk later
        }
    }
}
