/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;

/**
 * Walks a path from the root of the file system, through links. A visitor sees each folder, each link and the end, each
 * folder and link once. Not thread-safe.
 */
public final class PathWalk {
    private static final int MOST_LINKS = 40;

    /** Sees the steps of a walk. */
    public interface Visitor {
        /** Sees a folder of the path, or a link. */
        void step(Path path, UnixAttributes attributes) throws IOException;

        /** Sees the end of the path. */
        default void end(Path path, UnixAttributes attributes) {}
    }

    private final Visitor visitor;
    private final Map<Path, UnixAttributes> walked = new HashMap<>();

    public PathWalk(Visitor visitor) {
        this.visitor = visitor;
    }

    /** Walks the path as far as it exists. */
    public void walk(Path path) throws IOException {
        Path absolute = path.toAbsolutePath();
        Path root = absolute.getRoot();
        Deque<Path> names = new ArrayDeque<>();
        push(absolute, names);
        Path at = way(root);
        int links = 0;
        while (!names.isEmpty()) {
            String name = names.pop().toString();
            if (name.isEmpty() || name.equals(".")) {
                continue;
            }
            if (name.equals("..")) {
                at = at.getParent() == null ? root : at.getParent();
                continue;
            }
            Path next = at.resolve(name);
            UnixAttributes attributes = attributes(next);
            if (attributes == null) {
                return;
            }
            if (attributes.isLink()) {
                if (++links > MOST_LINKS) {
                    throw new KeystoreUnusableException(ShellText.shown(path) + ": too many links");
                }
                visitStep(next, attributes);
                Path target = Files.readSymbolicLink(next);
                at = target.isAbsolute() ? root : at;
                push(target, names);
            } else if (names.isEmpty()) {
                visitor.end(next, attributes);
            } else {
                visitStep(next, attributes);
                at = next;
            }
        }
    }

    private static void push(Path path, Deque<Path> names) {
        for (int i = path.getNameCount() - 1; i >= 0; i--) {
            names.push(path.getName(i));
        }
    }

    private Path way(Path folder) throws IOException {
        UnixAttributes attributes = attributes(folder);
        if (attributes != null) {
            visitStep(folder, attributes);
        }
        return folder;
    }

    private void visitStep(Path path, UnixAttributes attributes) throws IOException {
        if (walked.put(path, attributes) == null) {
            visitor.step(path, attributes);
        }
    }

    private @Nullable UnixAttributes attributes(Path path) throws IOException {
        UnixAttributes known = walked.get(path);
        if (known != null) {
            return known;
        }
        try {
            return UnixAttributes.of(path);
        } catch (NoSuchFileException e) {
            return null;
        }
    }
}
