/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An open folder. Its files are found relative to it, so a change of its path by other users has no effect. */
final class SecureFolder implements FolderFiles {
    private final Path path;
    private final SecureDirectoryStream<Path> stream;

    private SecureFolder(Path path, SecureDirectoryStream<Path> stream) {
        this.path = path;
        this.stream = stream;
    }

    /** Opens the folder of this path. Returns null if the system cannot keep folders open. */
    @SuppressWarnings("StreamResourceLeak") // the folder keeps it open
    static @Nullable SecureFolder at(Path path) throws IOException {
        DirectoryStream<Path> stream = Files.newDirectoryStream(path);
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return new SecureFolder(path, secure);
        }
        stream.close();
        return null;
    }

    /** Opens a folder in this one, and rejects a link. */
    SecureFolder child(String name) throws IOException {
        return new SecureFolder(
                path.resolve(name), stream.newDirectoryStream(Path.of(name), LinkOption.NOFOLLOW_LINKS));
    }

    PosixFileAttributes attributes() throws IOException {
        return view().readAttributes();
    }

    PosixFileAttributeView view() {
        return stream.getFileAttributeView(PosixFileAttributeView.class);
    }

    @Override
    public void deleteFolder(String name) throws IOException {
        stream.deleteDirectory(Path.of(name));
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public FileChannel open(String name, Set<OpenOption> options) throws IOException {
        Set<OpenOption> all = new HashSet<>(options);
        all.add(LinkOption.NOFOLLOW_LINKS);
        SeekableByteChannel channel =
                stream.newByteChannel(Path.of(name), all, PosixFilePermissions.asFileAttribute(OwnedFolder.PRIVATE));
        if (channel instanceof FileChannel file) {
            return file;
        }
        channel.close();
        throw new IOException(path.resolve(name) + ": not opened as a file");
    }

    @Override
    public @Nullable PosixFileAttributes attributes(String name) throws IOException {
        try {
            return view(name).readAttributes();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private PosixFileAttributeView view(String name) {
        return stream.getFileAttributeView(Path.of(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public void change(String name, AccessRights rights) throws IOException {
        rights.giveTo(view(name));
    }

    @Override
    public void move(String name, FolderFiles target, String newName) throws IOException {
        stream.move(Path.of(name), ((SecureFolder) target).stream, Path.of(newName));
    }

    @Override
    @SuppressWarnings("EmptyCatch")
    public void delete(String name) throws IOException {
        try {
            stream.deleteFile(Path.of(name));
        } catch (NoSuchFileException absent) {
            // nothing to delete
        }
    }

    @Override
    public List<String> names() throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> again = stream.newDirectoryStream(Path.of("."))) {
            again.forEach(file -> names.add(String.valueOf(file.getFileName())));
        }
        return names;
    }

    @Override
    public void sync() throws IOException {
        try (FileChannel itself = open(".", Set.of(StandardOpenOption.READ))) {
            itself.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
