/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.signetmq.keystore.keys.CryptoProviders;

/**
 * Computes the SHA-256 digest of a sealed body, by which an audit line is matched with the message. For one message.
 */
public final class SealedDigest {
    private final MessageDigest digest = CryptoProviders.digest("SHA-256");

    /** Adds the next bytes of the sealed body. */
    public void add(byte[] bytes, int offset, int length) {
        digest.update(bytes, offset, length);
    }

    /** Returns the digest in hex, and ends the computation. */
    public String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Returns the digest of a whole sealed body in hex. The position of the buffer stays. */
    static String of(ByteBuffer sealed) {
        SealedDigest whole = new SealedDigest();
        whole.digest.update(sealed.duplicate());
        return whole.hex();
    }
}
