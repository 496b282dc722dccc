/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.metrics;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;

/**
 * Finds the days to the nearest end of a certificate. It searches the recipients of the policies again only after a
 * change, because there may be very many. Thread-safe.
 */
final class CertificateEnds {
    private final Supplier<Readiness> readiness;
    private @Nullable Found last; // guarded by this

    /** The nearest end among the recipients of these policies; null if they have none. */
    private record Found(
            PolicySet policies, long certificates, @Nullable Instant end) {}

    CertificateEnds(Supplier<Readiness> readiness) {
        this.readiness = readiness;
    }

    /** Returns the days to the end of the broker's own certificate; not a number if it is unknown. */
    double daysOfIdentity() {
        try {
            return readiness.get() instanceof Readiness.Ready ready
                    ? days(ready.home()
                            .identities()
                            .ofBroker()
                            .certificate()
                            .getNotAfter()
                            .toInstant())
                    : Double.NaN;
        } catch (KeystoreUnusableException unknown) {
            return Double.NaN;
        }
    }

    /** Returns the days to the first end among the recipients in policies; not a number if there is none. */
    double daysOfRecipients() {
        return readiness.get() instanceof Readiness.Ready ready ? days(endOfRecipients(ready)) : Double.NaN;
    }

    @SuppressWarnings("ReferenceEquality") // equal sets are the same object, or searched again
    private synchronized @Nullable Instant endOfRecipients(Readiness.Ready ready) {
        long version = ready.home().names().certificates().version();
        Found known = last;
        if (known == null || known.policies() != ready.policies() || known.certificates() != version) {
            known = new Found(ready.policies(), version, search(ready));
            last = known;
        }
        return known.end();
    }

    private static @Nullable Instant search(Readiness.Ready ready) {
        Set<String> names = new HashSet<>();
        for (Policy policy : ready.policies().policies()) {
            if (policy.quality().encrypts()) {
                names.addAll(ready.policies().applied(policy).encryption().recipients());
            }
        }
        Instant first = null;
        for (String name : names) {
            Instant end = end(ready, name);
            if (end != null && (first == null || end.isBefore(first))) {
                first = end;
            }
        }
        return first;
    }

    private static @Nullable Instant end(Readiness.Ready ready, String name) {
        try {
            return ready.home()
                    .names()
                    .certificates()
                    .find(name)
                    .map(Recipient::certificate)
                    .map(X509Certificate::getNotAfter)
                    .map(Date::toInstant)
                    .orElse(null);
        } catch (KeystoreUnusableException ambiguous) { // messages to it are rejected, which the state shows
            return null;
        }
    }

    private static double days(@Nullable Instant end) {
        return end == null
                ? Double.NaN
                : Duration.between(Instant.now(), end).toSeconds()
                        / (double) Duration.ofDays(1).toSeconds();
    }
}
