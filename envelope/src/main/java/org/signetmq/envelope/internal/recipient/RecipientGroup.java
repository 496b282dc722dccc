/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.recipient;

import java.util.List;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.keystore.crypto.DataKey;

/** Recipients whose keys are wrapped together. Thread-safe. */
sealed interface RecipientGroup extends AutoCloseable permits RsaRecipient, EcRecipients {
    /** One RecipientInfo (RFC 5652 section 6.2), encoded. */
    byte[] recipientInfo(DataKey key);

    /** How long {@link #recipientInfo} is. */
    int size();

    @Override
    void close();

    /** The SET OF RecipientInfo for a data key. */
    static byte[] recipientInfos(List<RecipientGroup> groups, DataKey key) {
        byte[][] infos = new byte[groups.size()][];
        for (int i = 0; i < infos.length; i++) {
            infos[i] = groups.get(i).recipientInfo(key);
        }
        return DerWriter.setOf(DerReader.SET, infos);
    }
}
