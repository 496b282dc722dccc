/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.message;

/** The encoding of a payload inside its envelope. Opening a message decodes it. */
public enum PayloadEncoding {
    /** No encoding. */
    NONE,
    /** The whole payload deflated (RFC 1950), for messages that came compressed and would otherwise be too large. */
    DEFLATE
}
