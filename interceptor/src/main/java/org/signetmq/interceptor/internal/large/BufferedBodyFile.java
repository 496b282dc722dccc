/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.lang.StackWalker.StackFrame;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.persistence.impl.journal.LargeServerMessageImpl;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.body.AmqpLargeBody;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.keystore.crypto.CryptoProviders;

/**
 * Replaces the file of a large message while its body is buffered. The broker reads a message before it asks the
 * plugin, for example for delivery annotations. It then reads the buffered body. All other calls go to the file itself,
 * which is empty. A copy of a message that nothing has judged gets no bytes, because it would write them to its own
 * file in clear. This is a proxy, because the interface differs between versions of the broker.
 */
final class BufferedBodyFile implements InvocationHandler {
    /** The method by which the broker copies the body of a message to the file of another one. */
    private static final String COPYING = "copyInto";

    /** The greatest number of calls between that method and the file. */
    private static final int NEAR = 12;

    /** Set on a thread that copied a body, until the plugin rejects the copy. The broker does both on one thread. */
    private static final ThreadLocal<@Nullable Boolean> COPIED = new ThreadLocal<>();

    private final SequentialFile own;
    private final BufferedBody held;

    private BufferedBodyFile(SequentialFile own, BufferedBody held) {
        this.own = own;
        this.held = held;
    }

    /** Returns the replacement of a file. */
    static SequentialFile inPlaceOf(SequentialFile own, BufferedBody held) {
        return proxy(new BufferedBodyFile(own, held));
    }

    /**
     * Copies an empty large message of each kind, and checks that the copy is recognised. It writes nothing.
     *
     * @throws MessageRejectedException if this version of the broker copies large messages in another way
     */
    static void requireCopiesAreSeen(CryptoProviders providers) throws MessageRejectedException {
        StorageManager nowhere = nowhere();
        requireCopyIsSeen(new LargeServerMessageImpl(nowhere), BufferedBodyFile::copy, providers);
        try {
            requireCopyIsSeen(AmqpLargeBody.empty(nowhere), BufferedBodyFile::copy, providers);
        } catch (NoClassDefFoundError noAmqp) { // a broker may run without the protocol
            COPIED.remove();
        }
    }

    /** Returns a storage that stores nothing. */
    static StorageManager nowhere() {
        return Idle.as(StorageManager.class);
    }

    private static void copy(LargeServerMessage message) {
        Message unused = message.toMessage().copy(2);
    }

    static void requireCopyIsSeen(
            LargeServerMessage message, Consumer<LargeServerMessage> copying, CryptoProviders providers)
            throws MessageRejectedException {
        COPIED.remove();
        BufferedBody body = new BufferedBody(nowhere(), 1, new BufferBudget().begin(null, null), providers);
        message.getLargeBody().replaceFile(inPlaceOf(Idle.as(SequentialFile.class), body));
        copying.accept(message);
        boolean seen = COPIED.get() != null;
        COPIED.remove();
        if (!seen) {
            throw new MessageRejectedException("this version of Artemis copies large messages in another way: "
                    + message.getClass().getSimpleName());
        }
    }

    /** Stands for an object of the broker, does nothing, and answers with more of its kind. */
    private static final class Idle implements InvocationHandler {
        static <T> T as(Class<T> type) {
            return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new Idle()));
        }

        @Override
        public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments) {
            Class<?> type = method.getReturnType();
            if (type == LargeServerMessage.class || type == SequentialFile.class) {
                return as(type);
            }
            if (type == boolean.class) {
                return false;
            }
            return type == int.class ? (Object) 0 : type == long.class ? 0L : null;
        }
    }

    private static SequentialFile proxy(InvocationHandler handler) {
        return (SequentialFile) Proxy.newProxyInstance(
                SequentialFile.class.getClassLoader(), new Class<?>[] {SequentialFile.class}, handler);
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getName().equals("cloneFile")) {
            boolean copied = !held.isCopyable() && isCopied();
            if (copied) {
                COPIED.set(true);
            }
            return proxy(new Reading(copied));
        }
        try {
            return method.invoke(own, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private static boolean isCopied() {
        return StackWalker.getInstance()
                .walk(frames ->
                        frames.limit(NEAR).map(StackFrame::getMethodName).anyMatch(COPYING::equals));
    }

    /**
     * Checks that this message is no copy of one whose body was still buffered. Such a copy has no body. The broker
     * takes an exception within the copying for the end of the message, so the copy is rejected here.
     *
     * @throws MessageRejectedException if it is one
     */
    static void requireNoCopy(Message message) throws MessageRejectedException {
        if (COPIED.get() != null && BufferedBody.of(message) == null) {
            COPIED.remove();
            throw new MessageRejectedException("the broker copied its body before Signet judged it");
        }
    }

    /** A copy of the file that the broker opens to read. */
    private final class Reading implements InvocationHandler {
        private final boolean empty;
        private boolean open;
        private long position;

        Reading(boolean empty) {
            this.empty = empty;
        }

        @Override
        public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            Object first = arguments == null || arguments.length == 0 ? null : arguments[0];
            switch (method.getName()) {
                case "open" -> open = true;
                case "close" -> open = false;
                case "isOpen" -> {
                    return open;
                }
                case "exists" -> {
                    return true;
                }
                case "size" -> {
                    return empty ? 0 : held.length();
                }
                case "cloneFile" -> {
                    return proxy(new Reading(empty));
                }
                case "getFileName", "toString" -> {
                    return own.getFileName();
                }
                case "hashCode" -> {
                    return System.identityHashCode(self);
                }
                case "equals" -> {
                    return self == first;
                }
                case "position" -> {
                    if (!(first instanceof Long to)) {
                        return position;
                    }
                    position = to;
                }
                case "read" -> {
                    return read((ByteBuffer) first);
                }
                default -> throw new UnsupportedOperationException("file of a large message that is not judged yet");
            }
            return null;
        }

        /** Reads bytes, and flips the buffer as files of the broker do. */
        private int read(@Nullable ByteBuffer into) throws Exception {
            if (into == null) {
                throw new IllegalArgumentException("file: no buffer");
            }
            int read = empty ? -1 : held.read(position, into);
            position += Math.max(0, read);
            into.flip();
            return read;
        }
    }
}
