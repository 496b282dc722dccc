/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import static org.signetmq.perf.result.Bar.atLeast;
import static org.signetmq.perf.result.Bar.atMost;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.activemq.artemis.utils.FileUtil;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.DataKey;
import org.signetmq.keystore.keys.KeyEpochs;
import org.signetmq.keystore.keys.KeyEpochs.EpochLimits;
import org.signetmq.keystore.keys.KeyLease;
import org.signetmq.keystore.keys.KeyTransport;
import org.signetmq.keystore.keys.KeyWrapping;
import org.signetmq.keystore.keys.OpenedKeys;
import org.signetmq.keystore.keys.PregenerationSettings;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.keystore.token.TokenKeyStore;
import org.signetmq.keystore.token.TokenUri;
import org.signetmq.perf.experiment.Operation.ProducerAndRecipients;
import org.signetmq.perf.pair.Load;
import org.signetmq.perf.pair.Setting;
import org.signetmq.perf.process.Runner;
import org.signetmq.perf.process.Runner.Contender;
import org.signetmq.perf.result.Pick;
import org.signetmq.perf.result.Row;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;

/** What remembering opened keys saves, and what keys in tokens cost. The mailbox shows keys made ahead of need. */
public final class KeysExperiment {
    private KeysExperiment() {}

    /** Returns the experiment; with tokens, these URIs name the keys that it compares instead. */
    public static Experiment of(List<String> tokens) {
        Pick unwraps = Pick.of("unwraps", "setting", "cache of 1024", "clients", 241);
        Pick p256 = Pick.of("share", "part", "tokens p256", "setting", "token");
        Pick rsa2048 = Pick.of("share", "part", "tokens rsa2048", "setting", "token");
        return new Experiment(
                "keys",
                "Data keys that are remembered, and keys in tokens",
                "",
                runner -> {
                    if (tokens.isEmpty()) {
                        UnwrapCount.measure(runner);
                    }
                    for (String token : tokens) {
                        try (TokenKeys keys = new TokenKeys(
                                TokenKeyStore.shared(TokenUri.parse(token)).load("token"))) {
                            keys.measure(runner);
                        }
                    }
                },
                List.of(
                        atMost(1.05 / 32, "keys unwrapped for a message of 241 producers", unwraps),
                        atLeast(0.9, "key in a token / in a file, p256", p256),
                        atLeast(0.9, "key in a token / in a file, rsa2048", rsa2048)),
                List.of(),
                null);
    }

    /**
     * Counts unwrapped keys. One consumer opens messages of several producers by turns. Each producer uses a key 32
     * times.
     */
    public static final class UnwrapCount {
        private static final CryptoProviders PROVIDERS = CryptoProviders.standard();
        private static final int REUSE = 32;
        private static final List<Integer> PRODUCERS = List.of(1, 4, 16, 64, 241);
        private static final List<Integer> CACHES = List.of(1, 64, 1024);
        private static final EpochLimits LIMITS = new EpochLimits(REUSE, Long.MAX_VALUE, Duration.ofHours(1));

        private final KeyTransport transport = new KeyTransport(PROVIDERS);
        private final SoftwareKey own;
        private final KeyWrapping wrapping;

        UnwrapCount() throws GeneralSecurityException {
            KeyPair consumer = CryptoProviders.generate(KeyAlgorithm.RSA_2048, PROVIDERS.random());
            own = new SoftwareKey(consumer.getPrivate(), PROVIDERS);
            wrapping = new KeyWrapping() {
                @Override
                public byte[] wrap(DataKey key) {
                    return transport.wrap(consumer.getPublic(), key);
                }

                @Override
                public void close() {} // nothing to wipe
            };
        }

        /** Counts for each size of the cache and number of producers. */
        public static void measure(Runner runner) throws GeneralSecurityException {
            UnwrapCount count = new UnwrapCount();
            for (int cache : CACHES) {
                for (int producers : PRODUCERS) {
                    runner.add(Row.of("part", "unwraps")
                            .with("setting", "cache of " + cache)
                            .with("clients", producers)
                            .with("unwraps", count.perMessage(producers, cache)));
                }
            }
        }

        /** Returns the unwraps per message: 1/32 if each key is unwrapped once. */
        double perMessage(int producers, int cache) {
            List<KeyEpochs> epochs = Stream.generate(() -> new KeyEpochs(wrapping, LIMITS, System::nanoTime, PROVIDERS))
                    .limit(producers)
                    .toList();
            try (OpenedKeys<ByteBuffer, DataKey> opened =
                    new OpenedKeys<>(cache, Duration.ofHours(1).toNanos(), System::nanoTime)) {
                for (int i = 0; i < REUSE; i++) {
                    epochs.forEach(producer -> exchange(producer, opened));
                }
                return (double) opened.unwraps() / (REUSE * producers);
            } finally {
                epochs.forEach(KeyEpochs::close);
            }
        }

