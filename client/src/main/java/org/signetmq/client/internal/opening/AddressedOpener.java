/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.signetmq.client.internal.address.AddressPrefixes;
import org.signetmq.client.internal.address.ConsumerAddress;
import org.signetmq.client.internal.address.DeadLetters;
import org.signetmq.client.internal.failure.OpenCounts;
import org.signetmq.client.internal.failure.OpenExceptions;
import org.signetmq.client.internal.failure.OpenFailurePolicy;
import org.signetmq.client.internal.failure.OpenFailurePolicy.Reaction;
import org.signetmq.client.internal.provider.ArrivedMessage;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.SegmentOpener;
import org.signetmq.envelope.message.MessageMove;
import org.signetmq.envelope.message.OpenedMessage;

/**
 * Opens a message for the address that it must be sealed for.
 *
 * @param opener opens envelopes
 * @param deadLetters the addresses with messages that were sealed for other addresses
 * @param prefixes the prefixes of addresses in names
 * @param failures the reaction of a receiving call to a message that cannot be opened
 */
public record AddressedOpener(
        Opener opener, DeadLetters deadLetters, AddressPrefixes prefixes, OpenFailurePolicy failures) {
    public AddressedOpener(Opener opener, OpenExceptions exceptions) {
        this(
                opener,
                DeadLetters.NONE,
                AddressPrefixes.NONE,
                new OpenFailurePolicy(exceptions, Reaction.SKIP, new OpenCounts()));
    }

    public AddressedOpener with(DeadLetters others) {
        return new AddressedOpener(opener, others, prefixes, failures);
    }

    public AddressedOpener with(AddressPrefixes others) {
        return new AddressedOpener(opener, deadLetters, others, failures);
    }

    /** Returns the same, except that receiving calls throw for messages that cannot be opened. */
    public AddressedOpener throwing() {
        return new AddressedOpener(
                opener,
                deadLetters,
                prefixes,
                new OpenFailurePolicy(failures.exceptions(), Reaction.THROW, failures.counts()));
    }

    /** Returns the address of a consumer of this destination. */
    public ConsumerAddress source(Destination destination) throws JMSException {
        return ConsumerAddress.of(destination, prefixes, opener.wildcards());
    }

    public OpenedMessage open(ByteBuffer body, ArrivedMessage arrived, ConsumerAddress source) throws JMSException {
        MessageMove moved = deadLetters.movement(arrived, source);
        return moved == null
                ? opener.open(body, source.addressOf(arrived.message(), () -> opener.sealedAddress(body)))
                : opener.open(body, moved);
    }

    /** Returns whether a policy covers a message in clear, which this opener accepted. */
    boolean covers(ArrivedMessage arrived, ConsumerAddress source) throws JMSException {
        MessageMove moved = deadLetters.movement(arrived, source);
        return moved == null
                ? opener.covers(source.addressOf(arrived.message()))
                : opener.covers(moved.from()) || opener.covers(moved.to());
    }

    public SegmentOpener openSegments(InputStream body, ArrivedMessage arrived, ConsumerAddress source)
            throws JMSException {
        MessageMove moved = deadLetters.movement(arrived, source);
        return moved == null
                ? opener.openSegments(body, source.addressOf(arrived.message()))
                : opener.openSegments(body, moved);
    }
}
