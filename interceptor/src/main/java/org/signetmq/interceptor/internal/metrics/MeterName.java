/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.metrics;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The names of the meters. They have the prefix of the broker's own meters, because they stand in its registry and have
 * its tag: filters and dashboards for {@code artemis} include them.
 */
public enum MeterName {
    SEALED("Messages that the broker sealed"),
    SEALED_BYTES("Payload of the messages that the broker sealed", "bytes"),
    SEAL_TIME("Time to seal a message in memory, of one message in 64"),
    PASSED("Messages that passed unchanged"),
    REJECTED("Messages that the broker rejected"),
    UNJUDGED("Messages in clear that reached the storage before the broker asked the plugin"),
    KEYS_BEGUN("Data keys that messages began to use"),
    KEY_WAITS("Messages that waited for a data key because the pool was dry"),
    CERTIFICATE_DAYS("Days to the nearest end of a certificate", "days"),
    CERTIFICATES_UNKNOWN("Certificates in use of which it is not known whether they are revoked"),
    REVOCATIONS_FAILING("Addresses of revocation lists and OCSP responders that were of no use the last time"),
    POLICY_VERSION("Version of the policies in force"),
    POLICIES("Number of policies in force"),
    STATE("State of the plugin: 0 ready, 1 degraded, 2 failed");

    private static final String PREFIX = "artemis.signet.";

    private final String description;
    private final @Nullable String unit;

    MeterName(String description) {
        this(description, null);
    }

    MeterName(String description, @Nullable String unit) {
        this.description = description;
        this.unit = unit;
    }

    /** Returns the name of the meter. */
    public String text() {
        return PREFIX + name().toLowerCase(Locale.ROOT).replace('_', '.');
    }

    String description() {
        return description;
    }

    @Nullable
    String unit() {
        return unit;
    }
}
