/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.keys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.utils.FileUtil;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.epoch.PregenerationSettings;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.home.Pem;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.statistics.Interval;
import org.signetmq.perf.statistics.Sample;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;

/**
 * Compares a key in a token with a key of the same kind in a file, each also slowed down. One thread seals messages
 * under confidentiality with a data key for 32 of them, and opens each. The places take turns.
 */
final class TokenExperiment implements AutoCloseable {
    /** The value of the field {@code study} in each row. */
    static final String STUDY = "tokens";

    static final String FILE = "file";
    static final String TOKEN = "token";
    private static final Duration SLOW = Duration.ofMillis(5);
    private static final String ADDRESS = "orders";
    private static final String SLOWED = ", 5 ms";
    private static final int REUSE = 32;
    private static final int PAYLOAD_BYTES = 2048;

    private final Path folder = Files.createTempDirectory("signet-perf");
    private final Home home = new Home(folder);
    private final List<Place> places = new ArrayList<>();
    private final String kind;

    /**
     * A key that opens messages.
     *
     * @param operations counts the operations of the key
     * @param rates the messages of each run per second
     */
    private record Place(String name, Identity reader, LongAdder operations, List<Double> rates) {
        double median() {
            return new Sample(rates).median();
        }

        /** Returns the share of another place in each round. Both ran one after the other, on the same machine. */
        Sample shares(Place other) {
            return new Sample(IntStream.range(0, rates.size())
                    .mapToObj(round -> rates.get(round) / other.rates.get(round))
                    .toList());
        }
    }

    /** Prepares the comparison with the key of an identity that a token holds. */
    TokenExperiment(Identity token) throws IOException {
        PublicKey key = token.certificate().getPublicKey();
        kind = key instanceof RSAPublicKey rsa ? "rsa" + rsa.getModulus().bitLength() : "p256";
        KeyAlgorithm algorithm = key instanceof RSAPublicKey ? KeyAlgorithm.RSA_2048 : KeyAlgorithm.EC_P256;
        Identity file;
        try (Password password = Password.takeOwnershipOf("benchmark".toCharArray())) {
            file = home.identityStore().create(new IdentityRequest(FILE, "CN=" + FILE, algorithm, null), password);
        }
        Files.writeString(home.recipients().resolve(TOKEN + ".pem"), Pem.certificatePem(token));
        Identity named = new Identity(TOKEN, token.privateKey(), token.chain());
        Files.writeString(
                home.trust().resolve(TOKEN + ".pem"),
                Pem.certificatePem(token.chain().get(token.chain().size() - 1)));
        for (Identity reader : List.of(file, named)) {
            add(reader.name(), reader, Duration.ZERO);
            add(reader.name() + SLOWED, reader, SLOW);
        }
    }

    private void add(String place, Identity identity, Duration time) {
        SlowedKey key = new SlowedKey(identity.privateKey(), time, new LongAdder());
        places.add(new Place(
                place, new Identity(identity.name(), key, identity.chain()), key.operations(), new ArrayList<>()));
    }

    /**
     * Returns a row for each place.
     *
     * @param rounds the number of runs of each place
     * @param time the time of each run
     */
    List<Result> run(int rounds, Duration time) {
        for (Place place : places) {
            double unused = rate(place.reader(), time); // warm
            place.operations().reset();
        }
        for (int round = 0; round < rounds; round++) {
            for (Place place : places) {
                place.rates().add(rate(place.reader(), time));
            }
        }
        return places.stream().map(place -> row(place, time)).toList();
    }

    private Result row(Place place, Duration time) {
        Sample shares = place.shares(places.get(0));
        Interval interval = shares.interval();
        double seconds = time.toMillis() / 1000.0;
        double messages =
                place.rates().stream().mapToDouble(rate -> rate * seconds).sum();
        return row(kind, place.name(), place.median())
                .with("share_of_file", shares.median())
                .with("share_low", interval.low())
                .with("share_high", interval.high())
                .with("key_operations_per_message", place.operations().sum() / messages);
    }

    static Result row(String kind, String place, double rate) {
        return Result.EMPTY
                .with("study", STUDY)
                .with("keys", kind)
                .with("place", place)
                .with("messages_per_s", rate);
    }

    /** Returns how many messages are sealed and opened in a second. Nothing is remembered from earlier runs. */
    private double rate(Identity reader, Duration time) {
        PolicySet policies = PolicySet.of(
                1,
                UnmatchedAddress.PASS,
                List.of(Policy.confidentiality(
                        ADDRESS,
                        List.of(reader.name()),
                        new KeyLimits(REUSE, KeyLimits.MOST_BYTES, KeyLimits.DEFAULT_AGE))));
        EffectivePolicy policy = policies.find(ADDRESS).orElseThrow();
        ClearMessage.Body body = new ClearMessage.Body(BodyKind.JMS_BYTES, "application/octet-stream");
        ClearMessage message = new ClearMessage(ADDRESS, body, new byte[PAYLOAD_BYTES], "alice", Map.of());
        Opener.Keys opening = new Opener.Keys(List.of(reader), home.recipientDirectory(), home.certificateTrust());
        try (Sealer sealer = Sealer.create(
                        home.recipientDirectory(),
                        home.certificateTrust(),
                        Clock.systemUTC(),
                        PregenerationSettings.AUTO);
                Opener opener = Opener.create(opening, () -> policies)) {
            long start = System.nanoTime();
            long end = start + time.toNanos();
            long messages = 0;
            while (System.nanoTime() < end) {
                var unused = opener.open(sealer.seal(message, policy, reader), ADDRESS);
                messages++;
            }
            return messages / ((System.nanoTime() - start) / 1e9);
        }
    }

    @Override
    public void close() {
        FileUtil.deleteDirectory(folder.toFile());
    }
}
