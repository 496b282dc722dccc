/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.exception.AuthenticationFailedException;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.PregenerationSettings;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.testkit.Cases;

/** Messages that are signed and opened with a private key outside this process. */
final class KeyServiceTest {
    private static final ClearMessage MESSAGE = Parties.text("transfer 100 to alice".getBytes(UTF_8));

    @RegisterExtension
    static Parties parties = new Parties();

    private static Identity local(KeyAlgorithm algorithm) {
        return parties.identity(algorithm.label(), algorithm);
    }

    private static RemoteKey remoteKey(KeyAlgorithm algorithm) {
        return new RemoteKey(SoftwareKey.exported(local(algorithm)));
    }

    private static Identity remote(KeyAlgorithm algorithm, RemoteKey key) {
        return new Identity(algorithm.label(), key, local(algorithm).chain());
    }

    private static PolicySet policies(QualityOfProtection quality, KeyAlgorithm recipient) {
        return Parties.policies(Parties.policy(quality, recipient.label()));
    }

    @ParameterizedTest
    @Cases(
            inShortTier = 3,
            value = {
                "INTEGRITY, ED25519",
                "PRIVACY, RSA_2048",
                "CONFIDENTIALITY, EC_P256",
                "INTEGRITY, EC_P256",
                "INTEGRITY, EC_P521",
                "INTEGRITY, RSA_2048",
                "PRIVACY, EC_P256",
                "PRIVACY, EC_P384",
                "CONFIDENTIALITY, EC_P521",
                "CONFIDENTIALITY, RSA_2048"
            })
    void message_signedAndOpenedByAService_isAsWithAKeyOfAFile(QualityOfProtection quality, KeyAlgorithm algorithm) {
        PolicySet policies = policies(quality, algorithm);
        try (RemoteKey key = remoteKey(algorithm)) {
            Identity remote = remote(algorithm, key);
            for (Identity sender : List.of(remote, local(algorithm))) {
                for (Identity recipient : List.of(remote, local(algorithm))) {
                    byte[] sealed = parties.seal(MESSAGE, policies, sender);

                    OpenedMessage opened =
                            parties.opener(List.of(recipient), policies).open(sealed, Parties.ADDRESS);

                    assertThat(opened.payload()).isEqualTo(MESSAGE.payload());
                    assertThat(opened.quality()).isEqualTo(quality);
                }
            }
            assertThat(key.calls()).isPositive();
        }
    }

    @Test
    void signature_ofAServiceWithPss_isAccepted() {
        PolicySet policies = Parties.policies(Policy.integrity(Parties.ADDRESS)
                .with(new Policy.Signing(
                        SignatureAlgorithm.SHA_512_RSA_PSS, List.of("rsa-2048"), CertificateInclusion.REFERENCED)));
        try (RemoteKey key = remoteKey(KeyAlgorithm.RSA_2048)) {
            byte[] sealed = parties.seal(MESSAGE, policies, remote(KeyAlgorithm.RSA_2048, key));

            assertThat(parties.opener(List.of(), policies)
                            .open(sealed, Parties.ADDRESS)
                            .payload())
                    .isEqualTo(MESSAGE.payload());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"EC_P256", "RSA_2048"})
    void serviceThatIsGone_messageIsRejectedWithTheReason_andOpensWhenItIsBack(KeyAlgorithm algorithm) {
        PolicySet policies = policies(QualityOfProtection.PRIVACY, algorithm);
        byte[] sealed = parties.seal(MESSAGE, policies, local(algorithm));
        try (RemoteKey key = remoteKey(algorithm)) {
            Identity remote = remote(algorithm, key);
            Opener opener = parties.opener(List.of(remote), policies);
            key.become(RemoteKey.State.GONE);

            assertThatThrownBy(() -> parties.seal(MESSAGE, policies, remote))
                    .isInstanceOf(KeystoreUnusableException.class)
                    .hasMessage("key service: it is gone; start it");
            assertThatThrownBy(() -> opener.open(sealed, Parties.ADDRESS))
                    .isInstanceOf(KeystoreUnusableException.class)
                    .hasMessage("key service: it is gone; start it");

            key.become(RemoteKey.State.WORKS);
            assertThat(opener.open(sealed, Parties.ADDRESS).payload()).isEqualTo(MESSAGE.payload());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"EC_P256", "RSA_2048"})
    void serviceThatHangs_messageIsRejectedInAllThreads(KeyAlgorithm algorithm) throws Exception {
        PolicySet policies = policies(QualityOfProtection.CONFIDENTIALITY, algorithm);
        byte[] sealed = parties.seal(MESSAGE, policies, local(algorithm));
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (RemoteKey key = remoteKey(algorithm)) {
            Opener opener = parties.opener(List.of(remote(algorithm, key)), policies);
            key.become(RemoteKey.State.HANGS);

            List<Future<OpenedMessage>> results = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                results.add(threads.submit(() -> opener.open(sealed, Parties.ADDRESS)));
            }

            for (Future<OpenedMessage> result : results) {
                assertThatThrownBy(() -> result.get(Duration.ofSeconds(30).toMillis(), TimeUnit.MILLISECONDS))
                        .isInstanceOf(ExecutionException.class)
                        .hasRootCauseInstanceOf(TimeoutException.class)
                        .cause()
                        .isInstanceOf(KeystoreUnusableException.class)
                        .hasMessageContaining("no answer in 500 ms");
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Both choices of providers serve in one process. */
    @ParameterizedTest
    @EnumSource(
            value = KeyAlgorithm.class,
            names = {"EC_P256", "RSA_2048"})
    void messageOfOneChoiceOfProviders_opensWithTheOther(KeyAlgorithm algorithm) {
        PolicySet policies = policies(QualityOfProtection.PRIVACY, algorithm);
        for (CryptoProviders sealing : List.of(CryptoProviders.jdk(), CryptoProviders.standard())) {
            for (CryptoProviders opening : List.of(CryptoProviders.jdk(), CryptoProviders.standard())) {
                Home home = parties.home;
                try (Sealer sealer = Sealer.create(
                                sealing,
                                home.recipientDirectory(),
                                home.certificateTrust(),
                                PregenerationSettings.AUTO);
                        Opener opener = Opener.create(
                                new Opener.Keys(
                                        List.of(local(algorithm, opening)),
                                        home.recipientDirectory(),
                                        home.certificateTrust(),
                                        opening),
                                () -> policies)) {
                    byte[] sealed = sealer.seal(
                            MESSAGE, policies.find(Parties.ADDRESS).orElseThrow(), local(algorithm, sealing));

                    assertThat(opener.open(sealed, Parties.ADDRESS).payload()).isEqualTo(MESSAGE.payload());
                }
            }
        }
    }

    private static Identity local(KeyAlgorithm algorithm, CryptoProviders providers) {
        Identity identity = local(algorithm);
        return new Identity(
                identity.name(), new SoftwareKey(SoftwareKey.exported(identity), providers), identity.chain());
    }

    @Test
    void changedEnvelope_isNoFailureOfTheService() {
        for (KeyAlgorithm algorithm : List.of(KeyAlgorithm.EC_P256, KeyAlgorithm.RSA_2048)) {
            PolicySet policies = policies(QualityOfProtection.CONFIDENTIALITY, algorithm);
            byte[] sealed = parties.seal(MESSAGE, policies, local(algorithm));
            sealed[sealed.length - 1] ^= 1;
            try (RemoteKey key = remoteKey(algorithm)) {
                Opener opener = parties.opener(List.of(remote(algorithm, key)), policies);

                Parties.assertRejected(AuthenticationFailedException.class, opener, sealed);
            }
        }
    }
}
