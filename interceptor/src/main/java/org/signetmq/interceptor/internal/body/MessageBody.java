/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import java.util.Optional;
import org.signetmq.interceptor.internal.parse.BodyContent;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/** The body of one message in the broker's memory, to be read and replaced in place. Not thread-safe. */
public interface MessageBody {
    /** The bytes that may be an envelope, if the body is of a kind in which envelopes travel. */
    Optional<byte[]> possibleEnvelope();

    /** Whether it is an empty body that tells the broker to forget a retained message. */
    boolean clearsRetained();

    /**
     * The content in clear.
     *
     * @throws MessageRejectedException if the body does not conform to its type
     */
    BodyContent content() throws MessageRejectedException;

    /** Whether it came compressed, and is longer now. */
    boolean wasCompressed();

    /** How many bytes of the encoded message are not body. */
    int bytesAround();

    /** Replaces the body with an envelope, and removes the properties that describe only the clear content. */
    void replace(byte[] envelope);
}
