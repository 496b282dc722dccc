/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.Provider;
import java.security.ProviderException;
import java.security.Security;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.keystore.token.TokenKeyStore.TokenCalls;
import org.signetmq.keystore.token.TokenKeyStore.TokenKey;
import org.signetmq.testkit.SoftHsm;
import org.signetmq.testkit.Tier;

/** A token that goes away and comes back. */
final class TokenRecoveryTest {
    private static final byte[] TEXT = "a message".getBytes(UTF_8);
    private static final TokenUri URI = TokenUri.parse("pkcs11:token=t?module-path=/p11.so");
    private static final Party ALICE = CertificateForge.of("CN=alice").make();

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    private static OpenedKey opened(Party party) {
        return opened(Security.getProvider("SunEC"), party);
    }

    private static OpenedKey opened(Provider provider, Party party) {
        return new OpenedKey(
                provider,
                party.pair().getPrivate(),
                List.of(party.certificate()),
                new OpenedKey.Entry("alice", party.certificate()));
    }

    /** Its provider has no operations, as one of a token that was pulled out. */
    private static OpenedKey gone() {
        return opened(Security.getProvider("SUN"), ALICE);
    }

    private static TokenKey key(UnaryOperator<OpenedKey> opening) {
        return new TokenKey(URI, new TokenCalls("token 't'", 1000), opening, gone());
    }

    @Test
    void operation_afterTheSessionsEnded_isDoneAgainAfterALogin() {
        AtomicInteger logins = new AtomicInteger();
        TokenKey key = key(failed -> {
            logins.incrementAndGet();
            return opened(ALICE);
        });
        AtomicInteger calls = new AtomicInteger();

        Optional<String> result = key.call(opened -> {
            if (calls.incrementAndGet() == 1) {
                throw new ProviderException(new IOException("CKR_SESSION_HANDLE_INVALID"));
            }
            return "done";
        });

        assertThat(result).contains("done");
        assertThat(logins).hasValue(1);
    }

    @Test
    void operation_thatFailsWhileTheKeyWorks_isWrongInputAndOpensNothing() {
        TokenKey key = new TokenKey(
                URI,
                new TokenCalls("token 't'", 1000),
                failed -> {
                    throw new IllegalStateException("opened");
                },
                opened(ALICE));
        AtomicInteger calls = new AtomicInteger();

        assertThat(key.call(opened -> {
                    calls.incrementAndGet();
                    throw new ProviderException("CKR_GENERAL_ERROR");
                }))
                .isEmpty();
        assertThat(calls).hasValue(2);
    }

    @Test
    void token_thatIsGone_isAskedForSeldomAndFailsWithOneReason() {
        AtomicInteger openings = new AtomicInteger();
        TokenKey key = key(failed -> {
            openings.incrementAndGet();
            throw new KeystoreUnusableException("token 't': not there; plug it in, or check its label");
        });

        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(() -> key.call(opened -> {
                        throw new ProviderException("CKR_DEVICE_REMOVED");
                    }))
                    .isInstanceOf(KeystoreUnusableException.class)
                    .hasMessage("token 't': not there; plug it in, or check its label");
        }

        assertThat(openings).hasValue(1);
    }

    @Test
    void operation_thatTheKeyMustNotDo_opensNothing() {
        TokenKey key = key(failed -> {
            throw new IllegalStateException("opened");
        });

        assertThatThrownBy(() -> key.call(opened -> {
                    throw new ProviderException("CKR_KEY_FUNCTION_NOT_PERMITTED");
                }))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("the token refuses this operation for the key");
    }

    @Test
    void token_thatHangs_failsInTime_thenAtOnce_untilItAnswers() {
        String reason = "token 't': no answer in 1 s; check the token and its connection";
        TokenCalls calls = new TokenCalls("token 't'", 1000);
        CountDownLatch hanging = new CountDownLatch(1);
        assertThatThrownBy(() -> calls.call(() -> hanging.await(1, TimeUnit.HOURS)))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessage(reason);

        for (int i = 0; i < 1000; i++) {
            assertThatThrownBy(() -> calls.call(() -> "not tried")).hasMessage(reason);
        }
        hanging.countDown();

        await().ignoreExceptionsInstanceOf(KeystoreUnusableException.class)
                .untilAsserted(() -> assertThat(calls.call(() -> "answered")).isEqualTo("answered"));
    }

    /** SoftHSM notices objects that come and go, not its whole folder. */
    @Tag(Tier.LONG)
    @Test
    void keyOfSoftHsm_thatWentAndCameBackBesideANamesake_signsAgain() throws Exception {
        TestToken token = TestToken.make();
        token.certify(token.generate("EC:prime256v1", "01", "--usage-sign", "--usage-derive"), "01", "alice");
        Identity identity = new TokenKeyStore(token.uri(""), () -> Password.takeOwnershipOf(SoftHsm.PIN.toCharArray()))
                .load("alice");
        identity.privateKey().sign(SignatureScheme.ECDSA, "SHA-512", TEXT);
        KeyPair namesake = new KeyPair(
                token.generate("EC:prime256v1", "02", "--usage-sign", "--usage-derive"),
                ALICE.pair().getPrivate());
        Party authority = TestToken.AUTHORITY;
        token.write(
                CertificateForge.of("CN=other", namesake).by(authority).make().certificate(), "02", "alice");

        token.hsm.moveAway(folder);
        assertThatThrownBy(() -> identity.privateKey().sign(SignatureScheme.ECDSA, "SHA-512", TEXT))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("the private key with label 'alice' is not there");
        assertThatThrownBy(() -> identity.privateKey().requireUsable()).isInstanceOf(KeystoreUnusableException.class);
        token.hsm.moveBack(folder);

        await().ignoreExceptionsInstanceOf(KeystoreUnusableException.class)
                .untilAsserted(() -> assertThat(identity.privateKey().sign(SignatureScheme.ECDSA, "SHA-512", TEXT))
                        .isNotEmpty());
        identity.privateKey().requireUsable();
    }
}
