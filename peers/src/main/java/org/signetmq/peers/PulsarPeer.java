/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.security.KeyPair;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.pulsar.client.api.CryptoKeyReader;
import org.apache.pulsar.client.api.EncryptionKeyInfo;
import org.apache.pulsar.client.impl.crypto.MessageCryptoBc;
import org.apache.pulsar.common.api.proto.MessageMetadata;

/**
 * The keys of Apache Pulsar's end-to-end encryption, in memory: RSA-2048 OAEP with SHA-1 and AES-256-GCM, not signed.
 * Pulsar's own reader would read files.
 */
record PulsarPeer(byte[] publicKey, byte[] privateKey) implements CryptoKeyReader {
    private static final long serialVersionUID = 1;
    private static final Set<String> KEY_NAMES = Set.of("recipient");

    record Message(MessageMetadata metadata, ByteBuffer ciphertext) {}

    static Peer<Message> reusing(long reuse, Supplier<ByteBuffer> outputs) throws Exception {
        KeyPair pair = Peer.rsaKeys();
        CryptoKeyReader keys = new PulsarPeer(pem("PUBLIC", pair.getPublic()), pem("PRIVATE", pair.getPrivate()));
        MessageCryptoBc producer = new MessageCryptoBc("producer", true);
        MessageCryptoBc consumer = new MessageCryptoBc("consumer", false);
        Callable<MessageCryptoBc> withKey = Peer.renewing(reuse, () -> {
            producer.addPublicKeyCipher(KEY_NAMES, keys);
            return producer;
        });
        ByteBuffer clear = ByteBuffer.allocate(Peer.CAPACITY);
        AtomicLong sequence = new AtomicLong();
        return new Peer<>(
                payload -> {
                    long number = sequence.getAndIncrement();
                    MessageMetadata metadata = new MessageMetadata()
                            .setProducerName("producer")
                            .setSequenceId(number)
                            .setPublishTime(number);
                    ByteBuffer output = outputs.get();
                    withKey.call().encrypt(KEY_NAMES, keys, () -> metadata, ByteBuffer.wrap(payload), output);
                    return new Message(metadata, output);
                },
                message -> {
                    ByteBuffer ciphertext = message.ciphertext().duplicate();
                    if (!consumer.decrypt(message::metadata, ciphertext, clear.clear(), keys)) {
                        throw new IllegalStateException("pulsar: not decrypted");
                    }
                    return clear.array();
                });
    }

    private static byte[] pem(String kind, Key key) {
        String base64 = Base64.getMimeEncoder().encodeToString(key.getEncoded());
        return "-----BEGIN %1$s KEY-----%n%2$s%n-----END %1$s KEY-----%n"
                .formatted(kind, base64)
                .getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public EncryptionKeyInfo getPublicKey(String name, Map<String, String> metadata) {
        return new EncryptionKeyInfo(publicKey, metadata);
    }

    @Override
    public EncryptionKeyInfo getPrivateKey(String name, Map<String, String> metadata) {
        return new EncryptionKeyInfo(privateKey, metadata);
    }
}
