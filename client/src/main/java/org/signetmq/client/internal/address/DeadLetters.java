/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.address;

import jakarta.jms.JMSException;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.ArrivedMessage;
import org.signetmq.envelope.message.MessageMove;
import org.signetmq.policy.WildcardSyntax;

/** The addresses to which the broker moves messages that were sealed for others, as far as an application said so. */
public final class DeadLetters {
    /** None: every message must have been sealed for the address that it is received from. */
    public static final DeadLetters NONE = new DeadLetters(Set.of());

    private final Set<String> addresses;

    private DeadLetters(Set<String> addresses) {
        this.addresses = addresses;
    }

    /**
     * Of these addresses.
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
     * From where to where the message was moved; null if it counts as sent to the address it is received from. So it
     * does where a consumer has a wildcard: else the message itself would say that it is a dead letter.
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
