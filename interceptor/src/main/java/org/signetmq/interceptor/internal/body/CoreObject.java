/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;

/** The body of a Core object message: nothing for null, else a length and the serialised object. */
public final class CoreObject {
    private CoreObject() {}

    public static BodyContent read(byte[] body) throws MessageRejectedException {
        ClearMessage.Body kind = new ClearMessage.Body(BodyKind.JMS_OBJECT, ContentTypes.SERIALIZED_OBJECT);
        if (body.length == 0) {
            return BodyContent.of(kind, body);
        }
        if (body.length < Integer.BYTES || ByteBuffer.wrap(body).getInt() != body.length - Integer.BYTES) {
            throw new MessageRejectedException(
                    "body: not the encoding of an object message, found " + body.length + " bytes");
        }
        return BodyContent.of(kind, Arrays.copyOfRange(body, Integer.BYTES, body.length));
    }
}
