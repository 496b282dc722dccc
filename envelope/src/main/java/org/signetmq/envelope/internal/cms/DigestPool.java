/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.keystore.keys.CryptoProviders;

/** A pool of message digests by algorithm. Thread-safe. */
public final class DigestPool {
    private final Map<String, Queue<MessageDigest>> idle = new ConcurrentHashMap<>();

    /**
     * Computes the digest of these bytes.
     *
     * @param algorithm SHA-256, SHA-384 or SHA-512
     */
    public byte[] of(String algorithm, Slice bytes) {
        Queue<MessageDigest> free = idle.computeIfAbsent(algorithm, unused -> new ConcurrentLinkedQueue<>());
        MessageDigest digest = free.poll();
        if (digest == null) {
            digest = CryptoProviders.digest(algorithm);
        }
        digest.update(bytes.array(), bytes.offset(), bytes.length());
        byte[] result = digest.digest();
        free.add(digest);
        return result;
    }

    /** A SHA-256 digest. Caches use it as key in place of bytes that a sender chose. Immutable. */
    public static final class Sha256 {
        private static final DigestPool DIGESTS = new DigestPool();

        private final byte[] digest;

        private Sha256(byte[] digest) {
            this.digest = digest;
        }

        public static Sha256 of(Slice bytes) {
            return new Sha256(DIGESTS.of("SHA-256", bytes));
        }

        /** Returns a copy of the digest. */
        public byte[] copy() {
            return digest.clone();
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
}
