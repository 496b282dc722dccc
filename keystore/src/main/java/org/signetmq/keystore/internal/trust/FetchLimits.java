/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trust;

import java.time.Duration;

/** The limits of what Signet fetches and keeps. {@code docs/trust.md} has the same table. */
final class FetchLimits {
    /** The greatest length of a fetched list, in bytes. */
    static final int LIST_BYTES = RevocationList.MOST_BYTES;

    /** The greatest length of all fetched lists together, in bytes. */
    static final long ALL_LIST_BYTES = 64L << 20;

    /** The greatest length of an OCSP answer, in bytes. */
    static final int ANSWER_BYTES = OcspAnswer.MOST_BYTES;

    /** The most redirections of one question for a list. A question for an OCSP answer follows none. */
    static final int REDIRECTIONS = 3;

    /** The longest address, in characters. */
    static final int ADDRESS_LENGTH = 512;

    /** The most addresses of each kind that are read from one certificate. */
    static final int ADDRESSES = 3;

    /** The most addresses and certificates that are asked about. */
    static final int TARGETS = 1024;

    /** The time after which a target is forgotten that no message needed. */
    static final Duration UNUSED = Duration.ofDays(7);

    /** The least time between two questions to one target. */
    static final Duration LEAST_WAIT = Duration.ofMinutes(1);

    /** The most time between two questions to one target. */
    static final Duration MOST_WAIT = Duration.ofDays(1);

    /** The most time between two questions to a target that does not answer. */
    static final Duration MOST_RETRY = Duration.ofHours(1);

    /** The time after which a round asks no further target, so that new ones come to their turn. */
    static final Duration ROUND = Duration.ofMinutes(1);

    private FetchLimits() {}
}
