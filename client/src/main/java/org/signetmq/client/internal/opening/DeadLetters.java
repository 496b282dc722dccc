/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import jakarta.jms.JMSException;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.ClientLibrary.ArrivedMessage;
import org.signetmq.envelope.message.MessageMove;
import org.signetmq.policy.WildcardSyntax;

/** The addresses with dead letters or expired messages that an application configured. */
public final class DeadLetters {
    /** No such address: every message must be sealed for the address of its consumer. */
    public static final DeadLetters NONE = new DeadLetters(Set.of());

    /** The property of a Core message that contains its original address after a move by the broker. */
    private static final String ORIGINAL_ADDRESS = "_AMQ_ORIG_ADDRESS";

    private final Set<String> addresses;

    private DeadLetters(Set<String> addresses) {
        this.addresses = addresses;
    }

    /**
     * Returns the set of these addresses.
     *
     * @param syntax the broker's wildcards
     * @throws IllegalArgumentException if one is no single address
     */
    public static DeadLetters on(Collection<String> addresses, WildcardSyntax syntax) {
        for (String address : addresses) {
            if (address.isEmpty() || ConsumerAddress.isPattern(address, syntax) || address.contains("::")) {
                throw new IllegalArgumentException(
                        "dead letters: must be a single address without wildcards and queue part, found '" + address
                                + "'");
            }
        }
        return new DeadLetters(Set.copyOf(addresses));
    }

    /**
     * Returns the two addresses of a move by the broker; null if the message counts as sent to the consumer's address.
     * For a consumer with wildcards it is always null: otherwise the message itself would claim to be a dead letter.
     */
    @Nullable
    public MessageMove movement(ArrivedMessage arrived, ConsumerAddress source) throws JMSException {
        String here = source.name();
        if (here == null || !addresses.contains(here)) {
            return null;
        }
        String noted = originalAddress(arrived);
        return noted == null || noted.equals(here) ? null : new MessageMove(noted, here);
    }

    /** Returns the address that the broker noted; null if there is none. Without a move a producer may have set it. */
    private static @Nullable String originalAddress(ArrivedMessage arrived) throws JMSException {
        Object noted = arrived.library().originalAddress(arrived.message());
        noted = noted == null ? arrived.message().getObjectProperty(ORIGINAL_ADDRESS) : noted;
        return noted instanceof String text && !text.isEmpty() ? ConsumerAddress.withoutQueuePart(text) : null;
    }
}
