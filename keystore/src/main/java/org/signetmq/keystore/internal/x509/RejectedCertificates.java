/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.keystore.crypto.CryptoProviders;

/**
 * Remembers certificates for a short time that were rejected after signatures on them had been verified, so that the
 * next message with them costs little. Holds digests and reasons alone: at most {@link #MAX_ENTRIES} entries of some
 * 150 bytes. Thread-safe.
 */
public final class RejectedCertificates {
    static final int MAX_ENTRIES = 1024;
    static final Duration REMEMBERED = Duration.ofSeconds(30);

    private record Rejection(Reason reason, Instant at) {
        boolean holds(Instant now) {
            return Duration.between(at, now).abs().compareTo(REMEMBERED) < 0;
        }
    }

    /** The oldest first. Guarded by this. */
    private final Map<ByteBuffer, Rejection> rejections = new LinkedHashMap<>();

    /** The identity of a request. Other certificates that come along make another request. */
    public static ByteBuffer key(TrustRequest request) {
        MessageDigest digest = CryptoProviders.digest("SHA-256");
        digest.update(request.use().name().getBytes(StandardCharsets.US_ASCII));
        try {
            digest.update(request.certificate().getEncoded());
            for (X509Certificate other : request.others()) {
                digest.update(other.getEncoded());
            }
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("certificate: cannot be encoded", e);
        }
        return ByteBuffer.wrap(digest.digest());
    }

    /** The reason of a recent rejection of the same request, if any. */
    public synchronized Optional<Reason> find(ByteBuffer key, Instant at) {
        return Optional.ofNullable(rejections.get(key))
                .filter(rejection -> rejection.holds(at))
                .map(Rejection::reason);
    }

    /** Forgets the oldest one where there is no room. */
    public synchronized void remember(ByteBuffer key, Reason reason, Instant at) {
        rejections.remove(key);
        if (rejections.size() >= MAX_ENTRIES) {
            rejections.remove(rejections.keySet().iterator().next());
        }
        rejections.put(key, new Rejection(reason, at));
    }

    synchronized int size() {
        return rejections.size();
    }
}
