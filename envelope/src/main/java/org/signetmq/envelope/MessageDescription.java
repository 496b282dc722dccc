/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.IOException;
import java.io.InputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.cms.ContentInfoHead;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.EnvelopeSplitter;
import org.signetmq.envelope.internal.der.OutputBuffer;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.keystore.keys.CryptoProviders;

/**
 * The visible properties of a message of any length, without any key and without verification.
 *
 * @param first its envelope, or that of its first segment
 * @param envelopes the number of envelopes
 * @param length the length of the message in bytes
 * @param sha256 the SHA-256 digest of all bytes of the message in hex
 */
public record MessageDescription(EnvelopeDescription first, int envelopes, long length, String sha256) {
    /**
     * Describes a message, in the memory of one segment.
     *
     * @throws MalformedEnvelopeException if the message is neither an envelope nor several
     * @throws IOException if the stream fails
     */
    public static MessageDescription of(InputStream in) throws IOException {
        MessageDigest digest = CryptoProviders.digest("SHA-256");
        EnvelopeSplitter input = new EnvelopeSplitter(new DigestInputStream(in, digest));
        OutputBuffer buffer = new OutputBuffer();
        EnvelopeDescription first = null;
        int envelopes = 0;
        long length = 0;
        for (Slice envelope = input.next(buffer); envelope != null; envelope = input.next(buffer)) {
            if (!input.isSealed()) {
                ContentInfoHead.rejectOther(envelope);
                throw new MalformedEnvelopeException("message: not an envelope");
            }
            if (first == null) {
                first = EnvelopeDescription.of(envelope.copy());
            } else {
                EnvelopeParser.parse(envelope);
            }
            envelopes++;
            length += envelope.length();
        }
        if (first == null) {
            throw new MalformedEnvelopeException("message: empty");
        }
        return new MessageDescription(first, envelopes, length, HexFormat.of().formatHex(digest.digest()));
    }
}
