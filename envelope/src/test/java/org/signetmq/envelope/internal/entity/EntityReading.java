/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.message.Entity;

/** Reads whole entities. */
public final class EntityReading {
    private static final byte[] NO_PAYLOAD = {};

    private EntityReading() {}

    /** Reads the entity in these bytes with a new reader. */
    public static Entity of(byte[] bytes, int offset, int length) {
        return next(new EntityReader(), bytes, offset, length);
    }

    static Entity next(EntityReader reader, byte[] bytes, int offset, int length) {
        byte[] payload = reader.payload(reader.header(new Slice(bytes, offset, length)));
        return reader.head().with(payload);
    }

    /** Reads an entity that should have this address. */
    static Entity next(EntityReader reader, Slice entity, String expected) {
        byte[] payload = reader.payload(reader.header(entity, expected));
        return reader.head().with(payload);
    }

    /** Asserts that two readers read the same, or that both rejected it. */
    static void assertSame(@Nullable Entity actual, @Nullable Entity expected) {
        byte[] one = actual == null ? null : actual.payload();
        assertThat(one).isEqualTo(expected == null ? null : expected.payload());
        assertThat(without(actual)).isEqualTo(without(expected));
    }

    private static @Nullable Entity without(@Nullable Entity entity) {
        return entity == null ? null : entity.with(NO_PAYLOAD);
    }
}
