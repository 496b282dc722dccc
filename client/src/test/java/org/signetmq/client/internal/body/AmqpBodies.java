/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.apache.qpid.proton.codec.AMQPDefinedTypes;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;

/** Body sections as proton-j encodes them. */
public final class AmqpBodies {
    private AmqpBodies() {}

    public static byte[] sections(Section... sections) {
        return sections(1 << 16, sections);
    }

    public static byte[] sections(int mostBytes, Section... sections) {
        DecoderImpl decoder = new DecoderImpl();
        EncoderImpl encoder = new EncoderImpl(decoder);
        AMQPDefinedTypes.registerAllTypes(decoder, encoder);
        ByteBuffer buffer = ByteBuffer.allocate(mostBytes);
        encoder.setByteBuffer(buffer);
        for (Section section : sections) {
            encoder.writeObject(section);
        }
        return Arrays.copyOf(buffer.array(), buffer.position());
    }
}