        private void exchange(KeyEpochs producer, OpenedKeys<ByteBuffer, DataKey> opened) {
            try (KeyLease use = Objects.requireNonNull(producer.next(1))) {
                byte[] wrapped = use.wrapped();
                try (OpenedKeys.Lease<DataKey> lease = Objects.requireNonNull(opened.get(
                        ByteBuffer.wrap(wrapped),
                        () -> transport.unwrap(own, KeyTransportPadding.OAEP_SHA_256, wrapped)))) {
                    lease.accept(); // the message that came with it is right
                }
            }
        }
    }

    /**
     * Compares a key in a token with a key of the same kind in a file, each also slowed down to 5 ms an operation. One
     * thread seals messages under confidentiality with a data key for 32 of them, and opens each.
     */
    public static final class TokenKeys implements AutoCloseable {
        private static final Duration SLOW = Duration.ofMillis(5);
        private static final String ADDRESS = "orders";

        private final Path folder = Files.createTempDirectory("signet-perf");
        private final Home home = new Home(folder);
        private final Setting.KeyKind kind;
        private final Identity file;
        private final Identity token;

        /** Prepares the comparison with the key of an identity that a token holds: RSA-2048 or P-256. */
        public TokenKeys(Identity identity) throws IOException {
            PublicKey key = identity.certificate().getPublicKey();
            kind = key instanceof RSAPublicKey ? Setting.KeyKind.RSA2048 : Setting.KeyKind.P256;
            file = ProducerAndRecipients.identity(home, "file", kind).get(0);
            token = new Identity("token", identity.privateKey(), identity.chain());
            Files.writeString(home.recipients().resolve("token.pem"), Pem.certificatePem(identity));
            Files.writeString(
                    home.trust().resolve("token.pem"),
                    Pem.certificatePem(identity.chain().get(identity.chain().size() - 1)));
        }

        /** Compares all. */
        public void measure(Runner runner) throws InterruptedException {
            long millis = runner.isQuick() ? 200 : 500;
            List<Place> places = Stream.of(file, token)
                    .flatMap(reader -> Stream.of(Duration.ZERO, SLOW).map(time -> new Place(reader, time, millis)))
                    .toList();
            for (Row row : runner.turns(Row.of("part", "tokens " + kind.label()), places, runner.isQuick() ? 5 : 20)) {
                runner.add(row);
            }
        }

        /** A key that opens messages. Nothing is remembered from earlier blocks. */
        private final class Place implements Contender {
            private final String name;
            private final Identity reader;
            private final long millis;
            private final LongAdder operations = new LongAdder();

            Place(Identity identity, Duration time, long millis) {
                name = identity.name() + (time.isZero() ? "" : " 5 ms");
                reader = new Identity(
                        identity.name(), new SlowedKey(identity.privateKey(), time, operations), identity.chain());
                this.millis = millis;
            }

            @Override
            public String name() {
                return name;
            }

            @Override
            public void prepare() {
                block(); // warms up
            }

            @Override
            public Row block() {
                PolicySet policies = PolicySet.of(
                        1,
                        UnmatchedAddress.PASS,
                        List.of(Setting.confidentiality(kind).policy(ADDRESS, List.of(reader.name()), reader.name())));
                EffectivePolicy policy = policies.find(ADDRESS).orElseThrow();
                ClearMessage message = ClearMessage.of(ADDRESS, ClearMessage.Body.BYTES, Load.payload(Load.USUAL_SIZE));
                Opener.Keys keys = new Opener.Keys(List.of(reader), home.recipientDirectory(), home.certificateTrust());
                operations.reset();
                try (Sealer sealer = Sealer.create(
                                home.recipientDirectory(),
                                home.certificateTrust(),
                                Clock.systemUTC(),
                                PregenerationSettings.of(Map.of()));
                        Opener opener = Opener.create(keys, () -> policies)) {
                    long start = System.nanoTime();
                    long end = start + millis * 1_000_000;
                    long messages = 0;
                    while (System.nanoTime() < end) {
                        var unused = opener.open(sealer.seal(message, policy, reader), ADDRESS);
                        messages++;
                    }
                    return Row.of("rate", messages / ((System.nanoTime() - start) / 1e9))
                            .with("key_operations", (double) operations.sum() / messages);
                }
            }
        }

        /**
         * A private key that takes at least a given time for each operation, as a slow token does. It counts
         * operations.
         */
        private record SlowedKey(PrivateKeyOperations key, Duration time, LongAdder operations)
                implements PrivateKeyOperations {
            @Override
            public byte[] sign(SignatureScheme scheme, String digest, byte[] bytes) {
                return slowed(() -> key.sign(scheme, digest, bytes));
            }

            @Override
            public byte @Nullable [] unwrap(KeyTransportPadding padding, byte[] wrapped) {
                return slowed(() -> key.unwrap(padding, wrapped));
            }

            @Override
            public byte @Nullable [] agree(PublicKey other) {
                return slowed(() -> key.agree(other));
            }

            private <T extends @Nullable Object> T slowed(Supplier<T> operation) {
                operations.increment();
                long end = System.nanoTime() + time.toNanos();
                T result = operation.get();
                for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                return result;
            }
        }

        @Override
        public void close() {
            FileUtil.deleteDirectory(folder.toFile());
        }
    }
}
