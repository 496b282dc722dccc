/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.messaging.AmqpSequence;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Footer;
import org.apache.qpid.proton.codec.AMQPDefinedTypes;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;
import org.jspecify.annotations.Nullable;

/**
 * The body of an AMQP 1.0 message (section 3.2): one or more data sections, one or more sequences, one value, or
 * nothing. A footer behind it is read over.
 */
final class AmqpSections {
    /** What the body consists of. */
    enum Kind {
        NONE,
        DATA,
        SEQUENCE,
        VALUE
    }

    private Kind kind = Kind.NONE;
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private final List<@Nullable Object> sequence = new ArrayList<>();
    private @Nullable Object value;

    private AmqpSections() {}

    /** @throws org.signetmq.envelope.MalformedEnvelopeException if these are none */
    static AmqpSections read(byte[] payload) {
        byte[] readable = AmqpShape.readable(payload);
        AmqpSections sections = new AmqpSections();
        try {
            DecoderImpl decoder = new DecoderImpl();
            AMQPDefinedTypes.registerAllTypes(decoder, new EncoderImpl(decoder));
            ByteBuffer buffer = ByteBuffer.wrap(readable);
            decoder.setByteBuffer(buffer);
            while (buffer.hasRemaining()) {
                sections.add(decoder.readObject(), buffer.hasRemaining());
            }
        } catch (RuntimeException e) { // how the decoder meets bytes that are no AMQP
            throw AmqpBodyDecoder.malformed("bytes that cannot be read");
        }
        return sections;
    }

    private void add(@Nullable Object section, boolean more) {
        if (section instanceof Data bytes) {
            become(Kind.DATA, true);
            Binary binary = bytes.getValue();
            data.write(binary.getArray(), binary.getArrayOffset(), binary.getLength());
        } else if (section instanceof AmqpSequence list) {
            become(Kind.SEQUENCE, true);
            sequence.addAll(AmqpValues.list(list.getValue()));
        } else if (section instanceof AmqpValue single) {
            become(Kind.VALUE, false);
            value = AmqpValues.plain(single.getValue());
        } else if (!(section instanceof Footer) || more) {
            throw AmqpBodyDecoder.malformed("a section in the wrong place");
        }
    }

    private void become(Kind next, boolean mayRepeat) {
        if (kind != Kind.NONE && !(kind == next && mayRepeat)) {
            throw AmqpBodyDecoder.malformed("sections that do not go together");
        }
        kind = next;
    }

    Kind kind() {
        return kind;
    }

    /** The data sections together. */
    byte[] data() {
        return data.toByteArray();
    }

    /** The sequences together. */
    List<@Nullable Object> sequence() {
        return sequence;
    }

    /** The value; null as well if there is none. */
    @Nullable
    Object value() {
        return value;
    }
}
