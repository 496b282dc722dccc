/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.address;

import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.ArrivedMessage;

/**
 * The address that a message had before the broker moved it. The broker notes it in a property of a Core message, and
 * in an annotation of an AMQP message. A message that was not moved has only its producer's claim.
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
