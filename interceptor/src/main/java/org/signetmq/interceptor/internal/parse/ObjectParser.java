/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import java.io.ObjectStreamConstants;
import java.nio.ByteBuffer;
import java.util.Map;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;

/**
 * Parses the body of a Core object message: empty for null, or else a length and the serialised object. Any other body
 * passes unchanged, under a kind of its own. A large one is rejected if only its end shows that its length is wrong.
 */
final class ObjectParser implements BodyStage {
    private static final ClearMessage.Body KIND =
            new ClearMessage.Body(BodyKind.JMS_OBJECT, ContentTypes.SERIALIZED_OBJECT);

    /** The kind of a body that a Core producer wrote in another way. */
    private static final ClearMessage.Body OTHER = new ClearMessage.Body(BodyKind.JMS_OBJECT_CORE, ContentTypes.BINARY);

    /** The beginning of each object that Java serialised. */
    private static final int JAVA =
            (ObjectStreamConstants.STREAM_MAGIC & 0xFFFF) << Short.SIZE | ObjectStreamConstants.STREAM_VERSION;

    private final ClearBodyStage next;
    private final ByteBuffer head = ByteBuffer.allocate(2 * Integer.BYTES);
    private long objectLength;
    private boolean begun;
    private boolean other;

    ObjectParser(ClearBodyStage next) {
        this.next = next;
    }

    @Override
    public void add(byte[] bytes, int offset, int length) throws Exception {
        int ofHead = Math.min(head.remaining(), length);
        head.put(bytes, offset, ofHead);
        if (head.hasRemaining()) {
            return;
        }
        if (!begun) {
            begin();
        }
        addBehind(bytes, offset + ofHead, length - ofHead);
    }

    private void addBehind(byte[] bytes, int offset, int length) throws Exception {
        objectLength += length;
        next.add(bytes, offset, length);
    }

    /** Begins the payload by the length and what follows it at once. */
    private void begin() throws Exception {
        begun = true;
        int length = head.position();
        int stated = length < Integer.BYTES ? -1 : head.getInt(0);
        other = stated < 0
                || (head.hasRemaining()
                        ? stated != length - Integer.BYTES // this is all
                        : head.getInt(Integer.BYTES) != JAVA);
        next.begin(other ? OTHER : KIND);
        int from = other ? 0 : Integer.BYTES;
        addBehind(head.array(), from, length - from);
    }

    /** Tells whether a whole body is the encoding of an object, or of none. */
    static boolean isObject(ByteBuffer body) {
        return !body.hasRemaining()
                || (body.remaining() >= Integer.BYTES
                        && body.getInt(body.position()) == body.remaining() - Integer.BYTES);
    }

    /** Returns a whole body that is not the encoding of an object, as it is. */
    static BodyContent other(ByteBuffer body) {
        return new BodyContent(OTHER, body, Map.of());
    }

    @Override
    public void finish() throws Exception {
        if (head.position() == 0) {
            next.begin(KIND);
        } else if (!begun) {
            begin();
        }
        if (head.position() > 0 && !other && head.getInt(0) != objectLength) {
            throw new MessageRejectedException("body: a large object message that is not as long as it states");
        }
        next.finish();
    }

    @Override
    public void close() {
        next.close();
    }
}
