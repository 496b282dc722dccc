/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.internal.file.PathWalk;
import org.signetmq.keystore.internal.file.ProcessUser;
import org.signetmq.keystore.internal.file.ShellText;
import org.signetmq.keystore.internal.file.UnixAttributes;

/**
 * Opens folders by paths that other users may change. For root it opens each folder of the path inside the one before
 * it. It follows a link only if no other user can have made or replaced it.
 */
final class FolderOpener {
    private static final int MOST_TURNS = 40;

    private FolderOpener() {}

    static FolderFiles open(Path folder) throws IOException {
        Path absolute = folder.toAbsolutePath();
        if (!UnixAttributes.areKnown(absolute)) {
            return new PathFolder(absolute);
        }
        if (ProcessUser.isRoot()) {
            return stepByStep(absolute);
        }
        new PathWalk(FolderOpener::requireOwnLink).walk(absolute);
        SecureFolder held = SecureFolder.at(absolute);
        return held == null ? new PathFolder(absolute) : held;
    }

    /** The opened end of a path, or the path to go on with after a link. */
    private record Turn(
            @Nullable SecureFolder end, @Nullable Path next) {}

    private static SecureFolder stepByStep(Path absolute) throws IOException {
        Path path = absolute;
        for (int turns = 0; turns < MOST_TURNS; turns++) {
            Turn turn = walk(path);
            if (turn.end() != null) {
                return turn.end();
            }
            path = Objects.requireNonNull(turn.next());
        }
        throw new IOException(ShellText.shown(absolute) + ": too many links");
    }

    private static Turn walk(Path path) throws IOException {
        Path root = path.getRoot();
        SecureFolder at = SecureFolder.at(root);
        if (at == null) {
            throw new IOException(ShellText.shown(path)
                    + ": root cannot write here safely on this system; run as the user to whom the folder belongs");
        }
        boolean closed = true; // to other users, for the path so far
        try {
            for (int i = 0; i < path.getNameCount(); i++) {
                closed &= isClosed(UnixAttributes.of(at.path()));
                String name = path.getName(i).toString();
                if (name.isEmpty() || name.equals(".")) {
                    continue;
                }
                if (name.equals("..")) {
                    Path parent = at.path().getParent();
                    return new Turn(null, rest(parent == null ? root : parent, path, i));
                }
                PosixFileAttributes attributes = at.attributes(name);
                if (attributes == null) {
                    throw new NoSuchFileException(at.path().resolve(name).toString());
                }
                if (attributes.isSymbolicLink()) {
                    Path link = at.path().resolve(name);
                    if (!closed || UnixAttributes.of(link).owner() != ProcessUser.ROOT) {
                        throw new LinkRejectedException(link);
                    }
                    return new Turn(null, rest(at.path().resolve(Files.readSymbolicLink(link)), path, i));
                }
                SecureFolder next = at.child(name);
                at.close();
                at = next;
            }
            SecureFolder end = at;
            at = null;
            return new Turn(end, null);
        } finally {
            if (at != null) {
                at.close();
            }
        }
    }

    private static Path rest(Path begin, Path path, int turned) {
        return turned + 1 == path.getNameCount() ? begin : begin.resolve(path.subpath(turned + 1, path.getNameCount()));
    }

    /** Tells whether only root can make, rename or delete links of root in this folder. */
    private static boolean isClosed(UnixAttributes folder) {
        return folder.owner() == ProcessUser.ROOT && (!folder.othersMayWrite() || folder.isSticky());
    }

    /** Rejects links of other users than this one and root. */
    private static void requireOwnLink(Path path, UnixAttributes facts) throws IOException {
        if (facts.isLink() && facts.owner() != ProcessUser.id() && facts.owner() != ProcessUser.ROOT) {
            throw new LinkRejectedException(path);
        }
    }
}
