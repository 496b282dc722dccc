/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of one certificate in an OCSP answer whose signature was verified.
 *
 * @param known whether the responder knows the certificate
 * @param revocation the time of its revocation; null if it is not revoked
 * @param from the time from which the state is right
 * @param until the end of the time for which the state is right
 * @param concernsKey whether it is revoked for a reason that leaves no trust in its key
 * @param signerEnd the end of the responder's certificate, after which the answer says nothing
 */
record OcspStatus(
        boolean known,
        @Nullable Instant revocation,
        Instant from,
        Instant until,
        boolean concernsKey,
        Instant signerEnd) {
    /** Returns the time of the revocation; empty if the answer does not revoke the certificate. */
    Optional<Instant> revoked() {
        return Optional.ofNullable(revocation);
    }

    /** Tells whether the responder's certificate has not ended at this time. */
    boolean counts(Instant at) {
        return !at.isAfter(signerEnd);
    }

    /** Tells whether the answer proves at this time that the certificate is not revoked. */
    boolean proves(Instant at) {
        return known && revocation == null && !at.isBefore(from) && !at.isAfter(until) && counts(at);
    }

    /** Returns the state that revokes, else the one that is right for longer. */
    static OcspStatus graver(OcspStatus one, OcspStatus other) {
        if (one.revoked().isPresent() != other.revoked().isPresent()) {
            return one.revoked().isPresent() ? one : other;
        }
        return one.until().isAfter(other.until()) ? one : other;
    }
}
