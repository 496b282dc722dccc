/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import java.io.EOFException;
import java.io.InputStream;
import java.util.Optional;
import java.util.zip.ZipException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.EnvelopeParties;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.interceptor.internal.body.MessageBodies;
import org.signetmq.interceptor.internal.large.StoredBody;

/**
 * The keys that a stored message names.
 *
 * @param parties the keys of its first envelope; null if the kind is not {@link Kind#SEALED}
 * @param time the time of the message in milliseconds, by the broker if it notes it, else by the producer; 0 if unknown
 */
record StoredParties(Kind kind, @Nullable EnvelopeParties parties, long time) {
    /** The kinds of messages. */
    enum Kind {
        /** The message begins as an envelope, and the names of its keys are known. */
        SEALED,
        /** The message does not begin as an envelope. */
        CLEAR,
        /** The message begins as an envelope, and does not go on as one. */
        NOT_UNDERSTOOD,
        /** The broker could not read the message. */
        UNREADABLE,
        /** The message left the broker meanwhile. */
        GONE
    }

    /** Reads a message, and of a large one the head of its first envelope alone. It never throws. */
    static StoredParties of(MessageReference reference) {
        try {
            return of(reference.getMessage());
        } catch (Throwable e) { // the broker may delete the file of a large message meanwhile
            return new StoredParties(isGone(reference) ? Kind.GONE : Kind.UNREADABLE, null, 0);
        }
    }

    private static StoredParties of(Message message) throws Exception {
        if (message instanceof LargeServerMessage large && message.isLargeMessage()) {
            return read(StoredBody.open(large), time(message));
        }
        Message copy = message.copy(message.getMessageID(), true); // a consumer may read the message meanwhile
        return read(MessageBodies.possibleEnvelope(copy), time(copy));
    }

    private static StoredParties read(Optional<InputStream> body, long time) throws Exception {
        if (body.isEmpty()) {
            return new StoredParties(Kind.CLEAR, null, time);
        }
        try (InputStream bytes = body.get()) {
            return EnvelopeParties.read(bytes)
                    .map(parties -> new StoredParties(Kind.SEALED, parties, time))
                    .orElseGet(() -> new StoredParties(Kind.CLEAR, null, time));
        } catch (MalformedEnvelopeException | EOFException | ZipException e) {
            return new StoredParties(Kind.NOT_UNDERSTOOD, null, time);
        }
    }

    private static long time(Message message) {
        Long ingress = message.getIngressTimestamp();
        return Math.max(0, ingress == null ? message.getTimestamp() : ingress);
    }

    private static boolean isGone(MessageReference reference) {
        try {
            return reference.getMessage() instanceof LargeServerMessage large
                    && !large.getAppendFile().exists();
        } catch (Throwable e) {
            return false;
        }
    }
}
