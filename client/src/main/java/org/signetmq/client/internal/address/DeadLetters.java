/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.address;

import jakarta.jms.JMSException;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.ArrivedMessage;
import org.signetmq.envelope.message.MessageMove;
import org.signetmq.policy.WildcardSyntax;

/** The addresses with dead letters or expired messages that an application configured. */
public final class DeadLetters {
    /** No such address: every message must be sealed for the address of its consumer. */
    public static final DeadLetters NONE = new DeadLetters(Set.of());

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
            if (address.isEmpty() || WildcardAddress.isPattern(address, syntax) || address.contains("::")) {
                throw new IllegalArgumentException(
                        "dead letters: '" + address + "' is not one address, without wildcards and queue part");
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
        String noted = OriginalAddress.of(arrived);
        return noted == null || noted.equals(here) ? null : new MessageMove(noted, here);
    }
}
