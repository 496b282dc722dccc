/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.JMSException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;
import java.io.ObjectInputStream;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.ClientLibrary.ObjectSource;

/**
 * A serialised object of a provider with unknown limits. The filter of the JVM (jdk.serialFilter) limits its classes.
 * Without that filter only basic classes of the JDK are loaded. Depth, references and the lengths of arrays have limits
 * in any case, and so has the number of elements that a collection hashes.
 *
 * @param serialized the object's bytes
 */
public record FilteredObject(byte[] serialized) implements ObjectSource {
    private static final int MOST_DEPTH = 32;
    private static final int MOST_REFERENCES = 1_000_000;
    private static final long SHORT = 1024;

    /** The most places of a hash table for each entry, each of which takes a byte of the stream. */
    private static final long PLACES = 4;

    private static final ObjectInputFilter BASIC =
            ObjectInputFilter.Config.createFilter("java.lang.*;java.util.*;java.math.*;java.time.*;!*");

    @Override
    public @Nullable Serializable object() throws JMSException {
        try (ObjectInputStream stream = new ObjectInputStream(new ByteArrayInputStream(serialized))) {
            SerializedGraph.requireSmall(serialized);
            ObjectInputFilter ofTheJvm = ObjectInputFilter.Config.getSerialFilter(); // which that of a stream replaces
            ObjectInputFilter classes = ofTheJvm == null ? BASIC : ofTheJvm;
            stream.setObjectInputFilter(read -> {
                boolean isLarge = read.depth() > MOST_DEPTH
                        || read.references() > MOST_REFERENCES
                        || read.arrayLength() > Math.max(SHORT, PLACES * serialized.length);
                return isLarge ? Status.REJECTED : classes.checkInput(read);
            });
            return (Serializable) stream.readObject();
        } catch (IOException | ClassNotFoundException | RuntimeException | StackOverflowError e) {
            throw new JMSException(
                    "object: cannot be deserialised, " + e.getClass().getName());
        }
    }
}
