/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.message;

/** How a payload travels inside its envelope. Who opens a message gets it as it was. */
public enum PayloadEncoding {
    /** As it is. */
    NONE,
    /** Deflated (RFC 1950), whole: for messages that came compressed and have no room otherwise. */
    DEFLATE
}
