/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.signetmq.keystore.internal.ocsp.OcspKey;

/** The certificates of the last checks whose state was unknown. Thread-safe. */
final class UnknownStates {
    /** The most certificates that are kept. Each has a path to a trusted one. */
    static final int MOST = 200;

    /** The time for which a certificate counts. One in use is checked each minute. */
    private static final Duration COUNTS = Duration.ofMinutes(5);

    private record Unknown(String reason, Instant at) {}

    private final Clock clock;

    /** The certificates. Guarded by this. */
    private final Map<OcspKey, Unknown> certificates = new LinkedHashMap<>();

    private volatile boolean empty = true;

    UnknownStates(Clock clock) {
        this.clock = clock;
    }

    synchronized void add(OcspKey key, String reason) {
        forgetOld();
        if (certificates.size() < MOST || certificates.containsKey(key)) {
            certificates.put(key, new Unknown(reason, clock.instant()));
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
        certificates.values().removeIf(unknown -> unknown.at().plus(COUNTS).isBefore(now));
        empty = certificates.isEmpty();
    }
}
