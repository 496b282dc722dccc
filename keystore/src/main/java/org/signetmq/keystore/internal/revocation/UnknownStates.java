/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;

/** The certificates of the last checks whose state was unknown. Thread-safe. */
final class UnknownStates {
    /** About the most certificates that are kept. Each has a path to a trusted one. */
    static final int MOST = 200;

    /** The time for which a certificate counts. One in use is checked each minute. */
    private static final Duration COUNTS = Duration.ofMinutes(5);

    private record Unknown(Issued issued, String reason, Instant at) {}

    private final Clock clock;
    private final Map<Issued.Id, Unknown> certificates = new ConcurrentHashMap<>();

    UnknownStates(Clock clock) {
        this.clock = clock;
    }

    void add(Issued issued, String reason) {
        forgetOld();
        Issued.Id id = issued.id();
        if (certificates.size() < MOST || certificates.containsKey(id)) {
            certificates.put(id, new Unknown(issued, reason, clock.instant()));
        }
    }

    void remove(Issued issued) {
        if (!certificates.isEmpty()) { // before the key is computed
            certificates.remove(issued.id());
        }
    }

    /**
     * Removes the certificates whose state is known now. Otherwise they would stay until a message needs them or five
     * minutes pass.
     */
    void removeKnown(BiPredicate<Issued, Instant> isKnown) {
        certificates.values().removeIf(unknown -> isKnown.test(unknown.issued(), clock.instant()));
    }

    void clear() {
        certificates.clear();
    }

    /** Returns the reasons, the oldest first. */
    List<String> list() {
        forgetOld();
        return certificates.values().stream()
                .sorted(Comparator.comparing(Unknown::at))
                .map(Unknown::reason)
                .toList();
    }

    /** Forgets checks that were long before, or seem to come because the clock was ahead. */
    private void forgetOld() {
        Instant now = clock.instant();
        certificates
                .values()
                .removeIf(unknown -> Duration.between(unknown.at(), now).abs().compareTo(COUNTS) > 0);
    }
}
