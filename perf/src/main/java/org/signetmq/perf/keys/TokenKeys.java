/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.keys.PregenerationSettings;
import org.signetmq.perf.pair.Load;
import org.signetmq.perf.pair.Setting;
import org.signetmq.perf.result.Row;
import org.signetmq.perf.run.Contender;
import org.signetmq.perf.run.Runner;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;

/**
 * Compares a key in a token with a key of the same kind in a file, each also slowed down to 5 ms an operation. One
 * thread seals messages under confidentiality with a data key for 32 of them, and opens each.
 */
public final class TokenKeys implements AutoCloseable {
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
        KeyAlgorithm algorithm = kind.algorithm();
        try (Password password = Password.takeOwnershipOf("benchmark".toCharArray())) {
            file = home.identityStore().create(new IdentityRequest("file", "CN=file", algorithm, null), password);
        }
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
                    List.of(Setting.confidentiality(kind).policy(ADDRESS, List.of(reader.name()))));
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
     * A private key that takes at least a given time for each operation, as a slow token does. It counts operations.
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
