/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.TemporaryQueue;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.activemq.artemis.jms.client.ActiveMQDestination;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.message.Entity;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.QualityOfProtection;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RepliesTest {
    private static final EffectivePolicy POLICY =
            new EffectivePolicy(Policy.privacy("orders.#", List.of("alice", "bob")), 3);
    private static final TemporaryQueue TEMPORARY =
            (TemporaryQueue) ActiveMQDestination.fromPrefixedName("temp-queue://any");

    private final Replies replies = new Replies();
    private Home home;

    @BeforeAll
    void makeHome(@TempDir Path folder) {
        home = new Home(folder);
    }

    private Identity identity(String name, KeyAlgorithm algorithm) {
        try (Password password = Password.takeOwnershipOf("a good password".toCharArray())) {
            return home.identityStore().create(new IdentityRequest(name, "CN=" + name, algorithm, null), password);
        }
    }

    private static Entity request(String certificate) {
        return new Entity(
                "text/plain",
                "0".repeat(32),
                "orders.eu",
                "jms/text",
                new Entity.Attribution(null, null),
                null,
                Map.of(Replies.CERTIFICATE, certificate),
                new byte[0]);
    }

    @Test
    void request_givesItsReplyOneRecipient_andTheSignersOfItsOwnRecipients() {
        Identity carol = identity("carol", KeyAlgorithm.EC_P256);
        replies.requested("one", request(Replies.certificate(List.of(carol))), POLICY);

        Policy policy = Objects.requireNonNull(replies.policyOf("one")).policy();

        assertThat(policy.quality()).isEqualTo(QualityOfProtection.PRIVACY);
        assertThat(policy.signing().signers()).containsExactly("alice", "bob");
        assertThat(policy.encryption().recipients())
                .singleElement()
                .satisfies(name -> assertThat(replies.directory(home.recipientDirectory())
                                .find(name)
                                .orElseThrow()
                                .certificate())
                        .isEqualTo(carol.certificate()));
        assertThat(replies.policyOf("other")).isNull();
    }

    @Test
    void secondCertificateForADestination_countsNothing() {
        replies.requested("two", request(Replies.certificate(List.of(identity("dave", KeyAlgorithm.EC_P256)))), POLICY);
        EffectivePolicy first = replies.policyOf("two");
        replies.requested("two", request(Replies.certificate(List.of(identity("erin", KeyAlgorithm.EC_P256)))), POLICY);

        assertThat(replies.policyOf("two")).isEqualTo(first);
    }

    @Test
    void certificateThatIsNone_isMalformed() {
        for (String text : List.of("no base64!", "AAAA", "")) {
            assertThatThrownBy(() -> replies.requested("three", request(text), POLICY))
                    .isInstanceOf(MalformedEnvelopeException.class)
                    .hasMessageContaining("reply-certificate");
        }
    }

    @Test
    void identityThatOnlySigns_getsNoSealedReply() {
        assertThatThrownBy(() -> Replies.certificate(List.of(identity("signer", KeyAlgorithm.ED25519))))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("no key can receive");
    }

    @Test
    void tooManyWaitingRequests_leaveNoReplyInClear() {
        Replies many = new Replies();
        Entity request = request(Replies.certificate(List.of(identity("frank", KeyAlgorithm.EC_P256))));
        for (int i = 0; i < 10_000; i++) {
            many.requested("address" + i, request, POLICY);
        }
        assertThat(many.mayBeForgotten(TEMPORARY)).isFalse();
        many.answered("address0");
        many.requested("address10000", request, POLICY);
        assertThat(many.mayBeForgotten(TEMPORARY)).isFalse();
        assertThat(many.policyOf("address0")).isNotNull();

        many.requested("address10001", request, POLICY);

        assertThat(many.policyOf("address1")).isNull();
        assertThat(many.mayBeForgotten(TEMPORARY)).isTrue();
        assertThat(many.mayBeForgotten(null)).isFalse();
    }
}
