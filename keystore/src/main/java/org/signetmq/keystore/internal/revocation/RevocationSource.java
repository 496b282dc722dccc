/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.internal.x509.IssuerRules;

/**
 * An address with the issuer whose list or answer is expected there, its last answer, and the time of its next
 * question. The lock of {@link RevocationSources} guards it, but not the reading of its copy on disk.
 */
final class RevocationSource {
    /**
     * What makes a source another one.
     *
     * @param serialNumber of the certificate that an OCSP responder is asked about; null for the address of a list
     */
    record Key(URI address, PublicKeyInfo issuer, @Nullable BigInteger serialNumber) {}

    private final Key key;
    private final Issued issued;
    private final Object reading = new Object();
    private boolean read; // guarded by reading
    private volatile boolean settled;
    private Instant wanted;
    private Instant waitsFrom;
    private Instant due;
    private int failures;
    private volatile @Nullable String problem;
    private @Nullable RevocationList list;
    private @Nullable OcspStatus answer;

    RevocationSource(Key key, Issued issued, Instant now) {
        this.key = key;
        this.issued = issued;
        this.wanted = now;
        this.waitsFrom = now;
        this.due = now;
    }

    Key key() {
        return key;
    }

    /** Returns how OCSP names the certificate. */
    Issued.Id id() {
        return new Issued.Id(key.issuer(), issued.certificate().getSerialNumber());
    }

    URI address() {
        return key.address();
    }

    boolean isList() {
        return key.serialNumber() == null;
    }

    Issued issued() {
        return issued;
    }

    /** Returns the greatest length of an answer, in bytes. */
    int mostBytes() {
        return isList() ? FetchLimits.LIST_BYTES : FetchLimits.ANSWER_BYTES;
    }

