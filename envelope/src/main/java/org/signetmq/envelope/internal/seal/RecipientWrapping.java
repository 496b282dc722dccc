/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.seal;

import static org.signetmq.envelope.internal.der.DerReader.INTEGER;
import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.primitive;
import static org.signetmq.envelope.internal.der.DerWriter.element;

import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.DataKey;
import org.signetmq.keystore.keys.KeyTransport;
import org.signetmq.keystore.keys.KeyWrapping;
import org.signetmq.keystore.trust.Certificates;

/** Wraps data keys for all recipients of a policy. Thread-safe. */
public final class RecipientWrapping implements KeyWrapping {
    private final List<Group> groups;

    private RecipientWrapping(List<Group> groups) {
        this.groups = groups;
    }

    /**
     * Returns a wrapping for these recipients. Its key agreements end at this age.
     *
     * @param sender agrees with its own key; null for ephemeral keys
     * @throws KeystoreUnusableException if a key cannot receive, or not from this sender
     */
    public static RecipientWrapping of(
            List<Recipient> recipients,
            @Nullable Identity sender,
            Duration age,
            LongSupplier nanoTime,
            CryptoProviders providers) {
        if (sender != null) {
            requireOneCurve(sender, recipients);
        }
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
                KeyAlgorithm algorithm = KeyAlgorithm.postQuantum(key)
                        .filter(KeyAlgorithm::isMlKem)
                        .orElseThrow(() -> new KeystoreUnusableException("recipient '" + recipient.name() + "': its "
                                + key.getAlgorithm() + " key can sign but not receive; use an RSA, EC or ML-KEM key"));
                groups.add(new KemRecipient(recipient, algorithm, age, nanoTime, providers));
            }
        }
        byCurve.values()
                .forEach(sameCurve -> groups.add(new EcRecipients(sameCurve, sender, age, nanoTime, providers)));
        return new RecipientWrapping(List.copyOf(groups));
    }

    private static void requireOneCurve(Identity sender, List<Recipient> recipients) {
        List<Recipient> parties = new ArrayList<>(recipients);
        parties.add(0, new Recipient(sender.name(), sender.certificate()));
        Certificates.problemWithAgreement(parties).ifPresent(problem -> {
            throw new KeystoreUnusableException("sender '" + sender.name() + "': " + problem);
        });
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

    /**
     * A recipient with an RSA key: KeyTransRecipientInfo with RSAES-OAEP-SHA-256 (RFC 5652 section 6.2.1, RFC 4056).
     */
    private static final class RsaRecipient implements RecipientWrapping.Group {
        private static final byte[] VERSION_2 = {INTEGER, 1, 2};

        private final PublicKey key;
        private final KeyTransport transport;
        private final byte[] head;

        RsaRecipient(Recipient recipient, RSAPublicKey key, KeyTransport transport) {
            this.transport = transport;
            this.key = transport.converted(key);
            byte[] identifier = element(primitive(0), recipient.keyIdentifier().bytes());
            this.head = DerWriter.concat(VERSION_2, identifier, Oids.OAEP_SHA_256);
        }

        @Override
        public byte[] recipientInfo(DataKey dataKey) {
            return element(SEQUENCE, head, element(OCTET_STRING, transport.wrap(key, dataKey)));
        }
    }
}
