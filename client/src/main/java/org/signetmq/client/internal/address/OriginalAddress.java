/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.address;

import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.ArrivedMessage;

/**
 * Where a message was before the broker moved it, as the broker notes it: what it stores as a Core message, which is
 * all but AMQP, has a property, what it stores as AMQP has an annotation. Of a message that was not moved it is
 * whatever its producer wrote there.
 */
final class OriginalAddress {
    private static final String PROPERTY = "_AMQ_ORIG_ADDRESS";

    private OriginalAddress() {}

    /** Null if nothing is noted, or no text. */
    static @Nullable String of(ArrivedMessage arrived) throws JMSException {
        Object noted = arrived.library().originalAddress(arrived.message());
        noted = noted == null ? arrived.message().getObjectProperty(PROPERTY) : noted;
        return noted instanceof String text && !text.isEmpty() ? ConsumerAddress.withoutQueuePart(text) : null;
    }
}
