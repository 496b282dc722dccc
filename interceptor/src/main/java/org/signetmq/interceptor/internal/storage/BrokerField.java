/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.storage;

import java.lang.reflect.Field;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/**
 * A private field of an object of the broker, found by its type. Other versions of the broker may not have it.
 *
 * @param <T> the type of the field
 */
public record BrokerField<T>(Object owner, Class<T> type, Field field) {
    /**
     * Finds the first field of exactly this type, in the class of the owner or its superclasses.
     *
     * @throws MessageRejectedException if no such field can be set
     */
    public static <T> BrokerField<T> of(Object owner, Class<T> type) throws MessageRejectedException {
        return new BrokerField<>(owner, type, field(owner.getClass(), type));
    }

    /**
     * Checks that {@link #of} finds a field of this type in each object of a class.
     *
     * @throws MessageRejectedException if no such field can be set
     */
    public static void require(Class<?> owner, Class<?> type) throws MessageRejectedException {
        var unused = field(owner, type);
    }

    private static Field field(Class<?> owner, Class<?> type) throws MessageRejectedException {
        for (Class<?> declaring = owner; declaring != null; declaring = declaring.getSuperclass()) {
            for (Field field : declaring.getDeclaredFields()) {
                if (field.getType() == type && field.trySetAccessible()) {
                    return field;
                }
            }
        }
        throw new MessageRejectedException("no " + type.getSimpleName() + " in " + owner.getSimpleName());
    }

    public T get() throws IllegalAccessException {
        return type.cast(field.get(owner));
    }

    public void set(T value) throws IllegalAccessException {
        field.set(owner, value);
    }
}
