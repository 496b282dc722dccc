/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.metrics;

import java.util.Locale;

/**
 * The names of the meters. They have the prefix of the broker's own meters, because they stand in its registry and have
 * its tag: filters and dashboards for {@code artemis} include them.
 */
public enum MeterName {
    SEALED,
    SEALED_BYTES,
    SEAL_TIME,
    PASSED,
    REJECTED,
    UNJUDGED,
    KEYS_BEGUN,
    KEY_WAITS,
    CERTIFICATE_DAYS,
    CERTIFICATES_UNKNOWN,
    REVOCATIONS_FAILING,
    POLICY_VERSION,
    POLICIES,
    STATE;

    private static final String PREFIX = "artemis.signet.";

    /** Returns the name of the meter. */
    public String text() {
        return PREFIX + name().toLowerCase(Locale.ROOT).replace('_', '.');
    }
}
