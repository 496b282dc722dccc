/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import java.security.MessageDigest;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
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
}
