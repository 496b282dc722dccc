/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.client.impl.ClientLargeMessageInternal;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.jspecify.annotations.Nullable;

/**
 * A large message that a Core federation of this broker fetches from another one. The federation makes a large message
 * of this broker from the message of its own client. It names only the client's message to the plugin, so the client's
 * message refers to the large one.
 */
public final class FetchedMessage {
    /** The key, in the user context of a client's message, of the large message that the broker made of it. */
    private static final Object MADE = new Object();

    private FetchedMessage() {}

    /** Returns whether this message belongs to a client of Core within this broker. */
    static boolean isOne(Message message) {
        return message instanceof ClientLargeMessageInternal;
    }

    /** Notes the large message that the broker makes of this message, if a client fetched it. */
    static void note(Message message, LargeServerMessage made) {
        if (isOne(message)) {
            message.setUserContext(MADE, made);
        }
    }

    /** Returns the large message that the broker made of a client's message; null if there is none. */
    @Nullable
    public static LargeServerMessage madeOf(Message fetched) {
        return fetched.getUserContext(MADE) instanceof LargeServerMessage made ? made : null;
    }
}
