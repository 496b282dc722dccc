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
 * Stands for the file of a large message while its body waits. The broker reads a message before it asks the plugin,
 * for example for delivery annotations. It then reads the waiting body. All else is done to the file itself, which is
 * empty. A proxy, as the interface differs from version to version.
 */
final class BufferedBodyFile implements InvocationHandler {
    private final SequentialFile own;
    private final BufferedBody held;

    private BufferedBodyFile(SequentialFile own, BufferedBody held) {
        this.own = own;
        this.held = held;
    }

    /** Stands in for the file of a message. */
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

    /** A file that the broker opens to read. */
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
                default -> throw new UnsupportedOperationException("a large message that still waits");
            }
            return null;
        }

        /** As files of the broker do, turns the buffer so that it can be read. */
        private int read(@Nullable ByteBuffer into) throws Exception {
            if (into == null) {
                throw new IllegalArgumentException("file: nowhere to read to");
            }
            int read = held.read(position, into);
            position += Math.max(0, read);
            into.flip();
            return read;
        }
    }
}
