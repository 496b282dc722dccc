/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.trust;

import java.time.Duration;
import java.util.Set;

/**
 * The sources of revocations, and the treatment of certificates whose state is unknown. Immutable.
 *
 * @param crl the source of revocation lists
 * @param ocsp the source of OCSP answers
 * @param failure the treatment of a certificate whose state is unknown
 * @param withoutSource the treatment of a certificate that names no source, if the home has none for its issuer either
 * @param hosts the hosts that Signet asks; empty for all but those of this machine and its link
 * @param timeout the most time of one question
 */
public record RevocationSettings(
        Source crl, Source ocsp, Failure failure, WithoutSource withoutSource, Set<String> hosts, Duration timeout) {
    /** The time of a question if no other is set. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    /** The settings of a home that sets none: files in {@code crl/} revoke, and no certificate needs one. */
    public static final RevocationSettings DEFAULT = new RevocationSettings(
            Source.FILES, Source.OFF, Failure.UNCHECKED, WithoutSource.ACCEPT, Set.of(), DEFAULT_TIMEOUT);

    /** Where lists or answers come from. */
    public enum Source {
        /** No source: none is used. */
        OFF,
        /** The files of the home. */
        FILES,
        /** The files of the home, and the addresses that certificates name. */
        FETCH
    }

    /** The treatment of a certificate whose state is unknown. */
    public enum Failure {
        /** It is rejected. */
        HARD,
        /** It is accepted, and the state of the home shows it. */
        SOFT,
        /** It is accepted, because no state is required. */
        UNCHECKED
    }

    /** The treatment of a certificate that names no source. */
    public enum WithoutSource {
        /** Its state is unknown. */
        REFUSE,
        /** Its issuer does not publish states, so none is required. */
        ACCEPT
    }

    public RevocationSettings {
        hosts = Set.copyOf(hosts);
    }

    /** Tells whether a certificate needs a known state. */
    public boolean isRequired() {
        return failure != Failure.UNCHECKED;
    }

    /** Tells whether anything is fetched. */
    public boolean isFetching() {
        return crl == Source.FETCH || ocsp == Source.FETCH;
    }
}
