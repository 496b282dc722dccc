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
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.keystore.internal.x509.CertificatePaths.TrustRequest;
import org.signetmq.keystore.keys.CryptoProviders;

/**
 * Remembers rejected certificates for a short time, so that the next message with them costs no signature verification.
 * It holds digests and texts: at most {@link #MAX_ENTRIES} entries, each with a text of at most {@link #MAX_TEXT}
 * characters. Thread-safe.
 */
public final class RejectedCertificates {
    static final int MAX_ENTRIES = 1024;
    static final int MAX_TEXT = 1024;
    static final Duration REMEMBERED = Duration.ofSeconds(30);

    private record Rejection(Reason reason, String text, Instant at) {
        boolean holds(Instant now) {
            return Duration.between(at, now).abs().compareTo(REMEMBERED) < 0;
        }
    }

    /** The rejections, the oldest first. Guarded by this. */
    private final Map<ByteBuffer, Rejection> rejections = new LinkedHashMap<>();

    /** Returns a digest of a request and all its certificates. */
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

    /** Returns a recent rejection of the same request, with its reason and text; empty if there is none. */
    public synchronized Optional<CertificateRejectedException> find(ByteBuffer key, Instant at) {
        return Optional.ofNullable(rejections.get(key))
                .filter(rejection -> rejection.holds(at))
                .map(rejection -> new CertificateRejectedException(rejection.reason(), rejection.text()));
    }

    /** Adds a rejection, and removes the oldest one if there is no room. */
    public synchronized void remember(ByteBuffer key, CertificateRejectedException rejection, Instant at) {
        rejections.remove(key);
        if (rejections.size() >= MAX_ENTRIES) {
            rejections.remove(rejections.keySet().iterator().next());
        }
        String text = String.valueOf(rejection.getMessage());
        String kept = text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT - 3) + "...";
        rejections.put(key, new Rejection(rejection.reason(), kept, at));
    }

    synchronized int size() {
        return rejections.size();
    }
}
