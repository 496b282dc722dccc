/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.nio.ByteBuffer;

/** The payload of one message, and the memory for the envelope that replaces it. The sealer uses no other memory. */
public interface BodyReplacement {
    /** Returns the payload: the remaining bytes of a buffer with an array. Sealing does not change them. */
    ByteBuffer payload();

    /**
     * Returns the memory for an envelope of this length: the remaining bytes of a buffer with an array. The sealer
     * calls this method once, before it writes. The memory must not overlap the payload.
     */
    ByteBuffer memory(int length);
}
