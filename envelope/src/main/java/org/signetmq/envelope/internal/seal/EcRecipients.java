/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.seal;

import static org.signetmq.envelope.internal.der.DerReader.BIT_STRING;
import static org.signetmq.envelope.internal.der.DerReader.INTEGER;
import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.constructed;
import static org.signetmq.envelope.internal.der.DerWriter.element;

import java.security.PublicKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.cms.RecipientInfo;
import org.signetmq.envelope.internal.cms.SenderKey;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.DataKey;
import org.signetmq.keystore.keys.EcAgreement;
import org.signetmq.keystore.keys.KeyEncryptionKey;

/**
 * Recipients with keys on one elliptic curve, which share one KeyAgreeRecipientInfo (RFC 5753 section 3.1.1). One key
 * agreement serves many data keys, so a fresh data key costs only AES key wraps. The agreement ends by age, by number
 * of data keys, or with the policy.
 */
final class EcRecipients implements RecipientWrapping.Group {
    /** The most data keys under one agreement: far below the bounds of AES key wrap. */
    static final int MOST_DATA_KEYS = 1 << 16;

    private static final byte[] VERSION_3 = {INTEGER, 1, 3};
    private static final byte[] KEY_ENCRYPTION = element(SEQUENCE, Oids.ECDH_SHA256_KDF, Oids.AES_256_WRAP);

    private final List<PublicKey> keys;
    private final List<byte[]> identifiers;
    private final @Nullable Identity sender;
    private final long ageNanos;
    private final LongSupplier nanoTime;
    private final CryptoProviders providers;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private @Nullable Epoch current;
    private int dataKeys; // under the current agreement
    private boolean closed;

    /** One agreement, with the constant part of its RecipientInfo. */
    private record Epoch(EcAgreement agreement, byte[] head, long since) {}

    /** Creates the group. The sender agrees with its own key, or with ephemeral ones if it is null. */
    EcRecipients(
            List<Recipient> recipients,
            @Nullable Identity sender,
            Duration age,
            LongSupplier nanoTime,
            CryptoProviders providers) {
        this.keys = recipients.stream()
                .map(recipient -> recipient.certificate().getPublicKey())
                .toList();
        this.identifiers = recipients.stream()
                .map(recipient -> element(
                        constructed(0),
                        element(OCTET_STRING, recipient.keyIdentifier().bytes())))
                .toList();
        this.sender = sender;
        this.ageNanos = TimeUnit.NANOSECONDS.convert(age); // saturates for ages of centuries
        this.nanoTime = nanoTime;
        this.providers = providers;
    }

    @Override
    public byte[] recipientInfo(DataKey key) {
        Epoch epoch = enter();
        try {
            List<KeyEncryptionKey> agreed = epoch.agreement().keys();
            byte[][] entries = new byte[agreed.size()][];
            for (int i = 0; i < entries.length; i++) {
                byte[] wrapped = element(OCTET_STRING, agreed.get(i).wrap(key));
                entries[i] = element(SEQUENCE, identifiers.get(i), wrapped);
            }
            return element(constructed(1), epoch.head(), element(SEQUENCE, entries));
        } finally {
            epoch.agreement().release();
        }
    }

    private Epoch enter() {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("recipients: used after close");
            }
            Epoch epoch = current;
            if (epoch == null || dataKeys >= MOST_DATA_KEYS || nanoTime.getAsLong() - epoch.since() >= ageNanos) {
                epoch = agree();
            }
            dataKeys++;
            if (!epoch.agreement().acquire()) {
                throw new IllegalStateException("key agreement: ended while in use");
            }
            return epoch;
        } finally {
            lock.unlock();
        }
    }

    private Epoch agree() {
        byte[] material = sender == null ? new byte[0] : material(sender);
        byte[] sharedInfo = RecipientInfo.sharedInfo(material);
        EcAgreement agreement = sender == null
                ? EcAgreement.with(keys, sharedInfo, providers)
                : EcAgreement.of(sender, keys, sharedInfo, providers);
        if (current != null) {
            current.agreement().close();
        }
        current = new Epoch(agreement, head(agreement.originator(), material), nanoTime.getAsLong());
        dataKeys = 0;
        return current;
    }

    private byte[] material(Identity identity) {
        byte[] random = new byte[SenderKey.RANDOM_BYTES];
        providers.random().nextBytes(random);
        return SenderKey.of(identity.certificate()).material(random);
    }

    private static byte[] head(PublicKey originator, byte[] material) {
        byte[] point = SubjectPublicKeyInfo.getInstance(originator.getEncoded())
                .getPublicKeyData()
                .getBytes();
        byte[] noUnusedBits = {0};
        byte[] originatorKey = element(constructed(1), Oids.EC_WITHOUT_CURVE, element(BIT_STRING, noUnusedBits, point));
        return DerWriter.concat(
                VERSION_3, element(constructed(0), originatorKey), SenderKey.field(material), KEY_ENCRYPTION);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (current != null) {
                current.agreement().close();
                current = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
