/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import io.kroxylicious.filter.encryption.dek.Aes;
import io.kroxylicious.filter.encryption.dek.Dek;
import io.kroxylicious.filter.encryption.dek.DekManager;
import io.kroxylicious.kms.provider.kroxylicious.inmemory.InMemoryEdek;
import io.kroxylicious.kms.provider.kroxylicious.inmemory.InMemoryKms;
import io.kroxylicious.kms.provider.kroxylicious.inmemory.UnitTestingKmsService;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The data-key core of Kroxylicious record encryption, of 2025: AES-256-GCM under a key service in memory. Its proxy,
 * record format and caches are not part of it.
 *
 * @param keys the service
 * @param master its key that wraps data keys
 */
record KroxyliciousPeer(DekManager<UUID, InMemoryEdek> keys, UUID master) {
    record Message(InMemoryEdek wrappedKey, ByteBuffer nonce, ByteBuffer ciphertext) {}

    /** The number of messages that the filter itself seals with one key by default. */
    private static final long DEFAULT_USES = 5_000_000;
    /** The key service in memory keeps every key that it ever made; a new one starts without them. */
    private static final int KEYS_PER_SERVICE = 10_000;

    static Peer<Message> reusing(long reuse, Supplier<ByteBuffer> outputs) throws Exception {
        int uses = (int) Math.min(reuse, DEFAULT_USES);
        Callable<KroxyliciousPeer> services = Peer.renewing(KEYS_PER_SERVICE, () -> started(uses));
        Callable<Dek<InMemoryEdek>.Encryptor> encryptors =
                Peer.renewing(uses, () -> services.call().newKey().encryptor(uses));
        Map<InMemoryEdek, Dek<InMemoryEdek>.Decryptor> opened = new HashMap<>();
        ByteBuffer clear = ByteBuffer.allocate(Peer.CAPACITY);
        return new Peer<>(
                payload -> {
                    Dek<InMemoryEdek>.Encryptor encryptor = encryptors.call();
                    ByteBuffer output = outputs.get();
                    ByteBuffer nonce = encryptor.generateParameters(size -> output.slice(0, size));
                    ByteBuffer ciphertext = encryptor.encrypt(
                            ByteBuffer.wrap(payload), null, size -> output.slice(nonce.limit(), size));
                    return new Message(encryptor.edek(), nonce, ciphertext);
                },
                message -> {
                    Dek<InMemoryEdek>.Decryptor decryptor = opened.get(message.wrappedKey());
                    if (decryptor == null) {
                        decryptor =
                                services.call().unwrapped(message.wrappedKey()).decryptor();
                        opened.put(message.wrappedKey(), decryptor);
                    }
                    ByteBuffer ciphertext = message.ciphertext().duplicate();
                    decryptor.decrypt(ciphertext, null, message.nonce().duplicate(), clear.clear());
                    return clear.array();
                });
    }

    private static KroxyliciousPeer started(int uses) {
        UnitTestingKmsService service = UnitTestingKmsService.newInstance();
        service.initialize(new UnitTestingKmsService.Config());
        InMemoryKms kms = service.buildKms();
        return new KroxyliciousPeer(new DekManager<>(kms, uses), kms.generateKey());
    }

    private Dek<InMemoryEdek> newKey() {
        return now(keys.generateDek(master, Aes.AES_256_GCM_128));
    }

    private Dek<InMemoryEdek> unwrapped(InMemoryEdek wrapped) {
        return now(keys.decryptEdek(wrapped, Aes.AES_256_GCM_128));
    }

    private static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
