/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.trust;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The sources of revocations and their state at one time. Immutable.
 *
 * @param settings the settings in force
 * @param settingsProblem the reason why the changed {@code trust.json} cannot be used; null if it can
 * @param sources the addresses that are asked, those with a problem first; at most 200
 * @param unknown the certificates in use whose state is unknown, with the reason; at most 200
 */
public record RevocationReport(
        RevocationSettings settings,
        @Nullable String settingsProblem,
        List<SourceState> sources,
        List<String> unknown) {
    /** The report of trust that fetches nothing. */
    public static final RevocationReport NONE =
            new RevocationReport(RevocationSettings.DEFAULT, null, List.of(), List.of());

    /**
     * The state of one address.
     *
     * @param address the address, in printable ASCII
     * @param end the end of the time for which its list or answer is right; null if there is none
     * @param failure the reason why it was of no use the last time; null if it was
     */
    public record SourceState(
            String address, @Nullable Instant end, @Nullable String failure) {
        /** Returns the end of the time for which its list or answer is right. */
        public Optional<Instant> until() {
            return Optional.ofNullable(end);
        }

        /** Returns the problem of the last question. */
        public Optional<String> problem() {
            return Optional.ofNullable(failure);
        }
    }

    public RevocationReport {
        sources = List.copyOf(sources);
        unknown = List.copyOf(unknown);
    }

    /** Returns the problem of {@code trust.json}. */
    public Optional<String> problem() {
        return Optional.ofNullable(settingsProblem);
    }

    /** Returns this report with a problem of the settings. */
    public RevocationReport with(@Nullable String problem) {
        return new RevocationReport(settings, problem, sources, unknown);
    }
}
