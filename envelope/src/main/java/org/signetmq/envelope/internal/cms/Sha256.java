/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.der.Slice;

/** A SHA-256 digest. Caches use it as key in place of bytes that a sender chose. Immutable. */
public final class Sha256 {
    private static final DigestPool DIGESTS = new DigestPool();

    private final byte[] digest;

    private Sha256(byte[] digest) {
        this.digest = digest;
    }

    public static Sha256 of(Slice bytes) {
        return new Sha256(DIGESTS.of("SHA-256", bytes));
    }

    /** Tells whether these bytes are the digest. */
    public boolean is(byte[] other) {
        return Arrays.equals(digest, other);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Sha256 that && Arrays.equals(digest, that.digest);
    }

    @Override
    public int hashCode() {
        return ByteBuffer.wrap(digest).getInt();
    }

    /** Returns the digest in hex. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(digest);
    }
}
