/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import java.security.MessageDigest;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.keystore.crypto.CryptoProviders;

/** Digests by the names that signatures have for them, looked up once and kept for the next message. Thread-safe. */
public final class Digests {
    private final Map<String, Queue<MessageDigest>> idle = new ConcurrentHashMap<>();

    /**
     * The digest of these bytes.
     *
     * @param algorithm SHA-256, SHA-384 or SHA-512
     */
    public byte[] of(String algorithm, Slice bytes) {
        Queue<MessageDigest> free = idle.computeIfAbsent(algorithm, unused -> new ConcurrentLinkedQueue<>());
        MessageDigest digest = free.poll();
        if (digest == null) {
            digest = CryptoProviders.standard().digest(algorithm);
        }
        digest.update(bytes.array(), bytes.offset(), bytes.length());
        byte[] result = digest.digest();
        free.add(digest);
        return result;
    }
}
