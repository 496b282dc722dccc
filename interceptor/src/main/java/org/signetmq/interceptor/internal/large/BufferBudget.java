/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.parse.WaitingBytes;

/**
 * Limits the memory, the files and the number of large messages that are unfinished or not judged yet, in all
 * protocols. A client may begin many messages and end none. So limits hold for each connection, for each user and for
 * all together. Bytes beyond the memory wait in an encrypted file. Thread-safe.
 */
public final class BufferBudget {
    /** The greatest part of one message in memory, in bytes. */
    public static final int MOST_OF_ONE = 1 << 20;

    /** The divisor of the heap for the memory of all messages together. */
    private static final int PART_OF_HEAP = 16;

    /** The heap for each unfinished message, in bytes. */
    private static final long HEAP_OF_EACH = 64 << 10;

    /** What a file takes beside each part, in bytes: a client may send a message byte by byte. */
    private static final int OF_EACH_PART = 20;

    /** The bytes in files of all messages together. */
    private static final long MOST_IN_FILES = 16L << 30;

    /** The divisors of the limits of all, for one user and for one connection. */
    private static final int PART_OF_USER = 2;

    private static final int PART_OF_CONNECTION = 4;

    /** The arrays of finished messages that are kept for later ones. */
    private static final int MOST_KEPT = 8;

    private final Scope all;
    private final Limits most;
    private final Map<String, Scope> users = new HashMap<>(); // guarded by this
    private final Map<String, Scope> connections = new HashMap<>(); // guarded by this
    private final Deque<byte[]> kept = new ArrayDeque<>(); // guarded by this

    /**
     * Limits of one or several messages.
     *
     * @param memory the bytes in memory
     * @param files the bytes in files
     * @param messages the number of messages
     */
    public record Limits(long memory, long files, long messages) {
        private Limits part(int divisor) {
            return new Limits(memory / divisor, files / divisor, messages / divisor);
        }
    }

    /** The messages of one connection, of one user or of all. */
    private static final class Scope {
        private final Runnable removal;
        private final String name;
        private final Limits most;
        private long memory;
        private long files;
        private long messages;

        Scope(String name, Limits most, Runnable removal) {
            this.removal = removal;
            this.name = name;
            this.most = most;
        }

        void removeIfUnused() {
            if (messages == 0) {
                removal.run();
            }
        }
    }

    /**
     * Makes an unused budget.
     *
     * @param most the limits of all messages together
     */
    public BufferBudget(Limits most) {
        this.most = most;
        this.all = new Scope("all clients", most, () -> {});
    }

    /** Returns the limits of all messages together for a heap of this length in bytes. */
    public static Limits of(long heap) {
        return new Limits(heap / PART_OF_HEAP, MOST_IN_FILES, heap / HEAP_OF_EACH);
    }

    /**
     * Begins a message. If the limits do not allow it, its first byte is rejected.
     *
     * @param connection by which it arrives; null if unknown
     * @param user who sends it; null if unknown
     */
    public synchronized Account begin(@Nullable String connection, @Nullable String user) {
        List<Scope> scopes = new ArrayList<>(List.of(all));
        if (connection != null) {
            scopes.add(scope(connections, connection, "this connection", PART_OF_CONNECTION));
        }
        if (user != null) {
            scopes.add(scope(users, user, "this user", PART_OF_USER));
        }
        MessageRejectedException refused = null;
        for (Scope scope : scopes) {
            if (scope.messages >= scope.most.messages()) {
                refused = beyond(scope, "more than " + scope.most.messages());
            }
        }
        List<Scope> counted = refused == null ? scopes : List.of();
        counted.forEach(scope -> scope.messages++);
        scopes.forEach(Scope::removeIfUnused);
        return new Account(counted, refused);
    }

    private static MessageRejectedException beyond(Scope scope, String number) {
        return new MessageRejectedException(
                RejectionReason.TOO_MANY,
                "too many unfinished large messages of " + scope.name + ": " + number + "; send it again");
    }

    private Scope scope(Map<String, Scope> known, String key, String name, int divisor) {
        return known.computeIfAbsent(key, made -> new Scope(name, most.part(divisor), () -> known.remove(made)));
    }

