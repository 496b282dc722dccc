/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import org.signetmq.envelope.internal.format.Limits;

/** The sizes of caches: keys and certificates of accepted messages, and bytes of certificates and recipient infos. */
public record CacheSizes(int keys, int certificates, long bytes) {
    /** The most bytes of one opener: certificates and recipient infos. */
    public static final long MOST_BYTES = (long) Limits.CERTIFICATES_KEPT + Limits.ALL_KNOWN_RECIPIENTS;
}
