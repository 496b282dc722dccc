/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.recipient;

import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.DataKey;
import org.signetmq.keystore.keys.KeyTransport;
import org.signetmq.keystore.keys.KeyWrapping;

/** Wraps data keys for all recipients of a policy. Thread-safe. */
public final class RecipientWrapping implements KeyWrapping {
    private final List<Group> groups;

    private RecipientWrapping(List<Group> groups) {
        this.groups = groups;
    }

    /** Returns a wrapping for these recipients. Its key agreements end at this age. */
    public static RecipientWrapping of(
            List<Recipient> recipients, Duration age, LongSupplier nanoTime, CryptoProviders providers) {
        List<Group> groups = new ArrayList<>();
        Map<Integer, List<Recipient>> byCurve = new LinkedHashMap<>();
        for (Recipient recipient : recipients) {
            PublicKey key = recipient.certificate().getPublicKey();
            if (key instanceof RSAPublicKey rsa) {
                groups.add(new RsaRecipient(recipient, rsa, new KeyTransport(providers)));
            } else if (key instanceof ECPublicKey ec) {
                byCurve.computeIfAbsent(ec.getParams().getCurve().getField().getFieldSize(), size -> new ArrayList<>())
                        .add(recipient);
            } else {
                throw new KeystoreUnusableException("recipient '" + recipient.name() + "': its " + key.getAlgorithm()
                        + " key can sign but not receive; use an RSA or EC key");
            }
        }
        byCurve.values().forEach(sameCurve -> groups.add(new EcRecipients(sameCurve, age, nanoTime, providers)));
        return new RecipientWrapping(List.copyOf(groups));
    }

    @Override
    public byte[] wrap(DataKey key) {
        byte[][] infos = new byte[groups.size()][];
        for (int i = 0; i < infos.length; i++) {
            infos[i] = groups.get(i).recipientInfo(key);
        }
        return DerWriter.element(DerReader.SET, DerWriter.sorted(infos));
    }

    @Override
    public void close() {
        groups.forEach(Group::close);
    }

    /** Recipients that share one RecipientInfo. Thread-safe. */
    interface Group extends AutoCloseable {
        /** Wraps the data key and encodes its RecipientInfo (RFC 5652 section 6.2). */
        byte[] recipientInfo(DataKey key);

        @Override
        default void close() {} // a group without secrets
    }
}