    /** Returns the used memory, in bytes. */
    public synchronized long taken() {
        return all.memory;
    }

    /** Returns the number of messages. */
    public synchronized long messages() {
        return all.messages;
    }

    /** The part of one message in the budget. Thread-safe. */
    public final class Account implements WaitingBytes.Space, AutoCloseable {
        private final List<Scope> scopes;
        private final @Nullable MessageRejectedException refused;
        private long memory; // guarded by the budget
        private long files; // guarded by the budget
        private boolean closed; // guarded by the budget
        private @Nullable Callable<WaitingBytes.Overflow> maker;

        private Account(List<Scope> scopes, @Nullable MessageRejectedException refused) {
            this.scopes = scopes;
            this.refused = refused;
        }

        /** Sets the maker of files, before any byte arrives. */
        Account files(Callable<WaitingBytes.Overflow> files) {
            maker = files;
            return this;
        }

        @Override
        public byte @Nullable [] take(int length) {
            synchronized (BufferBudget.this) {
                boolean fits = length <= MOST_OF_ONE && length > MOST_OF_ONE / 16;
                if (fits && !kept.isEmpty() && reserve(MOST_OF_ONE)) {
                    return kept.pop();
                }
                if (!reserve(length)) {
                    return null;
                }
            }
            return new byte[length];
        }

        @Override
        public void giveBack(byte[] array) {
            synchronized (BufferBudget.this) {
                release(array.length);
                if (array.length == MOST_OF_ONE && kept.size() < MOST_KEPT) {
                    kept.push(array);
                }
            }
        }

        @Override
        public boolean reserve(int bytes) {
            synchronized (BufferBudget.this) {
                if (closed
                        || refused != null
                        || scopes.stream().anyMatch(scope -> scope.memory + bytes > scope.most.memory())) {
                    return false;
                }
                memory += bytes;
                scopes.forEach(scope -> scope.memory += bytes);
                return true;
            }
        }

        @Override
        public void release(int bytes) {
            synchronized (BufferBudget.this) {
                if (!closed) {
                    memory -= bytes;
                    scopes.forEach(scope -> scope.memory -= bytes);
                }
            }
        }

        @Override
        public WaitingBytes.Overflow file() throws Exception {
            if (refused != null) {
                throw refused;
            }
            synchronized (BufferBudget.this) {
                if (closed || maker == null) {
                    throw new IllegalStateException("budget: the message has ended, or has no files");
                }
            }
            return new Counted(maker.call());
        }

        private void count(long bytes) throws MessageRejectedException {
            synchronized (BufferBudget.this) {
                for (Scope scope : scopes) {
                    if (bytes > 0 && scope.files + bytes > scope.most.files()) {
                        throw beyond(scope, "more than " + scope.most.files() + " bytes in files");
                    }
                }
                if (!closed) {
                    files += bytes;
                    scopes.forEach(scope -> scope.files += bytes);
                }
            }
        }

        /** Ends the message, and gives all back. A repeated call has no effect. */
        @Override
        public void close() {
            synchronized (BufferBudget.this) {
                if (!closed) {
                    closed = true;
                    for (Scope scope : scopes) {
                        scope.memory -= memory;
                        scope.files -= files;
                        scope.messages--;
                        scope.removeIfUnused();
                    }
                }
            }
        }

        /** A file whose bytes count. */
        private final class Counted implements WaitingBytes.Overflow {
            private final WaitingBytes.Overflow file;
            private long length;

            Counted(WaitingBytes.Overflow file) {
                this.file = file;
            }

            @Override
            public void add(byte[] bytes, int offset, int added) throws Exception {
                long onDisk = (long) added + OF_EACH_PART;
                count(onDisk);
                length += onDisk;
                file.add(bytes, offset, added);
            }

            @Override
            public void read(WaitingBytes.Reader reader) throws Exception {
                file.read(reader);
            }

            @Override
            public void delete() throws Exception {
                long gone = length;
                length = 0;
                count(-gone);
                file.delete();
            }
        }
    }
}
