/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;

/** Messages with keys of the example {@link KmsKey}, in a fake of AWS KMS. */
final class KmsExampleTest {
    private static final ClearMessage MESSAGE = Parties.text("transfer 100 to alice".getBytes(UTF_8));
    private static final PolicySet SIGNED = Parties.policies(Policy.integrity(Parties.ADDRESS));
    private static final PolicySet ENCRYPTED =
            Parties.policies(Policy.confidentiality(Parties.ADDRESS, List.of("service"), KeyLimits.DEFAULT));

    private static final Duration PATIENT = Duration.ofSeconds(20);

    @RegisterExtension
    static Parties parties = new Parties();

    private static Identity local;
    private static FakeKms kms;
    private static Identity remote;

    @BeforeAll
    static void start() throws IOException {
        local = parties.identity("service", KeyAlgorithm.EC_P521);
        kms = new FakeKms(SoftwareKey.exported(local));
        ECPublicKey key = (ECPublicKey) local.certificate().getPublicKey();
        remote = new Identity("service", new KmsKey(kms.uri(), PATIENT, "alias/signet", key), local.chain());
    }

    @AfterAll
    static void stop() {
        kms.close();
    }

    @Test
    void messageSealedForTheService_opensWithIt() {
        byte[] sealed = parties.seal(MESSAGE, ENCRYPTED, local);

        assertThat(parties.opener(List.of(remote), ENCRYPTED)
                        .open(sealed, Parties.ADDRESS)
                        .payload())
                .isEqualTo(MESSAGE.payload());
    }

    @Test
    void messageSignedByTheService_isAccepted() {
        byte[] sealed = parties.seal(MESSAGE, SIGNED, remote);

        assertThat(parties.opener(List.of(), SIGNED)
                        .open(sealed, Parties.ADDRESS)
                        .payload())
                .isEqualTo(MESSAGE.payload());
    }

    @ParameterizedTest
    @CsvSource({
        "DISABLED_KEY, it answers DisabledException",
        "INTERNAL_ERROR, it answers KMSInternalException",
        "HUGE_ANSWER, its answer is too long",
        "NO_JSON, its answer has no",
        "NO_FIELD, its answer has no",
        "SHORT_RESULT, its s",
    })
    void serviceThatFails_isAnErrorWithItsReason_andWorksAgain(FakeKms.Mode mode, String reason) {
        byte[] sealed = parties.seal(MESSAGE, ENCRYPTED, local);
        Opener opener = parties.opener(List.of(remote), ENCRYPTED);
        kms.become(mode);
        try {
            assertThatThrownBy(() -> opener.open(sealed, Parties.ADDRESS))
                    .isInstanceOf(KeystoreUnusableException.class)
                    .hasMessageStartingWith("key service: key alias/signet: ")
                    .hasMessageContaining(reason);
            assertThatThrownBy(() -> parties.seal(MESSAGE, SIGNED, remote))
                    .isInstanceOf(KeystoreUnusableException.class)
                    .hasMessageContaining(reason);
        } finally {
            kms.become(FakeKms.Mode.WORKS);
        }
        assertThat(opener.open(sealed, Parties.ADDRESS).payload()).isEqualTo(MESSAGE.payload());
    }

    @ParameterizedTest
    @EnumSource(names = {"NO_ANSWER", "HALF_AN_ANSWER"})
    void serviceThatHangs_isAnErrorInTime(FakeKms.Mode mode) {
        byte[] sealed = parties.seal(MESSAGE, ENCRYPTED, local);
        ECPublicKey key = (ECPublicKey) local.certificate().getPublicKey();
        KmsKey impatient = new KmsKey(kms.uri(), Duration.ofMillis(200), "alias/signet", key);
        Identity hanging = new Identity("service", impatient, local.chain());
        kms.become(mode);
        try {
            assertThatThrownBy(() -> parties.opener(List.of(hanging), ENCRYPTED).open(sealed, Parties.ADDRESS))
                    .isInstanceOf(KeystoreUnusableException.class)
                    .hasMessage("key service: key alias/signet: no answer in 200 ms");
        } finally {
            kms.become(FakeKms.Mode.WORKS);
        }
    }

    @Test
    void serviceWithWrongResults_opensAndSignsNothing() {
        byte[] sealed = parties.seal(MESSAGE, ENCRYPTED, local);
        kms.become(FakeKms.Mode.OTHER_RESULT);
        try {
            Parties.assertRejected(EnvelopeException.class, parties.opener(List.of(remote), ENCRYPTED), sealed);
            assertThatThrownBy(() -> parties.seal(MESSAGE, SIGNED, remote))
                    .isInstanceOf(KeystoreUnusableException.class)
                    .hasMessageContaining("its signature is wrong");
        } finally {
            kms.become(FakeKms.Mode.WORKS);
        }
    }

    @Test
    void serviceThatIsDown_isAnError() throws IOException {
        FakeKms stopped = new FakeKms(SoftwareKey.exported(local));
        stopped.close();
        ECPublicKey key = (ECPublicKey) local.certificate().getPublicKey();
        Identity down = new Identity("service", new KmsKey(stopped.uri(), PATIENT, "alias/down", key), local.chain());

        assertThatThrownBy(() -> parties.seal(MESSAGE, SIGNED, down))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("key alias/down: it cannot be reached");
    }
}
