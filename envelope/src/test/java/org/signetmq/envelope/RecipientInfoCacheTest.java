/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.cms.RecipientInfoCache;
import org.signetmq.envelope.internal.codec.OperationBudget;
import org.signetmq.envelope.internal.codec.PendingCacheEntries;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.open.DataKeyFinder;
import org.signetmq.envelope.internal.open.DataKeyFinder.OpenedDataKey;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentitySource;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.testkit.Tier;

final class RecipientInfoCacheTest {
    @RegisterExtension
    static Parties parties = new Parties();

    @Test
    void sameRecipientInfos_areFoundInAnArrayOfTheirOwn_andNotParsedAgain_othersAreNot() throws Exception {
        Identity bob = parties.identity("bob");
        Identity carol = parties.identity("carol", KeyAlgorithm.RSA_2048);
        PolicySet policies = Parties.policies(Policy.confidentiality(
                Parties.ADDRESS, List.of("bob", "carol"), new KeyLimits(2, 1 << 20, KeyLimits.DEFAULT_AGE)));
        ClearMessage message = Parties.text(new byte[10]);
        byte[] envelope = parties.seal(message, policies, bob);
        ParsedEnvelope.Encrypted first = parsed(envelope);
        ParsedEnvelope.Encrypted other = parsed(parties.seal(message, policies, bob));
        RecipientInfoCache known;
        try (DataKeyFinder opening = new DataKeyFinder(IdentitySource.of(List.of(carol)), CryptoProviders.standard())) {
            known = opening.known();
            try (OpenedDataKey rejected = opening.find(first, new OperationBudget())) {
                assertThat(rejected.key()).isNotNull();
            }
            assertThat(known.find(first.recipientInfos())).isNull();
            accept(opening.find(first, new OperationBudget()));
        }

        byte[] elsewhere = DerWriter.concat(new byte[5], first.recipientInfos().copy());
        RecipientInfoCache.Known found =
                Objects.requireNonNull(known.find(new Slice(elsewhere, 5, elsewhere.length - 5)));
        assertThat(found.encoded()).isEqualTo(first.recipientInfos().copy());
        assertThat(found.legacy()).isEmpty();
        for (ParsedEnvelope parsed : List.of(
                EnvelopeParser.parse(Slice.of(envelope), known),
                EnvelopeParser.parseInPlace(Slice.of(envelope.clone()), known))) {
            ParsedEnvelope.Encrypted encrypted = (ParsedEnvelope.Encrypted) parsed;
            assertThat(encrypted.recipients()).isSameAs(found.legacy());
            assertThat(encrypted.known()).isSameAs(found);
            assertThat(encrypted.withAllRecipients().recipients()).hasSize(2);
        }
        assertThat(known.find(other.recipientInfos())).isNull();
        for (int i = 5; i < elsewhere.length; i++) {
            elsewhere[i] ^= 1;
            assertThat(known.find(new Slice(elsewhere, 5, elsewhere.length - 5)))
                    .isNull();
            elsewhere[i] ^= 1;
        }
        assertThat(known.find(new Slice(elsewhere, 5, 0))).isNull();
    }

    @Test
    void newIdentity_ofTheSameMessages_opensThemAfterTheOldOneIsGone() throws Exception {
        Identity before = parties.identity("before");
        Identity after = parties.identity("after");
        byte[] envelope = new Sealing(parties, List.of("before", "after"), 2).seal();
        ChangingIdentities identities = new ChangingIdentities(before);
        try (DataKeyFinder opening = new DataKeyFinder(identities, CryptoProviders.standard())) {
            for (int i = 0; i < 3; i++) {
                accept(opening.find(parsed(envelope, opening), new OperationBudget()));
            }
            assertThat(parsed(envelope, opening).known()).isNotNull();
            identities.set(after);

            // for a second the cache uses the key of the old identity again, and then it looks for one anew
            await().pollInterval(Duration.ofMillis(20)).until(() -> {
                accept(opening.find(parsed(envelope, opening), new OperationBudget()));
                return opening.unwraps() > 1;
            });
            accept(opening.find(parsed(envelope, opening), new OperationBudget()));
            assertThat(opening.unwraps()).isEqualTo(2);
        }
    }

    @Tag(Tier.LONG)
    @Test
    void threadsThatRememberAtOnce_exceedNoLimitAndLoseNoByte() throws Exception {
        int threads = 8;
        List<String> recipients = parties.several(KeyAlgorithm.EC_P256, 60); // some 7 KB
        List<Identity> own = List.of(parties.identity(recipients.get(0), KeyAlgorithm.EC_P256));
        try (DataKeyFinder opening = new DataKeyFinder(IdentitySource.of(own), CryptoProviders.standard())) {
            Sealing sealing = new Sealing(parties, recipients, 1);
            Callable<Void> work = () -> {
                for (int i = 0; i < 100; i++) {
                    open(sealing.seal(), opening);
                }
                return null;
            };
            ExecutorService pool = Executors.newFixedThreadPool(threads);
            try {
                for (Future<Void> one : pool.invokeAll(Collections.nCopies(threads, work))) {
                    one.get();
                }
            } finally {
                pool.shutdown();
            }
            RecipientInfoCache known = opening.known();
            assertThat(known.bytes()).isNotNegative().isLessThanOrEqualTo(Limits.ALL_KNOWN_RECIPIENTS);

            int before;
            do { // until the limit removes all
                before = known.bytes();
                open(sealing.seal(), opening);
            } while (known.bytes() >= before);
            assertThat(known.bytes()).isZero();
        }
    }

    private static void open(byte[] envelope, DataKeyFinder opening) {
        accept(opening.find(parsed(envelope, opening), new OperationBudget()));
    }

    /** Seals short messages with confidentiality. */
    private static final class Sealing {
        private final Sealer sealer;
        private final EffectivePolicy policy;
        private final Identity signer;

        Sealing(Parties parties, List<String> recipients, int reuse) {
            PolicySet policies = Parties.policies(Policy.confidentiality(
                    Parties.ADDRESS, recipients, new KeyLimits(reuse, 1 << 20, KeyLimits.DEFAULT_AGE)));
            this.sealer = parties.sealer();
            this.policy = policies.find(Parties.ADDRESS).orElseThrow();
            this.signer = parties.identity("signer");
        }

        byte[] seal() {
            return sealer.seal(Parties.text(new byte[10]), policy, signer);
        }
    }

    private static final class ChangingIdentities implements IdentitySource {
        private volatile List<Identity> current;

        ChangingIdentities(Identity first) {
            current = List.of(first);
        }

        void set(Identity only) {
            current = List.of(only);
        }

        @Override
        public List<Identity> current() {
            return current;
        }

        @Override
        public List<Identity> afterMiss() {
            return current;
        }
    }

    private static ParsedEnvelope.Encrypted parsed(byte[] envelope, DataKeyFinder opening) {
        return (ParsedEnvelope.Encrypted) EnvelopeParser.parse(Slice.of(envelope), opening.known());
    }

    private static void accept(OpenedDataKey key) {
        try (key) {
            key.accept(PendingCacheEntries.ACCEPTED);
        }
    }

    private static ParsedEnvelope.Encrypted parsed(byte[] envelope) {
        return (ParsedEnvelope.Encrypted) EnvelopeParser.parse(Slice.of(envelope));
    }
}
