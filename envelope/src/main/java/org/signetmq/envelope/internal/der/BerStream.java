/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.der;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.format.Malformed;

/**
 * Reads elements of basic encodings (X.690 section 8) from a stream, and skips their content. It keeps nothing but the
 * content that a caller asks for. Its time is proportional to the bytes that it reads. For one thread.
 */
public final class BerStream {
    private static final int CONSTRUCTED = 0x20;
    private static final int INDEFINITE = 0x80;

    /** Tags from this number on have more than one byte. */
    private static final int LONG_TAG = 0x1F;

    private static final int MOST_OCTETS = 4;

    private final InputStream in;
    private final int mostDepth;
    private long position;

    private BerStream(InputStream in, int mostDepth) {
        this.in = in;
        this.mostDepth = mostDepth;
    }

    /**
     * Returns all elements of a stream.
     *
     * @param most the greatest number of bytes to read
     * @param mostDepth the greatest number of elements inside each other
     */
    public static Element of(InputStream in, long most, int mostDepth) {
        BerStream stream = new BerStream(in, mostDepth);
        return stream.new Element(CONSTRUCTED, new Bounds(most, false, 0));
    }

    /**
     * The bounds of the content of an element.
     *
     * @param end the position of its end; the latest possible one of an indefinite length
     */
    private record Bounds(long end, boolean isIndefinite, int depth) {}

    /** An element whose content follows. The first call of its parent after that skips the rest of the content. */
    public final class Element {
        private final int tag;
        private final Bounds bounds;
        private @Nullable Element child;
        private boolean ended;

        private Element(int tag, Bounds bounds) {
            this.tag = tag;
            this.bounds = bounds;
        }

        public int tag() {
            return tag;
        }

        /** Returns the next element of the content, or null at the end. */
        public @Nullable Element next() throws IOException {
            Malformed.when((tag & CONSTRUCTED) == 0, "envelope: an element has no parts");
            if (child != null) {
                child.skip();
                child = null;
            }
            if (ended || (!bounds.isIndefinite() && position == bounds.end())) {
                ended = true;
                return null;
            }
            int next = octet();
            if (next == 0 && bounds.isIndefinite()) {
                Malformed.when(octet() != 0, "envelope: not ASN.1");
                ended = true;
                return null;
            }
            Malformed.when((next & LONG_TAG) == LONG_TAG, "envelope: unknown tag");
            child = new Element(next, content(next));
            return child;
        }

        /** Returns the next element, which must be there. */
        public Element required() throws IOException {
            Element next = next();
            if (next == null) {
                throw new MalformedEnvelopeException("envelope: element missing");
            }
            return next;
        }

        /** Returns the next element, which must have this tag. */
        public Element next(int wanted) throws IOException {
            Element next = required();
            Malformed.when(next.tag != wanted, "envelope: unexpected element");
            return next;
        }

        private Bounds content(int next) throws IOException {
            Malformed.when(bounds.depth() >= mostDepth, "envelope: too many elements inside each other");
            int first = octet();
            if (first == INDEFINITE) {
                Malformed.when((next & CONSTRUCTED) == 0, "envelope: not ASN.1");
                return new Bounds(bounds.end(), true, bounds.depth() + 1);
            }
            long length = first;
            if (first > INDEFINITE) {
                int octets = first & 0x7F;
                Malformed.when(octets > MOST_OCTETS, "envelope: a length of too many bytes");
                length = 0;
                for (int i = 0; i < octets; i++) {
                    length = (length << Byte.SIZE) | octet();
                }
            }
            Malformed.when(length > bounds.end() - position, "envelope: longer than its parent");
            return new Bounds(position + length, false, bounds.depth() + 1);
        }

        private int octet() throws IOException {
            Malformed.when(position >= bounds.end(), "envelope: shorter than its length");
            int octet = in.read();
            if (octet < 0) {
                throw new EOFException("envelope: cut off");
            }
            position++;
            return octet;
        }

        /**
         * Returns the content, which has a definite length.
         *
         * @param most the greatest length in bytes; no memory is taken for a longer one
         */
        public byte[] content(int most, String what) throws IOException {
            long length = bounds.end() - position;
            Malformed.when(bounds.isIndefinite() || length > most, what);
            byte[] content = in.readNBytes((int) length);
            if (content.length < length) {
                throw new EOFException("envelope: cut off");
            }
            position += length;
            return content;
        }

        private void skip() throws IOException {
            if (bounds.isIndefinite()) {
                boolean more = !ended;
                while (more) {
                    more = next() != null;
                }
            } else {
                in.skipNBytes(bounds.end() - position);
                position = bounds.end();
            }
        }
    }
}
