/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.IOException;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1InputStream;
import org.bouncycastle.asn1.ASN1Primitive;

/**
 * Turns the basic encodings that other software writes (indefinite lengths, strings in parts) into distinguished ones,
 * by Bouncy Castle. Signed attributes are signed in their distinguished encoding, so signatures stay valid.
 */
final class BerTranscoder {
    private BerTranscoder() {}

    static byte[] toDer(byte[] ber) {
        try (ASN1InputStream in = new ASN1InputStream(ber)) { // lengths limited to the array
            ASN1Primitive object = in.readObject();
            if (object == null || in.read() >= 0) {
                throw new MalformedEnvelopeException("envelope: not one ASN.1 object");
            }
            return object.getEncoded(ASN1Encoding.DER);
        } catch (IOException | RuntimeException | StackOverflowError bad) {
            throw new MalformedEnvelopeException("envelope: not ASN.1");
        }
    }
}
