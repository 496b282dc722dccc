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
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/**
 * The data-key core of Kroxylicious record encryption, of 2025: AES-256-GCM under a key service in memory. Its proxy,
 * record format and caches are not part of it.
 */
final class KroxyliciousPeer implements Peer<KroxyliciousPeer.Message> {
    record Message(InMemoryEdek wrappedKey, ByteBuffer nonce, ByteBuffer ciphertext) {}

    /** The number of messages that the filter itself seals with one key by default. */
    private static final long DEFAULT_USES = 5_000_000;
    /** The key service in memory keeps every key that it ever made; a new one starts without them. */
    private static final int KEYS_PER_SERVICE = 10_000;

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;

    private final int uses;
    private final BooleanSupplier newKey;
    private final BooleanSupplier newService = Peers.everyTime(KEYS_PER_SERVICE);
    private final ByteBuffer nonce = ByteBuffer.allocate(NONCE_BYTES);
    private final Map<InMemoryEdek, Dek<InMemoryEdek>.Decryptor> opened = new HashMap<>();
    private ByteBuffer output = ByteBuffer.allocate(0);
    private ByteBuffer clear = ByteBuffer.allocate(0);
    private Service service;
    private Dek<InMemoryEdek>.Encryptor encryptor;

    private record Service(DekManager<UUID, InMemoryEdek> keys, UUID master) {
        static Service start(int uses) {
            UnitTestingKmsService service = UnitTestingKmsService.newInstance();
            service.initialize(new UnitTestingKmsService.Config());
            InMemoryKms kms = service.buildKms();
            return new Service(new DekManager<>(kms, uses), kms.generateKey());
        }

        Dek<InMemoryEdek>.Encryptor newKey(int uses) {
            return now(keys.generateDek(master, Aes.AES_256_GCM_128)).encryptor(uses);
        }
    }

    KroxyliciousPeer(long reuse) {
        uses = (int) Math.min(reuse, DEFAULT_USES);
        newKey = Peers.everyTime(uses);
        service = Service.start(uses);
        encryptor = service.newKey(uses);
    }

    @Override
    public Message seal(byte[] payload) {
        if (newKey.getAsBoolean()) {
            encryptor.close();
            service = newService.getAsBoolean() ? Service.start(uses) : service;
            encryptor = service.newKey(uses);
        }
        if (output.capacity() < payload.length + TAG_BYTES) {
            output = ByteBuffer.allocate(payload.length + TAG_BYTES);
        }
        nonce.clear();
        output.clear();
        encryptor.generateParameters(size -> nonce);
        encryptor.encrypt(ByteBuffer.wrap(payload), null, size -> output);
        return new Message(encryptor.edek(), nonce, output);
    }

    @Override
    public Message kept(Message sealed) {
        return new Message(sealed.wrappedKey(), Peers.copy(sealed.nonce()), Peers.copy(sealed.ciphertext()));
    }

    @Override
    public byte[] open(Message sealed) {
        if (clear.capacity() < sealed.ciphertext().remaining()) {
            clear = ByteBuffer.allocate(sealed.ciphertext().remaining() - TAG_BYTES);
        }
        clear.clear();
        opened.computeIfAbsent(sealed.wrappedKey(), this::unwrap)
                .decrypt(sealed.ciphertext().duplicate(), null, sealed.nonce().duplicate(), clear);
        return clear.array();
    }

    private Dek<InMemoryEdek>.Decryptor unwrap(InMemoryEdek wrapped) {
        return now(service.keys().decryptEdek(wrapped, Aes.AES_256_GCM_128)).decryptor();
    }

    private static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
