/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.seal;

import static org.signetmq.envelope.internal.der.DerReader.INTEGER;
import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.constructed;
import static org.signetmq.envelope.internal.der.DerReader.primitive;
import static org.signetmq.envelope.internal.der.DerWriter.element;

import java.security.PublicKey;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.cms.RecipientInfo;
import org.signetmq.envelope.internal.cms.RecipientInfoParser;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.DataKey;
import org.signetmq.keystore.keys.KeyEncapsulation;
import org.signetmq.keystore.keys.KeyEncryptionKey;
import org.signetmq.keystore.keys.KeyEncryptionKey.KeyWrapCiphers;

/**
 * A recipient with an ML-KEM key: KEMRecipientInfo (RFC 9629, RFC 9936). One encapsulated secret serves many data keys,
 * within the limits of an EC agreement.
 */
final class KemRecipient implements RecipientWrapping.Group {
    private static final byte[] VERSION_0 = {INTEGER, 1, 0};

    private final PublicKey key;
    private final byte[] beforeCiphertext;
    private final long ageNanos;
    private final LongSupplier nanoTime;
    private final CryptoProviders providers;
    private final KeyWrapCiphers ciphers;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private @Nullable KeyEncryptionKey current;
    private byte[] head = {};
    private long since;
    private int dataKeys; // under the current secret
    private boolean closed;

    KemRecipient(
            Recipient recipient,
            KeyAlgorithm algorithm,
            Duration age,
            LongSupplier nanoTime,
            CryptoProviders providers) {
        this.key = recipient.certificate().getPublicKey();
        this.beforeCiphertext = DerWriter.concat(
                VERSION_0,
                element(primitive(0), recipient.keyIdentifier().bytes()),
                algorithm == KeyAlgorithm.ML_KEM_768 ? Oids.ML_KEM_768 : Oids.ML_KEM_1024);
        this.ageNanos = TimeUnit.NANOSECONDS.convert(age); // saturates for ages of centuries
        this.nanoTime = nanoTime;
        this.providers = providers;
        this.ciphers = new KeyWrapCiphers(providers);
    }

    @Override
    public byte[] recipientInfo(DataKey dataKey) {
        lock.lock();
        try {
            KeyEncryptionKey wrapping = current;
            if (wrapping == null
                    || dataKeys >= EcRecipients.MOST_DATA_KEYS
                    || nanoTime.getAsLong() - since >= ageNanos) {
                wrapping = encapsulate();
            }
            dataKeys++;
            byte[] wrapped = element(OCTET_STRING, wrapping.wrap(dataKey));
            return element(constructed(4), Oids.KEM_RECIPIENT, element(SEQUENCE, head, wrapped));
        } finally {
            lock.unlock();
        }
    }

    private KeyEncryptionKey encapsulate() {
        if (closed) {
            throw new IllegalStateException("recipient: used after close");
        }
        KeyEncapsulation made = KeyEncapsulation.to(key, providers);
        forget();
        KeyEncryptionKey next =
                KeyEncryptionKey.expand(made.secret(), RecipientInfo.kemOtherInfo(new byte[0]), ciphers);
        head = DerWriter.concat(
                beforeCiphertext,
                element(OCTET_STRING, made.ciphertext()),
                Oids.HKDF_SHA_256,
                RecipientInfoParser.KEK_LENGTH,
                Oids.AES_256_WRAP);
        since = nanoTime.getAsLong();
        dataKeys = 0;
        current = next;
        return next;
    }

    private void forget() {
        if (current != null) {
            current.close();
            current = null;
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            forget();
            ciphers.close();
        } finally {
            lock.unlock();
        }
    }
}
