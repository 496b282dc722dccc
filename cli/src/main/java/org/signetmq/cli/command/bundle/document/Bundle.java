/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle.document;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.PolicySet;

/**
 * What a consumer needs of a home.
 *
 * @param id a random identifier
 * @param created the time of the export; a later bundle takes the place of an earlier one
 * @param notAfter the time after which no consumer imports it
 * @param recipient the identity of the consumer, or null
 * @param addresses the addresses and patterns that were named
 * @param policies the policies that decide about these addresses
 * @param entries the certificates and revocation lists
 */
public record Bundle(
        String id,
        Instant created,
        Instant notAfter,
        @Nullable Consumer recipient,
        List<String> addresses,
        PolicySet policies,
        List<BundleEntry> entries) {
    public Bundle {
        addresses = List.copyOf(addresses);
        entries = List.copyOf(entries);
    }

    /**
     * The identity of a consumer.
     *
     * @param keyId the identifier of its key, in hex digits
     */
    public record Consumer(String name, String keyId) {}
}
