/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.cms.RecipientInfo;
import org.signetmq.envelope.internal.codec.OperationBudget;
import org.signetmq.envelope.internal.codec.PendingCacheEntries;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.open.DataKeyFinder;
import org.signetmq.envelope.internal.open.OpenedDataKey;
import org.signetmq.envelope.internal.recipient.RecipientInfoCache;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentitySource;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;

final class RecipientInfoCacheTest {
    @TempDir
    private Path folder;

    @Test
    void sameRecipientInfos_areFoundInAnArrayOfTheirOwn_othersAreNot() throws Exception {
        try (Parties parties = new Parties(folder)) {
            Identity bob = parties.identity("bob", KeyAlgorithm.EC_P256);
            Identity carol = parties.identity("carol", KeyAlgorithm.RSA_2048);
            PolicySet policies = Parties.policies(Policy.confidentiality(
                    Parties.ADDRESS, List.of("bob", "carol"), new KeyLimits(2, 1 << 20, KeyLimits.DEFAULT_AGE)));
            ClearMessage message = ClearMessage.of(Parties.ADDRESS, ClearMessage.Body.TEXT, new byte[10]);
            ParsedEnvelope.Encrypted first = parsed(parties.seal(message, policies, bob));
            ParsedEnvelope.Encrypted other = parsed(parties.seal(message, policies, bob));
            RecipientInfoCache known = new RecipientInfoCache();
            RecipientInfo entry = first.recipients().stream()
                    .filter(RecipientInfo.Transport.class::isInstance) // the one for RSA keys
                    .findFirst()
                    .orElseThrow();

            try (DataKeyFinder opening =
                    new DataKeyFinder(IdentitySource.of(List.of(carol)), CryptoProviders.standard())) {
                try (OpenedDataKey rejected = opening.find(first, known, new OperationBudget())) {
                    assertThat(rejected.key()).isNotNull();
                }
                accept(opening.find(first, known, new OperationBudget()));
                assertThat(known.find(first.recipientInfos())).isNull(); // may be a key for one message
                accept(opening.find(first, known, new OperationBudget()));
            }

            byte[] elsewhere =
                    DerWriter.concat(new byte[5], first.recipientInfos().copy());
            Slice found = Objects.requireNonNull(known.entries(new Slice(elsewhere, 5, elsewhere.length - 5)))
                    .get(0)
                    .whole();
            assertThat(found.copy()).isEqualTo(entry.whole().copy());
            assertThat(found.array()).isNotSameAs(entry.whole().array());
            assertThat(known.find(other.recipientInfos())).isNull();
            for (int i = 5; i < elsewhere.length; i++) {
                elsewhere[i] ^= 1;
                assertThat(known.find(new Slice(elsewhere, 5, elsewhere.length - 5)))
                        .isNull();
                elsewhere[i] ^= 1;
            }
            assertThat(known.find(new Slice(elsewhere, 5, 0))).isNull();
        }
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
