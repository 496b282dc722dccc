/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.internal.crl.Issued;
import org.signetmq.keystore.internal.crl.RevocationList;
import org.signetmq.keystore.internal.crl.RevocationLists;
import org.signetmq.keystore.internal.ocsp.OcspAnswer;
import org.signetmq.keystore.internal.ocsp.OcspQuestion;
import org.signetmq.keystore.internal.ocsp.OcspStatus;
import org.signetmq.keystore.internal.x509.IssuerRules;

/**
 * The verified answer of an address, or its copy on the disk. Either the list or the state is null.
 *
 * @param list a list that the expected issuer signed
 * @param status the state of the expected certificate
 */
record FetchedContent(
        @Nullable RevocationList list, @Nullable OcspStatus status) {
    /**
     * Reads a list.
     *
     * @throws KeystoreUnusableException if it must not be used
     */
    static FetchedContent list(byte[] content, Issued issued, Instant now) {
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
        Set<String> points = RevocationPoints.of(issued.certificate()).listNames();
        if (!found.isCompleteFor(issued.certificate(), points)) { // it must not replace a complete list
            throw new KeystoreUnusableException("a list that does not cover the certificate, such as a delta list");
        }
        return new FetchedContent(found, null);
    }

    /**
     * Reads an OCSP answer as {@link #list} does.
     *
     * @param question the question; null for an answer from the disk
     */
    static FetchedContent answer(byte[] content, Issued issued, Instant now, @Nullable OcspQuestion question) {
        OcspAnswer answer = OcspAnswer.fromDer(content);
        if (question != null && !answer.fitsNonce(question.nonce())) {
            throw new KeystoreUnusableException("an OCSP answer to another question: its nonce differs");
        }
        OcspStatus found = answer.status(issued, now)
                .orElseThrow(() -> new KeystoreUnusableException("an OCSP answer about another certificate"));
        boolean ended = found.revoked().isEmpty() && now.isAfter(found.until()); // a revocation does not end
        if (now.isBefore(found.from()) || ended) {
            throw new KeystoreUnusableException("an OCSP answer that is not right at this time");
        }
        return new FetchedContent(null, found);
    }

    int length() {
        return list == null ? 0 : list.length();
    }

    /** Tells whether a certificate may be revoked by it, so that no other address may delay it. */
    boolean mayRevoke() {
        return list != null || (status != null && status.revoked().isPresent());
    }
}
