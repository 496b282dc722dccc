/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the file of a large message while its body is buffered. The broker reads a message before it asks the
 * plugin, for example for delivery annotations. It then reads the buffered body. All other calls go to the file itself,
 * which is empty. This is a proxy, because the interface differs between versions of the broker.
 */
final class BufferedBodyFile implements InvocationHandler {
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

    private static SequentialFile proxy(InvocationHandler handler) {
        return (SequentialFile) Proxy.newProxyInstance(
                SequentialFile.class.getClassLoader(), new Class<?>[] {SequentialFile.class}, handler);
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getName().equals("cloneFile")) {
            return proxy(new Reading());
        }
        try {
            return method.invoke(own, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    /** A copy of the file that the broker opens to read. */
    private final class Reading implements InvocationHandler {
        private boolean open;
        private long position;

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
                    return held.length();
                }
                case "cloneFile" -> {
                    return proxy(new Reading());
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
            int read = held.read(position, into);
            position += Math.max(0, read);
            into.flip();
            return read;
        }
    }
}
