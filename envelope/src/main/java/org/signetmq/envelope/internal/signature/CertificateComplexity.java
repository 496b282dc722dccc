/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.signature;

import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;

/**
 * Counts the elements of a certificate before a library parses it. The library would take a hundred times the bytes of
 * a name, and an object for each element of an extension. For one thread.
 */
final class CertificateComplexity {
    private static final int CONSTRUCTED = 0x20;
    private static final String A_CERTIFICATE = "a certificate";

    private int elements;
    private int attributes;

    private CertificateComplexity() {}

    /**
     * Rejects a certificate with too many elements, levels or attributes of names. It makes no other check.
     *
     * @throws MalformedEnvelopeException if it has too many, or is not DER
     */
    static void require(Slice certificate) {
        new CertificateComplexity().count(certificate, 1, false);
    }

    private void count(Slice part, int depth, boolean inSet) {
        Limits.require(depth, Limits.CERTIFICATE_DEPTH, A_CERTIFICATE, "levels");
        DerReader reader = new DerReader(part);
        while (reader.hasMore()) {
            Limits.require(++elements, Limits.CERTIFICATE_ELEMENTS, A_CERTIFICATE, "elements");
            if (inSet) { // only the names in a certificate have sets
                Limits.require(++attributes, Limits.CERTIFICATE_ATTRIBUTES, A_CERTIFICATE, "attributes of names");
            }
            Slice element = reader.element();
            int tag = element.array()[element.offset()] & 0xFF;
            if ((tag & CONSTRUCTED) != 0 || tag == DerReader.OCTET_STRING) {
                Slice content = new DerReader(element).content(tag);
                if (tag != DerReader.OCTET_STRING || isElement(content)) { // the value of an extension
                    count(content, depth + 1, tag == DerReader.SET);
                }
            }
        }
    }

    /** Tells whether these bytes are one constructed element. */
    private static boolean isElement(Slice bytes) {
        if (bytes.length() < 2 || (bytes.array()[bytes.offset()] & CONSTRUCTED) == 0) {
            return false;
        }
        try {
            return new DerReader(bytes).element().length() == bytes.length();
        } catch (MalformedEnvelopeException other) {
            return false;
        }
    }
}
