/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.parse.RareThreadLocal;
import org.signetmq.interceptor.internal.storage.InMemoryLargeMessage;

/** Replaces files of large messages by proxies, because the interface differs between versions of the broker. */
final class FileProxies {
    /** The method by which the broker copies the body of a message to the file of another one. */
    private static final String COPYING = "copyInto";

    /** Set on a thread that copied a body, until the plugin rejects the copy. The broker does both on one thread. */
    private static final RareThreadLocal<Boolean> COPIED = new RareThreadLocal<>();

    private FileProxies() {}

    private static SequentialFile proxy(InvocationHandler handler) {
        return (SequentialFile) Proxy.newProxyInstance(
                SequentialFile.class.getClassLoader(), new Class<?>[] {SequentialFile.class}, handler);
    }

    private static @Nullable Object pass(SequentialFile file, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(file, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    /**
     * Returns the file of a message that Signet writes at the end of its body. The broker synchronises the file with
     * the disk before that. An empty file takes as long as a full one, so this file then does nothing; Signet
     * synchronises it after it has written.
     */
    static SequentialFile lateSynced(SequentialFile file, LargeBody writer) {
        return proxy(new LateSynced(file, writer));
    }

    private static final class LateSynced implements InvocationHandler {
        private final SequentialFile file;

        /** Null once something was written: the message keeps its file, and must not keep what wrote it. */
        private volatile @Nullable LargeBody writer;

        LateSynced(SequentialFile file, LargeBody writer) {
            this.file = file;
            this.writer = writer;
        }

        @Override
        public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            LargeBody known = method.getName().equals("sync") ? writer : null;
            if (known != null && !known.hasWritten()) {
                return null;
            }
            if (known != null) {
                writer = null;
            }
            return pass(file, method, arguments);
        }
    }

    /**
     * Returns the replacement of a file while its body waits. The broker reads a message before it asks the plugin, for
     * example for delivery annotations. It then reads the waiting body. All other calls go to the file itself, which is
     * empty. A copy of a message that nothing has judged gets no bytes, because it would write them to its own file in
     * clear.
     */
    static SequentialFile unjudged(SequentialFile own, LargeBody waiting) {
        return proxy((self, method, arguments) -> {
            if (!method.getName().equals("cloneFile")) {
                return pass(own, method, arguments);
            }
            boolean copied = !waiting.isCopyable() && InMemoryLargeMessage.isCalledBy(COPYING);
            if (copied) {
                COPIED.set(true);
            }
            return proxy(new Reading(own, copied ? null : waiting));
        });
    }

    /**
     * Checks that this message is no copy of one whose body was still waiting. Such a copy has no body. The broker
     * takes an exception within the copying for the end of the message, so the copy is rejected here.
     *
     * @throws MessageRejectedException if it is one
     */
    static void requireNoCopy(Message message) throws MessageRejectedException {
        if (COPIED.get() != null && LargeBody.of(message) == null) {
            COPIED.remove();
            throw new MessageRejectedException("the broker copied its body before Signet judged it");
        }
    }

    /** Returns whether this thread copied a waiting body, and forgets it. */
    static boolean takeCopied() {
        boolean copied = COPIED.get() != null;
        COPIED.remove();
        return copied;
    }

    /** A copy of the file that the broker opens to read. */
    private static final class Reading implements InvocationHandler {
        private final SequentialFile own;
        private final @Nullable LargeBody body;
        private boolean open;
        private long position;

        Reading(SequentialFile own, @Nullable LargeBody body) {
            this.own = own;
            this.body = body;
        }

        @Override
        public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            Object first = arguments == null || arguments.length == 0 ? null : arguments[0];
            return switch (method.getName()) {
                case "open" -> become(true);
                case "close" -> become(false);
                case "isOpen" -> open;
                case "exists" -> true;
                case "size" -> body == null ? 0 : body.length();
                case "cloneFile" -> proxy(new Reading(own, body));
                case "getFileName", "toString" -> own.getFileName();
                case "hashCode" -> System.identityHashCode(self);
                case "equals" -> self == first;
                case "position" -> first instanceof Long to ? goTo(to) : (Object) position;
                case "read" -> read((ByteBuffer) first);
                default -> throw new UnsupportedOperationException("file of a large message that is not judged yet");
            };
        }

        private @Nullable Object become(boolean isOpen) {
            open = isOpen;
            return null;
        }

        private @Nullable Object goTo(long to) {
            position = to;
            return null;
        }

        /** Reads bytes, and flips the buffer as files of the broker do. */
        private int read(@Nullable ByteBuffer into) throws Exception {
            if (into == null) {
                throw new IllegalArgumentException("file: no buffer");
            }
            int read = body == null ? -1 : body.read(position, into);
            position += Math.max(0, read);
            into.flip();
            return read;
        }
    }
}
