/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.recipient;

import org.signetmq.keystore.crypto.DataKey;

/** Recipients that share one RecipientInfo. Thread-safe. */
sealed interface RecipientGroup extends AutoCloseable permits RsaRecipient, EcRecipients {
    /** Wraps the data key and encodes its RecipientInfo (RFC 5652 section 6.2). */
    byte[] recipientInfo(DataKey key);

    @Override
    default void close() {} // a group without secrets
}
