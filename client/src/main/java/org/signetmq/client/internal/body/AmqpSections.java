/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.AmqpSequence;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Footer;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.apache.qpid.proton.codec.AMQPDefinedTypes;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;
import org.jspecify.annotations.Nullable;

/**
 * The body of an AMQP 1.0 message (section 3.2), and its footer: one or more data sections, one or more sequences, one
 * value, or nothing. No consumer takes more than one section: the broker converts the first, Qpid JMS takes the last.
 */
public final class AmqpSections {
    private final List<Section> body = new ArrayList<>();
    private @Nullable Footer footer;

    private AmqpSections() {}

    /**
     * Decodes the sections of a payload.
     *
     * @throws org.signetmq.envelope.exception.MalformedEnvelopeException if the payload has no valid sections
     */
    static AmqpSections read(byte[] payload) {
        byte[] readable = AmqpScanner.readable(payload);
        AmqpSections sections = new AmqpSections();
        try {
            DecoderImpl decoder = new DecoderImpl();
            AMQPDefinedTypes.registerAllTypes(decoder, new EncoderImpl(decoder));
            ByteBuffer buffer = ByteBuffer.wrap(readable);
            decoder.setByteBuffer(buffer);
            while (buffer.hasRemaining()) {
                sections.add(decoder.readObject(), buffer.hasRemaining());
            }
        } catch (RuntimeException e) { // the decoder throws many types for bytes that are not AMQP
            throw AmqpBodyDecoder.malformed("bytes that cannot be read");
        }
        return sections;
    }

    private void add(@Nullable Object section, boolean more) {
        if (section instanceof Footer last && !more) {
            footer = last;
            return;
        }
        boolean isValue = section instanceof AmqpValue;
        if (section == null
                || (!isValue
                        && !(section instanceof Data data && data.getValue() != null)
                        && !(section instanceof AmqpSequence sequence && sequence.getValue() != null))) {
            throw AmqpBodyDecoder.malformed("a section in the wrong place, or without its value");
        }
        if (!body.isEmpty() && (isValue || body.get(0).getClass() != section.getClass())) {
            throw AmqpBodyDecoder.malformed("sections that do not go together");
        }
        body.add((Section) section);
    }

    /** Returns the section that the broker converts; null if there is none. */
    @Nullable
    public Section first() {
        return body.isEmpty() ? null : body.get(0);
    }

    /** Returns the section that Qpid JMS uses; null if there is none. */
    @Nullable
    Section last() {
        return body.isEmpty() ? null : body.get(body.size() - 1);
    }

    /** Returns the footer; empty if there is none. */
    public Map<?, ?> footer() {
        return footer == null || footer.getValue() == null ? Map.of() : footer.getValue();
    }

    /** Returns the bytes of a data section. */
    static byte[] bytes(Data data) {
        return bytes(data.getValue());
    }

    public static byte[] bytes(Binary binary) {
        byte[] bytes = new byte[binary.getLength()];
        binary.asByteBuffer().get(bytes);
        return bytes;
    }
}
