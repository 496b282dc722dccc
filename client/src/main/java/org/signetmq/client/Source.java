/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.AddressMismatchException;

/**
 * Where a consumer receives from. The address of its messages is what the application asked for, not what a message
 * says of itself: a producer can write anything into that. Only for a pattern the message is asked, and must match.
 */
final class Source {
    /** Not known: nothing can be opened. */
    static final Source UNKNOWN = new Source(null);

    private static final List<String> PREFIXES = List.of("queue://", "topic://", "temp-queue://", "temp-topic://");

    private final @Nullable String address;
    private final boolean pattern;

    private Source(@Nullable String address) {
        this.address = address;
        this.pattern = address != null && WildcardAddress.isPattern(address); // once, not for each message
    }

    static Source of(Destination destination) throws JMSException {
        return new Source(addressOf(destination));
    }

    /** A source with this address or pattern, such as {@code news.#} */
    static Source ofAddress(String address) {
        return new Source(address);
    }

    /** The one address that the consumer names; null for a pattern or where it is not known. */
    @Nullable
    String name() {
        return pattern ? null : address;
    }

    /** The address that a message from here must be sealed for. */
    String addressOf(Message message) throws JMSException {
        if (address == null) {
            throw new AddressMismatchException("address: the destination that the message came from is not known");
        }
        if (!pattern) {
            return address;
        }
        String claimed = addressOf(message.getJMSDestination());
        if (claimed == null || !WildcardAddress.matches(address, claimed)) {
            throw new AddressMismatchException(
                    "address: the message's destination does not match the consumer's '" + address + "'");
        }
        return claimed;
    }

    private static @Nullable String addressOf(@Nullable Destination destination) throws JMSException {
        String name = null;
        if (destination instanceof Queue queue) {
            name = queue.getQueueName();
        } else if (destination instanceof Topic topic) {
            name = topic.getTopicName();
        }
        return name == null ? null : withoutQueuePart(withoutPrefix(name));
    }

    private static String withoutPrefix(String name) {
        for (String prefix : PREFIXES) {
            if (name.startsWith(prefix)) {
                return name.substring(prefix.length());
            }
        }
        return name;
    }

    /** A fully qualified queue name is {@code address::queue}. */
    static String withoutQueuePart(String name) {
        int separator = name.indexOf("::");
        return separator < 0 ? name : name.substring(0, separator);
    }
}
