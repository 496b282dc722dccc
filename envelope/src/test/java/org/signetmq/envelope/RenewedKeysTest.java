/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.signetmq.envelope.exception.NotARecipientException;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRenewal;
import org.signetmq.keystore.IdentityRenewal.NextKey;
import org.signetmq.keystore.IdentitySource;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;

/** Opens and checks messages for an identity with three keys, of which two are former ones. */
final class RenewedKeysTest {
    private static final Policy POLICY = Policy.confidentiality(Parties.ADDRESS, List.of("alice"), KeyLimits.DEFAULT);
    private static final PolicySet POLICIES = Parties.policies(POLICY);

    @RegisterExtension
    static Parties parties = new Parties();

    private static byte[] forFirst = {};
    private static byte[] forSecond = {};
    private static byte[] forThird = {};
    private static List<Identity> keys = List.of();

    @BeforeAll
    static void renewTwice() {
        parties.identity("alice");
        forFirst = seal("first");
        renew(KeyAlgorithm.RSA_2048);
        forSecond = seal("second");
        renew(KeyAlgorithm.EC_P384);
        forThird = seal("third");
        try (Password password = password()) {
            keys = parties.home.identityStore().loadAll("alice", password).all();
        }
    }

    private static byte[] seal(String text) {
        Identity signer = parties.identity("bob");
        return parties.seal(Parties.text(text.getBytes(UTF_8)), POLICY, signer);
    }

    private static void renew(KeyAlgorithm algorithm) {
        IdentityStore store = parties.home.identityStore();
        try (Password password = password()) {
            assertThat(store.renew(
                                    new IdentityRenewal(
                                            "alice",
                                            new NextKey.New(algorithm),
                                            null,
                                            IdentityRenewal.DEFAULT_VALIDITY),
                                    password)
                            .chain())
                    .hasSize(1);
        }
    }

    private static Password password() {
        return Password.takeOwnershipOf("test-password".toCharArray());
    }

    @Test
    void allKeys_openAll_eachByItsOwn() {
        Opener opener = parties.opener(keys, POLICIES);

        assertThat(text(opener, forFirst)).isEqualTo("first");
        assertThat(text(opener, forSecond)).isEqualTo("second");
        assertThat(text(opener, forThird)).isEqualTo("third");
        assertThat(opener.unwraps()).as("no other key was tried").isEqualTo(3);
    }

    @Test
    void keyThatComesLater_opensAtOnce_andOnlyAMissAsksForIt() {
        List<Identity> held = new ArrayList<>(keys.subList(0, 1));
        AtomicInteger misses = new AtomicInteger();
        try (Opener opener = Opener.create(
                new Opener.Keys(
                        source(held, misses), parties.home.recipientDirectory(), parties.home.certificateTrust()),
                () -> POLICIES)) {
            assertThat(text(opener, forThird)).isEqualTo("third");
            assertThat(misses).hasValue(0);
            assertThatThrownBy(() -> text(opener, forFirst))
                    .isInstanceOf(NotARecipientException.class)
                    .hasMessageEndingWith("[alice]");
            assertThat(misses).hasValue(1);

            held.addAll(keys.subList(1, 3));

            assertThat(text(opener, forFirst)).isEqualTo("first");
            assertThat(misses).hasValue(2);
            assertThat(text(opener, forSecond)).isEqualTo("second");
            assertThat(text(opener, forThird)).isEqualTo("third");
            assertThat(misses).hasValue(2);
            assertThat(opener.unwraps())
                    .as("keys that stay keep their cached data keys")
                    .isEqualTo(3);
        }
    }

    /** Has the keys of the list at the last miss. */
    private static IdentitySource source(List<Identity> held, AtomicInteger misses) {
        return new IdentitySource() {
            private List<Identity> current = List.copyOf(held);

            @Override
            public List<Identity> current() {
                return current;
            }

            @Override
            public List<Identity> afterMiss() {
                misses.incrementAndGet();
                if (!current.equals(held)) {
                    current = List.copyOf(held);
                }
                return current;
            }
        };
    }

    private static String text(Opener opener, byte[] envelope) {
        return new String(opener.open(envelope, Parties.ADDRESS).payload(), UTF_8);
    }

    @Test
    void messageForAFormerKey_satisfiesThePolicy() {
        assertThat(parties.satisfies(forFirst, POLICY)).isTrue();
        assertThat(parties.satisfies(forSecond, POLICY)).isTrue();
        assertThat(parties.satisfies(forThird, POLICY)).isTrue();
        assertThat(parties.satisfies(forOneMore(), POLICY)).as("for bob, too").isFalse();
    }

    private static byte[] forOneMore() {
        Policy both = Parties.policy(QualityOfProtection.CONFIDENTIALITY, "alice", "bob");
        return parties.seal(Parties.text(new byte[1]), both, parties.identity("bob"));
    }
}
