/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import org.signetmq.keystore.KeystoreUnusableException;

/** Wraps data keys for all recipients of a policy. Thread-safe. */
public interface KeyWrapping extends AutoCloseable {
    /**
     * The recipient infos for this key, as they go into the envelope.
     *
     * @throws KeystoreUnusableException if it cannot be wrapped for one of them
     */
    byte[] wrap(DataKey key);

    /** Wipes its keys. */
    @Override
    void close();
}
