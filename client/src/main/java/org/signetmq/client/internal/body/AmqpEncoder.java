/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.qpid.proton.codec.AMQPDefinedTypes;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;

/** Encodes values as proton-j does, in the broker as well as here. For one thread, and for many values. */
public final class AmqpEncoder {
    private static final int SHORT = 1024;

    /** The greatest length in bytes; no payload or value is longer. */
    private static final int MOST = 256 << 20;

    private final EncoderImpl encoder;
    private ByteBuffer buffer = ByteBuffer.allocate(SHORT);

    public AmqpEncoder() {
        DecoderImpl decoder = new DecoderImpl();
        encoder = new EncoderImpl(decoder);
        AMQPDefinedTypes.registerAllTypes(decoder, encoder);
    }

    /**
     * Encodes a value.
     *
     * @throws org.signetmq.envelope.exception.MalformedEnvelopeException if it cannot be encoded, such as an array of
     *     numbers in a list
     */
    public byte[] encode(Object value) {
        while (true) {
            buffer.clear();
            encoder.setByteBuffer(buffer);
            try {
                encoder.writeObject(value);
                return Arrays.copyOf(buffer.array(), buffer.position());
            } catch (BufferOverflowException e) {
                if (buffer.capacity() > MOST) {
                    throw AmqpBodyDecoder.malformed("a value that is too long to be converted");
                }
                buffer = ByteBuffer.allocate(4 * buffer.capacity());
            } catch (RuntimeException e) { // the encoder throws many types for unknown values
                throw AmqpBodyDecoder.malformed("a value that cannot be converted");
            }
        }
    }
}
