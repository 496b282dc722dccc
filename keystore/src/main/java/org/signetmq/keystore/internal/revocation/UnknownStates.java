/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.signetmq.keystore.internal.crl.Issued;
import org.signetmq.keystore.internal.ocsp.OcspKey;

/** The certificates of the last checks whose state was unknown. Thread-safe. */
final class UnknownStates {
    /** The most certificates that are kept. Each has a path to a trusted one. */
    static final int MOST = 200;

    /** The time for which a certificate counts. One in use is checked each minute. */
    private static final Duration COUNTS = Duration.ofMinutes(5);

    private record Unknown(Issued issued, String reason, Instant at) {
        /** Tells whether the check was long before, or seems to come because the clock was ahead. */
        boolean isOld(Instant now) {
            return Duration.between(at, now).abs().compareTo(COUNTS) > 0;
        }
    }

    private final Clock clock;

    /** The certificates. Guarded by this. */
    private final Map<OcspKey, Unknown> certificates = new LinkedHashMap<>();

    private volatile boolean empty = true;

    UnknownStates(Clock clock) {
        this.clock = clock;
    }

    synchronized void add(Issued issued, String reason) {
        OcspKey key = OcspKey.of(issued);
        forgetOld();
        if (certificates.size() < MOST || certificates.containsKey(key)) {
            certificates.put(key, new Unknown(issued, reason, clock.instant()));
            empty = false;
        }
    }

    void remove(OcspKey key) {
        if (!empty) {
            synchronized (this) {
                certificates.remove(key);
                empty = certificates.isEmpty();
            }
        }
    }

    /**
     * Removes the certificates whose state is known now. Otherwise they would stay until a message needs them or five
     * minutes pass.
     */
    void removeKnown(BiPredicate<Issued, Instant> isKnown) {
        if (!empty) {
            Instant now = clock.instant();
            copy().stream() // verifying takes time, so it needs no lock
                    .filter(unknown -> isKnown.test(unknown.issued(), now))
                    .forEach(unknown -> remove(OcspKey.of(unknown.issued())));
        }
    }

    private synchronized List<Unknown> copy() {
        return List.copyOf(certificates.values());
    }

    synchronized void clear() {
        certificates.clear();
        empty = true;
    }

    synchronized List<String> list() {
        forgetOld();
        return certificates.values().stream().map(Unknown::reason).toList();
    }

    private void forgetOld() {
        Instant now = clock.instant();
        certificates.values().removeIf(unknown -> unknown.isOld(now));
        empty = certificates.isEmpty();
    }
}
