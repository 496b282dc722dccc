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

    /** The remedy for certificates of unknown state. */
    public static final String LIST_REMEDY =
            "put a new list of the issuer into crl/ with signet trust add, or an OCSP answer into ocsp/";

    /**
     * Returns the remedy for a certificate that cannot be used.
     *
     * @param problem the text of its rejection, or one that ends with it
     * @param otherwise the remedy if its state is not unknown
     */
    public String remedy(String problem, String otherwise) {
        return unknown.stream().anyMatch(problem::endsWith) ? LIST_REMEDY : otherwise;
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
