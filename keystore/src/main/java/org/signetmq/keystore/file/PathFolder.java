/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.internal.file.UnixAttributes;

/** A folder on systems that cannot keep folders open. Each access uses its path. Not for root. */
record PathFolder(Path path) implements FolderFiles {
    @Override
    public FileChannel open(String name, Set<OpenOption> options) throws IOException {
        Path file = path.resolve(name);
        Set<OpenOption> all = new HashSet<>(options);
        if (UnixAttributes.areKnown(file)) {
            all.add(LinkOption.NOFOLLOW_LINKS);
        }
        return FileChannel.open(file, all, AccessRights.atCreation(file, OwnedFolder.PRIVATE));
    }

    @Override
    public @Nullable BasicFileAttributes attributes(String name) throws IOException {
        Class<? extends BasicFileAttributes> kind =
                UnixAttributes.areKnown(path) ? PosixFileAttributes.class : BasicFileAttributes.class;
        try {
            return Files.readAttributes(path.resolve(name), kind, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    @Override
    public void change(String name, AccessRights rights) throws IOException {
        rights.giveTo(Files.getFileAttributeView(
                path.resolve(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS));
    }

    @Override
    public void move(String name, FolderFiles target, String newName) throws IOException {
        Files.move(
                path.resolve(name),
                target.path().resolve(newName),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(path.resolve(name));
    }

    @Override
    public void deleteFolder(String name) throws IOException {
        if (Files.isDirectory(path.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
            Files.delete(path.resolve(name));
        }
    }

    @Override
    public List<String> names() throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            files.forEach(file -> names.add(String.valueOf(file.getFileName())));
        }
        return names;
    }

    @Override
    public void sync() {
        // such systems cannot open folders
    }

    @Override
    public void close() {
        // nothing is open
    }
}
