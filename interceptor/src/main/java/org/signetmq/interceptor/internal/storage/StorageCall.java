/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.storage;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.jspecify.annotations.Nullable;

/** Calls one method of a storage for large messages, and knows the role of the method. Immutable. */
public final class StorageCall {
    private static final MethodType TYPE = MethodType.methodType(Object.class, Object[].class);

    private final StorageMethods.Role role;
    private final MethodHandle handle;

    private StorageCall(StorageMethods.Role role, MethodHandle handle) {
        this.role = role;
        this.handle = handle;
    }

    /**
     * Prepares the calls of a method of this storage.
     *
     * @throws IllegalStateException if this class may not call the method
     */
    static StorageCall of(StorageManager storage, Method method, StorageMethods.Role role) {
        try {
            MethodHandle handle = MethodHandles.lookup().unreflect(method).bindTo(storage);
            return new StorageCall(
                    role,
                    handle.asSpreader(Object[].class, method.getParameterCount())
                            .asType(TYPE));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("storage: " + method + " cannot be called", e);
        }
    }

    /** Returns the role of the method. */
    public StorageMethods.Role role() {
        return role;
    }

    /**
     * Calls the method, and returns its result; null for a method without a result. It throws the exceptions of the
     * storage unchanged.
     *
     * @param arguments the arguments; null if there are none
     */
    public @Nullable Object pass(@Nullable Object @Nullable [] arguments) throws Throwable {
        return (Object) handle.invokeExact(arguments);
    }
}
