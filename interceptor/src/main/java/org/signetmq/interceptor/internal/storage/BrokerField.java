/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.storage;

import java.lang.reflect.Field;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/**
 * A field of one of the broker's objects that holds a collaborator, found by its type. The fields are private to the
 * broker: a later version may not have them.
 *
 * @param <T> the type of the collaborator
 */
public final class BrokerField<T> {
    private final Object owner;
    private final Class<T> type;
    private final Field field;

    private BrokerField(Object owner, Class<T> type, Field field) {
        this.owner = owner;
        this.type = type;
        this.field = field;
    }

    /**
     * Finds the first field of exactly this type, in the class of the owner or above it.
     *
     * @throws MessageRejectedException if there is none that can be set
     */
    public static <T> BrokerField<T> of(Object owner, Class<T> type) throws MessageRejectedException {
        for (Class<?> declaring = owner.getClass(); declaring != null; declaring = declaring.getSuperclass()) {
            for (Field field : declaring.getDeclaredFields()) {
                if (field.getType() == type && field.trySetAccessible()) {
                    return new BrokerField<>(owner, type, field);
                }
            }
        }
        throw new MessageRejectedException("this version of Artemis keeps its storage elsewhere: no "
                + type.getSimpleName() + " in " + owner.getClass().getSimpleName());
    }

    public T get() throws IllegalAccessException {
        return type.cast(field.get(owner));
    }

    public void set(T value) throws IllegalAccessException {
        field.set(owner, value);
    }
}
