/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import org.signetmq.envelope.internal.codec.Workspaces;
import org.signetmq.envelope.internal.format.Limits;

/**
 * How much is remembered of messages that were accepted.
 *
 * @param keys data keys and agreed keys
 * @param certificates of signers, parsed
 * @param bytes of the certificates and recipient infos among it
 */
public record Remembered(int keys, int certificates, long bytes) {
    /** The bytes for one opener: certificates, and recipient infos for each workspace. */
    public static final long MOST_BYTES =
            Limits.CERTIFICATES_KEPT + (long) Workspaces.PLACES * Limits.ALL_KNOWN_RECIPIENTS;
}
