/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.security.KeyPair;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.pulsar.client.api.CryptoKeyReader;
import org.apache.pulsar.client.api.EncryptionKeyInfo;
import org.apache.pulsar.client.impl.crypto.MessageCryptoBc;
import org.apache.pulsar.common.api.proto.MessageMetadata;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;

/** Apache Pulsar's end-to-end encryption: RSA-2048 OAEP with SHA-1 and AES-256-GCM, not signed. */
final class PulsarPeer implements Peer<PulsarPeer.Message> {
    record Message(MessageMetadata metadata, ByteBuffer ciphertext) {}

    private static final Set<String> KEY_NAMES = Set.of("recipient");

    private final MessageCryptoBc producer = new MessageCryptoBc("producer", true);
    private final MessageCryptoBc consumer = new MessageCryptoBc("consumer", false);
    private final CryptoKeyReader reader;
    private final BooleanSupplier newKey;
    private ByteBuffer output = ByteBuffer.allocate(0);
    private ByteBuffer clear = ByteBuffer.allocate(0);
    private long sequence;

    PulsarPeer(long reuse) throws Exception {
        KeyPair pair = Peers.rsaKeys();
        reader = new Keys(pem(pair.getPublic()), pem(pair.getPrivate()));
        newKey = Peers.everyTime(reuse);
    }

    private static byte[] pem(Key key) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(key);
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public Message seal(byte[] payload) throws Exception {
        if (newKey.getAsBoolean()) {
            producer.addPublicKeyCipher(KEY_NAMES, reader);
        }
        int length = producer.getMaxOutputSize(payload.length);
        if (output.capacity() < length) {
            output = ByteBuffer.allocate(length); // its producer takes pooled buffers too
        }
        output.clear();
        MessageMetadata metadata = new MessageMetadata()
                .setProducerName("producer")
                .setSequenceId(sequence++)
                .setPublishTime(sequence);
        producer.encrypt(KEY_NAMES, reader, () -> metadata, ByteBuffer.wrap(payload), output);
        return new Message(metadata, output);
    }

    @Override
    public Message kept(Message sealed) {
        return new Message(sealed.metadata(), Peers.copy(sealed.ciphertext()));
    }

    @Override
    public byte[] open(Message sealed) {
        int length = consumer.getMaxOutputSize(sealed.ciphertext().remaining());
        if (clear.capacity() < length) {
            clear = ByteBuffer.allocate(length);
        }
        clear.clear();
        if (!consumer.decrypt(sealed::metadata, sealed.ciphertext().duplicate(), clear, reader)) {
            throw new IllegalStateException("pulsar: not decrypted");
        }
        return clear.array();
    }

    /** Keys in memory; Pulsar's own reader would read files. */
    private record Keys(byte[] publicKey, byte[] privateKey) implements CryptoKeyReader {
        private static final long serialVersionUID = 1;

        @Override
        public EncryptionKeyInfo getPublicKey(String name, Map<String, String> metadata) {
            return new EncryptionKeyInfo(publicKey, metadata);
        }

        @Override
        public EncryptionKeyInfo getPrivateKey(String name, Map<String, String> metadata) {
            return new EncryptionKeyInfo(privateKey, metadata);
        }
    }
}
