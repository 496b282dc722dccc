/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import org.signetmq.keystore.KeystoreUnusableException;

/** Wraps data keys for all recipients of a policy. Thread-safe. */
public interface KeyWrapping extends AutoCloseable {
    /**
     * Wraps the key for all recipients, and returns the DER SET of their recipient infos.
     *
     * @throws KeystoreUnusableException if the key cannot be wrapped for a recipient
     */
    byte[] wrap(DataKey key);

    /** Wipes the keys of the wrapping. */
    @Override
    void close();
}
