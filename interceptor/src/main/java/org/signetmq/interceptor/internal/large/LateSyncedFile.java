/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.BooleanSupplier;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.jspecify.annotations.Nullable;

/**
 * The file of a large message that Signet writes at the end of its body. The broker synchronises the file with the disk
 * before that. An empty file takes as long as a full one, so this file then does nothing; Signet synchronises it after
 * it has written. This is a proxy, because the interface differs between versions of the broker.
 */
final class LateSyncedFile implements InvocationHandler {
    private static final String SYNC = "sync";

    private final SequentialFile file;

    /** Null once something was written: the message keeps its file, and must not keep what wrote it. */
    private volatile @Nullable BooleanSupplier written;

    private LateSyncedFile(SequentialFile file, BooleanSupplier written) {
        this.file = file;
        this.written = written;
    }

    /** Returns a file that is synchronised only if something was written. */
    static SequentialFile of(SequentialFile file, BooleanSupplier written) {
        return (SequentialFile) Proxy.newProxyInstance(
                SequentialFile.class.getClassLoader(),
                new Class<?>[] {SequentialFile.class},
                new LateSyncedFile(file, written));
    }

    private boolean isEmpty() {
        BooleanSupplier known = written;
        if (known == null) {
            return false;
        }
        if (known.getAsBoolean()) {
            written = null;
            return false;
        }
        return true;
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getName().equals(SYNC) && isEmpty()) {
            return null;
        }
        try {
            return method.invoke(file, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
