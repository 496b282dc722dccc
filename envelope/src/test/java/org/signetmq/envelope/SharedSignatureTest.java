/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.PublicKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.HashList;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.SignatureSharing;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.testkit.Tier;

/** Messages that are sealed at the same time share signatures, and each opens alone. */
@Timeout(120) // a lost wake-up must not hang the build
final class SharedSignatureTest {
    private static final int THREADS = 24;
    private static final int EACH = Tier.rounds(100);

    private final Parties parties = new Parties();
    private final Identity alice = parties.identity("alice");
    private final Identity bob = parties.identity("bob");
    private final Sealer sealer = parties.sealer();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void close() throws InterruptedException {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        parties.close();
    }

    static Policy shared(QualityOfProtection quality, String... recipients) {
        return Parties.policy(quality, recipients)
                .with(new Policy.Signing(
                        SignatureAlgorithm.SHA_512,
                        List.of("alice"),
                        CertificateInclusion.REFERENCED,
                        List.of(),
                        SignatureSharing.SHARED));
    }

    /** Runs an action in all threads at once, and returns their results. */
    private <T> List<Future<T>> inAllThreads(Callable<T> action) throws InterruptedException {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<Callable<T>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            all.add(() -> {
                start.await();
                return action.call();
            });
        }
        return threads.invokeAll(all);
    }

    private static <T> List<T> results(List<Future<List<T>>> futures) throws Exception {
        List<T> all = new ArrayList<>();
        for (Future<List<T>> future : futures) {
            all.addAll(future.get());
        }
        return all;
    }

    @ParameterizedTest
    @EnumSource(names = {"INTEGRITY", "PRIVACY"})
    void messagesOfManyThreads_shareSignatures_eachOpensAlone(QualityOfProtection quality) throws Exception {
        EffectivePolicy policy = Parties.effective(shared(quality, "bob"));
        Identity signer = new Identity("alice", new Key(alice.privateKey(), 1), alice.chain());
        AtomicInteger number = new AtomicInteger();
        List<byte[]> envelopes = results(inAllThreads(() -> {
            List<byte[]> own = new ArrayList<>();
            for (int i = 0; i < EACH; i++) {
                byte[] payload = Integer.toString(number.getAndIncrement()).getBytes(UTF_8);
                own.add(sealer.seal(Parties.text(payload), policy, signer));
            }
            return own;
        }));

        Opener opener = parties.opener(List.of(bob), Parties.policies(policy.policy()));
        Set<String> payloads = new HashSet<>();
        for (byte[] envelope : envelopes) {
            OpenedMessage opened = opener.open(envelope, Parties.ADDRESS);
            payloads.add(new String(opened.payload(), UTF_8));
            assertThat(opened.signerCertificate()).isEqualTo(alice.certificate());
            assertThat(opened.quality()).isEqualTo(quality);
        }

        assertThat(payloads).hasSize(THREADS * EACH);
        if (quality == QualityOfProtection.INTEGRITY) {
            Map<String, Integer> shares = sharesOf(envelopes);
            assertThat(shares.size()).as("signatures").isLessThan(envelopes.size() / 2);
            assertThat(shares.values()).allMatch(messages -> messages <= HashList.MOST_WRITTEN);
        }
    }

    /** Returns the number of messages of each signature, and checks that it is what the list says. */
    private static Map<String, Integer> sharesOf(List<byte[]> envelopes) {
        Map<String, Integer> shares = new HashMap<>();
        Map<String, Integer> sizes = new HashMap<>();
        for (byte[] envelope : envelopes) {
            ParsedEnvelope.Signed signed = (ParsedEnvelope.Signed) EnvelopeParser.parse(Slice.of(envelope));
            String signature =
                    HexFormat.of().formatHex(signed.signer().signature().value());
            shares.merge(signature, 1, Integer::sum);
            HashList list = signed.list();
            sizes.put(signature, list == null ? 1 : list.size());
        }
        assertThat(shares).isEqualTo(sizes);
        return shares;
    }

    /** Both signatures cover one list, and the entity stands behind the last one. */
    @Test
    void signaturesOfBothKindsOfKeys_areSharedTogether() throws Exception {
        Identity both = new Identity("alice", new Key(alice.privateKey(), 1), alice.chain())
                .with(parties.identity("alice.pq", KeyAlgorithm.ML_DSA_65));
        Policy policy = shared(QualityOfProtection.INTEGRITY)
                .with(new Policy.Enforcement(
                        Policy.SignatureCheck.SIGNATURE, false, false, null, List.of(), Policy.RequiredKeys.BOTH));
        EffectivePolicy effective = Parties.effective(policy);
        byte[] payload = Parties.payload(5000);

        List<byte[]> envelopes = results(inAllThreads(() -> {
            List<byte[]> own = new ArrayList<>();
            for (int i = 0; i < EACH; i++) {
                own.add(sealer.seal(Parties.text(payload), effective, both));
            }
            return own;
        }));

        Opener opener = parties.opener(List.of(bob), Parties.policies(policy));
        for (byte[] envelope : envelopes) {
            assertThat(opener.open(envelope, Parties.ADDRESS).payload()).isEqualTo(payload);
            assertThat(parties.satisfies(envelope, policy)).isTrue();
            if (messages(envelope) > 1) {
                assertThat(Arrays.copyOfRange(envelope, envelope.length - payload.length, envelope.length))
                        .isEqualTo(payload);
            }
        }
        assertThat(sharesOf(envelopes).size()).as("signatures").isLessThan(envelopes.size() / 2);
    }

    @Test
    void messagesOfOneThread_haveSignaturesOfTheirOwn() {
        EffectivePolicy policy = Parties.effective(shared(QualityOfProtection.INTEGRITY));
        for (int i = 0; i < 100; i++) {
            byte[] envelope = sealer.seal(Parties.text(Parties.payload(10)), policy, alice);

            assertThat(messages(envelope)).isEqualTo(1);
        }
    }

    private static int messages(byte[] envelope) {
        return EnvelopeDescription.of(envelope)
                .signatureIfVisible()
                .orElseThrow()
                .messages();
    }

    @Test
    void sharedSignature_costsAtMost600Bytes() throws Exception {
        EffectivePolicy policy = Parties.effective(shared(QualityOfProtection.INTEGRITY));
        ClearMessage message = Parties.text(Parties.payload(2048));
        int alone = sealer.seal(message, policy, alice).length;

        List<byte[]> envelopes = results(inAllThreads(() -> {
            List<byte[]> own = new ArrayList<>();
            for (int i = 0; i < EACH; i++) {
                own.add(sealer.seal(message, policy, alice));
            }
            return own;
        }));

        // the length of an ECDSA signature varies by three bytes
        assertThat(envelopes).allMatch(envelope -> envelope.length <= alone + 600 + 3);
    }

    @Test
    void sameMessageAtTheSameTime_isInNoListTwice() throws Exception {
        EffectivePolicy policy = Parties.effective(shared(QualityOfProtection.INTEGRITY));
        ClearMessage message = new ClearMessage(
                Parties.ADDRESS, ClearMessage.Body.TEXT, new byte[64], null, Map.of(), sealer.newMessageId());

        List<byte[]> envelopes = results(inAllThreads(() -> {
            List<byte[]> own = new ArrayList<>();
            for (int i = 0; i < EACH; i++) {
                own.add(sealer.seal(message, policy, alice));
            }
            return own;
        }));

        Opener opener = parties.opener(List.of(bob), Parties.policies(policy.policy()));
        envelopes.forEach(envelope -> opener.open(envelope, Parties.ADDRESS));
    }

    /** A key that is as slow as that of a token, fails for interrupted threads, and for all on demand. */
    private static final class Key implements PrivateKeyOperations {
        private final PrivateKeyOperations key;
        private final int millis;
        private volatile @Nullable RuntimeException failure;

        Key(PrivateKeyOperations key, int millis) {
            this.key = key;
            this.millis = millis;
        }

        @Override
        public byte[] sign(SignatureScheme scheme, String digest, byte[] bytes) {
            RuntimeException failing = failure;
            if (failing != null) {
                throw failing;
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new KeystoreUnusableException("key service: interrupted");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
            return key.sign(scheme, digest, bytes);
        }

        @Override
        public byte @Nullable [] unwrap(KeyTransportPadding padding, byte[] wrapped) {
            return key.unwrap(padding, wrapped);
        }

        @Override
        public byte @Nullable [] agree(PublicKey other) {
            return key.agree(other);
        }
    }

    @Test
    void failingKey_failsEachMessageWithAnExceptionOfItsOwn() throws Exception {
        EffectivePolicy policy = Parties.effective(shared(QualityOfProtection.INTEGRITY));
        Key key = new Key(alice.privateKey(), 0);
        Identity signer = new Identity("alice", key, alice.chain());
        key.failure = new KeystoreUnusableException("token: it is gone; plug it in");

        List<Throwable> failures = results(inAllThreads(() -> {
            List<Throwable> own = new ArrayList<>();
            for (int i = 0; i < EACH; i++) {
                try {
                    byte[] unexpected = sealer.seal(Parties.text(new byte[8]), policy, signer);
                    throw new AssertionError("sealed: " + unexpected.length);
                } catch (KeystoreUnusableException failed) {
                    own.add(failed);
                }
            }
            return own;
        }));

        assertThat(failures).allSatisfy(failure -> assertThat(failure).hasMessage("token: it is gone; plug it in"));
        key.failure = null;
        assertThat(inAllThreads(() -> sealer.seal(Parties.text(new byte[8]), policy, signer)))
                .allSatisfy(envelope -> assertThat(envelope.get()).isNotEmpty());
    }

    @Test
    void otherFailureOfTheKey_isOneOfTheKey() throws Exception {
        EffectivePolicy policy = Parties.effective(shared(QualityOfProtection.INTEGRITY));
        Key key = new Key(alice.privateKey(), 0);
        Identity signer = new Identity("alice", key, alice.chain());
        key.failure = new IllegalStateException("broken");

        for (Future<byte[]> each : inAllThreads(() -> sealer.seal(Parties.text(new byte[8]), policy, signer))) {
            assertThatThrownBy(each::get)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOfAny(KeystoreUnusableException.class, IllegalStateException.class);
        }
    }

    @Test
    void interruptedThreads_sealAndStayInterrupted_othersSeal() throws Exception {
        EffectivePolicy policy = Parties.effective(shared(QualityOfProtection.INTEGRITY));
        Key key = new Key(alice.privateKey(), 0);
        Identity signer = new Identity("alice", key, alice.chain());
        AtomicInteger number = new AtomicInteger();

        List<Boolean> well = results(inAllThreads(() -> {
            boolean interrupted = number.getAndIncrement() % 2 == 0;
            List<Boolean> own = new ArrayList<>();
            for (int i = 0; i < EACH; i++) {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                try {
                    byte[] unused = sealer.seal(Parties.text(new byte[8]), policy, signer);
                } catch (KeystoreUnusableException failed) {
                    own.add(interrupted); // as without sharing: its own call failed
                }
                own.add(Thread.interrupted() == interrupted);
            }
            return own;
        }));

        assertThat(well).containsOnly(true);
    }

    @Test
    void closedWhileMessagesWait_eachEndsSealedOrRefused() throws Exception {
        EffectivePolicy policy = Parties.effective(shared(QualityOfProtection.PRIVACY, "bob"));
        AtomicInteger number = new AtomicInteger();

        List<Future<byte[]>> all = inAllThreads(() -> {
            byte[] last = {};
            try {
                for (int i = 0; i < EACH; i++) {
                    if (number.getAndIncrement() == THREADS * EACH / 2) {
                        sealer.close();
                    }
                    last = sealer.seal(Parties.text(new byte[8]), policy, alice);
                }
            } catch (IllegalStateException closed) {
                return last;
            }
            return last; // this thread was faster
        });

        Opener opener = parties.opener(List.of(bob), Parties.policies(policy.policy()));
        for (Future<byte[]> each : all) {
            byte[] last = each.get();
            if (last.length > 0) {
                assertThat(opener.open(last, Parties.ADDRESS).payload()).hasSize(8);
            }
        }
    }
}
