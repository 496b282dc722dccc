/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.command.identity.RetireCommand.RetirementCheck;
import org.signetmq.cli.command.keys.HomeKeys;
import org.signetmq.cli.command.keys.KeyUses;
import org.signetmq.envelope.EnvelopeParties;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;

/** Whether messages need a key, by the names that a broker tells. */
final class RetirementCheckTest {
    private static final String UNKNOWN_KEY = "0123456789abcdef";
    private static final String STRANGER = "issuer-serial:" + "ab".repeat(32);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    private Home home() {
        return new Home(folder.resolve("home"));
    }

    private X509Certificate createAlice() {
        return create("alice");
    }

    private X509Certificate create(String name) {
        return home().identityStore()
                .create(
                        new IdentityRequest(name, "CN=" + name, KeyAlgorithm.EC_P256, null),
                        Password.takeOwnershipOf("a long password".toCharArray()))
                .certificate();
    }

    private RetirementCheck check(String keyId) throws IOException {
        return RetirementCheck.of("alice", keyId, HomeKeys.of(home()));
    }

    private static KeyUses uses(KeyUses.Key... keys) {
        return new KeyUses(
                true,
                Instant.EPOCH,
                new KeyUses.Totals(1, 2, 0, 0, 0, 0),
                List.of(),
                List.of(keys),
                new KeyUses.Count(0, null),
                List.of(),
                0);
    }

    private static KeyUses.Key key(String name, String role) {
        KeyUses.Count two = new KeyUses.Count(2, null);
        List<KeyUses.Row> queue = List.of(new KeyUses.Row("orders", "q", two));
        return new KeyUses.Key(name, role, List.of(), two, queue, 0);
    }

    @Test
    void keyWithoutCertificate_isNotProven_ifMessagesAreForAKeyThatTheHomeDoesNotKnow() throws IOException {
        RetirementCheck check = check(UNKNOWN_KEY);

        assertThat(check.reasons(uses(key(STRANGER, "recipient"))))
                .singleElement()
                .asString()
                .contains("not proven for 2 messages", "has no certificate of the key");
        assertThat(check.reasons(uses(key("ski:" + UNKNOWN_KEY + "0".repeat(24), "recipient"))))
                .containsExactly("address orders, queue q: 2 messages encrypted for it");
    }

    @Test
    void keyWithoutCertificate_isNotNeeded_ifAllMessagesAreForKnownKeys() throws IOException {
        X509Certificate alice = createAlice();
        RetirementCheck check = check(UNKNOWN_KEY);
        KeyUses.Key[] known = Stream.concat(
                        EnvelopeParties.namesOf(alice).stream().map(name -> key(name, "recipient")),
                        Stream.of(key(STRANGER, "signer")))
                .toArray(KeyUses.Key[]::new);

        assertThat(check.reasons(uses(known))).isEmpty();
    }

    @Test
    void keyWithCertificate_isNotNeeded_byMessagesForStrangers() throws IOException {
        X509Certificate alice = createAlice();
        RetirementCheck check = check(KeyIdentifier.ofKey(alice).toString());

        assertThat(check.reasons(uses(key(STRANGER, "recipient")))).isEmpty();
        assertThat(check.reasons(uses(key(EnvelopeParties.namesOf(alice).get(1), "recipient"))))
                .containsExactly("address orders, queue q: 2 messages encrypted for it");
    }

    /** With "require: both" the recipients of the inner envelope are not visible. */
    @Test
    void keyWithACompanion_mayBeNeeded_byMessagesForTheCompanion() throws IOException {
        X509Certificate alice = createAlice();
        String companion = EnvelopeParties.namesOf(create("alice.pq")).get(0);
        RetirementCheck check = check(KeyIdentifier.ofKey(alice).toString());

        assertThat(check.wanted()).contains(companion);
        assertThat(check.reasons(uses(key(companion, "recipient"))))
                .containsExactly("address orders, queue q: 2 messages encrypted for alice.pq, perhaps with it inside");
        assertThat(check.reasons(uses(key(companion, "signer")))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"signer", "sender"})
    void keyThatProvesASender_isNeeded_byItsConsumers(String role) throws IOException {
        X509Certificate alice = createAlice();
        String name = EnvelopeParties.namesOf(alice).get(0);

        assertThat(check(KeyIdentifier.ofKey(alice).toString()).reasons(uses(key(name, role))))
                .containsExactly("address orders, queue q: 2 messages "
                        + (role.equals("signer") ? "signed by it" : "sent by it"));
    }
}
