/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider.plain;

import jakarta.jms.JMSException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.ObjectSource;

/**
 * A serialised object of a provider with unknown limits. The filter of the JVM (jdk.serialFilter) limits its classes.
 * Without that filter only basic classes of the JDK are loaded. Both ways depth and references have limits.
 *
 * @param serialized the object's bytes
 */
public record FilteredObject(byte[] serialized) implements ObjectSource {
    private static final String LIMITS = "maxdepth=32;maxrefs=1000000;maxarray=16777216;";

    /** Merged with the filter of the JVM. */
    private static final ObjectInputFilter LIMITED = ObjectInputFilter.Config.createFilter(LIMITS + "*");

    private static final ObjectInputFilter BASIC =
            ObjectInputFilter.Config.createFilter(LIMITS + "java.lang.*;java.util.*;java.math.*;java.time.*;!*");

    @Override
    public @Nullable Serializable object() throws JMSException {
        try (ObjectInputStream stream = new ObjectInputStream(new ByteArrayInputStream(serialized))) {
            if (ObjectInputFilter.Config.getSerialFilter() == null) {
                stream.setObjectInputFilter(BASIC);
            }
            return (Serializable) stream.readObject();
        } catch (IOException | ClassNotFoundException | RuntimeException e) {
            throw new JMSException(
                    "object: cannot be deserialised, " + e.getClass().getName());
        }
    }
}
