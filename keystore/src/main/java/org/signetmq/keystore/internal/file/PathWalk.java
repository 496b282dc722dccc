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
 * Walks a path from the root of the file system, through links, and judges each file and folder that decides on its
 * end. Judges nothing twice. Not thread-safe.
 */
public final class PathWalk {
    private static final int MOST_LINKS = 40;

    /** Judges one step. */
    public interface Judge {
        /** A folder on the way, or a link. */
        void way(Path path, FileFacts facts) throws IOException;

        /** The end of the path. */
        default void end(Path path, FileFacts facts) {}
    }

    private final Judge judge;
    private final Map<Path, FileFacts> walked = new HashMap<>();

    public PathWalk(Judge judge) {
        this.judge = judge;
    }

    /** Walks as far as there is something. */
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
            FileFacts facts = facts(next);
            if (facts == null) {
                return;
            }
            if (facts.isLink()) {
                if (++links > MOST_LINKS) {
                    throw new KeystoreUnusableException(ShellText.shown(path) + ": too many links");
                }
                judgeWay(next, facts);
                Path target = Files.readSymbolicLink(next);
                at = target.isAbsolute() ? root : at;
                push(target, names);
            } else if (names.isEmpty()) {
                judge.end(next, facts);
            } else {
                judgeWay(next, facts);
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
        FileFacts facts = facts(folder);
        if (facts != null) {
            judgeWay(folder, facts);
        }
        return folder;
    }

    private void judgeWay(Path path, FileFacts facts) throws IOException {
        if (walked.put(path, facts) == null) {
            judge.way(path, facts);
        }
    }

    private @Nullable FileFacts facts(Path path) throws IOException {
        FileFacts known = walked.get(path);
        if (known != null) {
            return known;
        }
        try {
            return FileFacts.of(path);
        } catch (NoSuchFileException e) {
            return null;
        }
    }
}
