/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Replaces a whole file: writes a temporary file beside it, forces that to disk, and renames it. */
final class AtomicFile {
    /** The permissions of a new file. Policies are no secret, and the broker may run as another user. */
    private static final Set<PosixFilePermission> NEW_FILE = PosixFilePermissions.fromString("rw-r--r--");

    private AtomicFile() {}

    static void write(Path file, byte[] content) throws IOException {
        Path target = file.toAbsolutePath();
        if (Files.isSymbolicLink(target)) {
            throw new IOException(file + ": a link, which is not followed; name the file that it leads to");
        }
        Path folder = target.resolveSibling("");
        Path beside = Files.createTempFile(folder, ".policies-", ".tmp");
        try {
            writeAndForce(beside, content);
            permit(beside, target);
            Files.move(beside, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(beside);
        }
        forceFolder(folder);
    }

    private static void writeAndForce(Path file, byte[] content) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer left = ByteBuffer.wrap(content);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        }
    }

    private static void permit(Path beside, Path target) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(beside, PosixFileAttributeView.class);
        if (view != null) {
            view.setPermissions(Files.exists(target) ? Files.getPosixFilePermissions(target) : NEW_FILE);
        }
    }

    /** Makes the rename survive a loss of power. */
    @SuppressWarnings("EmptyCatch") // some systems cannot open a folder; the file is replaced all the same
    private static void forceFolder(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException expected) {
            // the rename reaches the disk later
        }
    }
}