    /** Returns the name of its file in the cache, which the asked host cannot choose. */
    String fileName() {
        MessageDigest digest = CryptoProviders.digest("SHA-256");
        digest.update(key.address().toString().getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
        digest.update(issued.issuer().getPublicKey().getEncoded());
        if (!isList()) {
            digest.update(issued.certificate().getSerialNumber().toByteArray());
        }
        return HexFormat.of().formatHex(digest.digest()) + (isList() ? ".crl" : ".ocsp");
    }

    /** Lets one thread read the copy. Other threads that need it wait. */
    void readOnce(Runnable reader) {
        synchronized (reading) {
            if (!read) {
                try {
                    reader.run();
                } finally {
                    read = true;
                }
            }
        }
    }

    /** Notes that the copy was read and published. */
    void settle() {
        settled = true;
    }

    /** Tells whether its copy on disk was read and published. */
    boolean isSettled() {
        return settled;
    }

    /** A verified answer. Either the list or the state is null. */
    record Content(@Nullable RevocationList list, @Nullable OcspStatus status) {
        /** Tells whether a certificate may be revoked by it, so that no other address may delay it. */
        boolean mayRevoke() {
            return list != null || (status != null && status.revoked().isPresent());
        }
    }

    /**
     * Verifies an answer of the address, or its copy on the disk.
     *
     * @param nonce the nonce of the question; null for a copy
     * @throws KeystoreUnusableException if it must not be used
     */
    Content verified(byte[] content, Instant now, byte @Nullable [] nonce) {
        return isList() ? new Content(list(content, now), null) : new Content(null, state(content, now, nonce));
    }

    private RevocationList list(byte[] content, Instant now) {
        RevocationList found = RevocationList.fromDer(content);
        if (!found.issuer().equals(issued.certificate().getIssuerX500Principal())) {
            throw new KeystoreUnusableException("a list of another issuer");
        }
        if (!IssuerRules.maySignLists(issued.issuer())
                || !found.isSignedBy(PublicKeyInfo.of(issued.issuer()), issued.issuer())) {
            throw new KeystoreUnusableException("a list that its issuer did not sign");
        }
        if (found.thisUpdate().isAfter(now.plus(RevocationLists.CLOCK_SKEW))) {
            throw new KeystoreUnusableException("a list from the future");
        }
        if (!found.isCompleteFor(
                issued.certificate(), RevocationPoints.of(issued.certificate()).listNames())) {
            // it must not replace a complete list
            throw new KeystoreUnusableException("a list that does not cover the certificate, such as a delta list");
        }
        return found;
    }

    private OcspStatus state(byte[] content, Instant now, byte @Nullable [] nonce) {
        OcspAnswer found = OcspAnswer.fromDer(content);
        if (nonce != null && !found.fitsNonce(nonce)) {
            throw new KeystoreUnusableException("an OCSP answer to another question: its nonce differs");
        }
        OcspStatus status = found.status(issued, now)
                .orElseThrow(() -> new KeystoreUnusableException("an OCSP answer about another certificate"));
        boolean ended = status.revoked().isEmpty() && now.isAfter(status.until()); // a revocation does not end
        if (now.isBefore(status.from()) || ended) {
            throw new KeystoreUnusableException("an OCSP answer that is not right at this time");
        }
        return status;
    }

    /**
     * Stores an answer.
     *
     * @return whether it can change an answer about a certificate
     * @throws KeystoreUnusableException if what is known is newer
     */
    boolean take(Content found, Instant now) {
        boolean changes =
                found.list() != null ? take(found.list()) : found.status() != null && take(found.status(), now);
        succeeded(now);
        return changes;
    }

    private boolean take(RevocationList found) {
        RevocationList before = list;
        if (before != null && found.thisUpdate().isBefore(before.thisUpdate())) {
            throw new KeystoreUnusableException("an older list than the known one");
        }
        boolean changes = before == null || !found.hasBytesOf(before);
        if (changes) {
            list = found;
        }
        return changes;
    }

    private boolean take(OcspStatus found, Instant now) {
        OcspStatus before = answer;
        if (before != null && found.from().isBefore(before.from())) {
            throw new KeystoreUnusableException("an older OCSP answer than the known one");
        }
        answer = found;
        // a later end alone changes no answer that was kept, because none was kept for longer than the earlier end
        return before == null
                || found.until().isBefore(before.until())
                || before.known() != found.known()
                || !before.revoked().equals(found.revoked())
                || now.isAfter(before.until());
    }

    private void succeeded(Instant now) {
        Instant end = until().orElse(null);
        if (end == null) {
            failed("a list without the time of its next update", now);
        } else if (!now.isBefore(end)) {
            failed("its answer is out of date since " + end, now);
        } else {
            failures = 0;
            problem = null;
            waitFrom(now, Duration.between(now, end).dividedBy(2), FetchLimits.MOST_WAIT);
        }
    }

    void failed(String reason, Instant now) {
        problem = reason;
        waitFrom(now, FetchLimits.LEAST_WAIT.multipliedBy(1L << Math.min(failures, 10)), FetchLimits.MOST_RETRY);
        failures++;
    }

    private void waitFrom(Instant now, Duration time, Duration most) {
        waitsFrom = now;
        Duration atMost = time.compareTo(most) < 0 ? time : most;
        due = now.plus(atMost.compareTo(FetchLimits.LEAST_WAIT) > 0 ? atMost : FetchLimits.LEAST_WAIT);
    }

    /** Lets the address be asked now, if it has a problem. */
    void retry(Instant now) {
        if (problem != null) {
            waitsFrom = now;
            due = now;
        }
    }

    /** Forgets times after this one, because the clock was ahead when they were noted. */
    void setBack(Instant now) {
        if (wanted.isAfter(now)) {
            wanted = now;
        }
        if (waitsFrom.isAfter(now)) {
            waitsFrom = now;
            due = now;
        }
    }

    void want(Instant now) {
        wanted = now;
    }

    Instant wanted() {
        return wanted;
    }

    boolean isUnused(Instant now) {
        return wanted.plus(FetchLimits.UNUSED).isBefore(now);
    }

    Instant due() {
        return due;
    }

    boolean hasFailed() {
        return failures > 0;
    }

    @Nullable
    String problem() {
        return problem;
    }

    @Nullable
    RevocationList list() {
        return list;
    }

    @Nullable
    OcspStatus answer() {
        return answer;
    }

    int length() {
        return list == null ? 0 : list.length();
    }

    /** Returns the end of the time for which the list or answer is right; empty if there is none. */
    Optional<Instant> until() {
        return list != null ? list.nextUpdate() : Optional.ofNullable(answer).map(OcspStatus::until);
    }
}
