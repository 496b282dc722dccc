/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.signetmq.client.internal.message.OpenOutcomes;
import org.signetmq.client.internal.provider.ClientLibrary.ArrivedMessage;
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
 * @param outcomes makes the exceptions for messages that cannot be opened
 * @param throwing whether a receiving call throws after it gave such a message back, and does not take the next one
 */
public record AddressedOpener(
        Opener opener, DeadLetters deadLetters, AddressPrefixes prefixes, OpenOutcomes outcomes, boolean throwing) {
    public AddressedOpener(Opener opener, OpenOutcomes outcomes) {
        this(opener, DeadLetters.NONE, AddressPrefixes.NONE, outcomes, false);
    }

    public AddressedOpener with(DeadLetters others) {
        return new AddressedOpener(opener, others, prefixes, outcomes, throwing);
    }

    public AddressedOpener with(AddressPrefixes others) {
        return new AddressedOpener(opener, deadLetters, others, outcomes, throwing);
    }

    /** Returns the same, except that receiving calls throw for messages that cannot be opened. */
    public AddressedOpener thatThrows() {
        return new AddressedOpener(opener, deadLetters, prefixes, outcomes, true);
    }

    /**
     * Returns whether the call continues with the next message after this exception. A consumer with unusable keys or
     * policies can open no message. If it skipped them, the broker would move all messages to its dead-letter address.
     */
    boolean skips(JMSException e) {
        return !throwing && outcomes.isOpenFailure(e) && outcomes.mayOpenNext(e);
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
