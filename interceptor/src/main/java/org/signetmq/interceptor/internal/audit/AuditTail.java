/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.audit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Keeps the newest lines of the audit log in memory, within two limits. Thread-safe. */
final class AuditTail {
    /** The greatest number of lines. */
    static final int MOST_LINES = 200;

    /** The greatest length of all lines together, in characters. */
    static final int MOST_CHARACTERS = 64 << 10;

    private final Deque<String> lines = new ArrayDeque<>(); // guarded by this
    private int characters; // guarded by this

    synchronized void add(String line) {
        lines.addLast(line);
        characters += line.length();
        while (lines.size() > MOST_LINES || characters > MOST_CHARACTERS) {
            characters -= lines.removeFirst().length();
        }
    }

    /** Returns the newest lines, the newest last. */
    synchronized List<String> newest(int count) {
        return lines.stream()
                .skip(Math.max(0, lines.size() - Math.max(0, count)))
                .toList();
    }
}
