/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.KeyWatch;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.keystore.token.KeyChoice.CurrentKeyRule;
import org.signetmq.keystore.token.KeyChoice.TokenKeys;
import org.signetmq.testkit.Tier;

/** A login, and checks beside it. The token is one in memory. */
final class TokenLoginTest {
    private static final Party ALICE = CertificateForge.of("CN=alice").make();
    private static final Party OTHER = CertificateForge.of("CN=alice").make();

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    private TokenLogin login;

    private final FakeToken token = new FakeToken().with("alice", ALICE);

    @BeforeEach
    void make() throws IOException {
        Path module = Files.writeString(folder.resolve("p11.so"), "no library");
        login = new TokenLogin(
                TokenUri.parse("pkcs11:slot-id=1?module-path=" + module),
                () -> Password.takeOwnershipOf("1234".toCharArray()),
                token::provider);
    }

    private static CurrentKeyRule rule(List<X509Certificate> home, Optional<Party> present) {
        return new CurrentKeyRule(
                home, home, present.map(Party::certificate).stream().toList());
    }

    private static CurrentKeyRule atStart() {
        return rule(List.of(), Optional.empty());
    }

    private static CurrentKeyRule running() {
        return rule(List.of(), Optional.of(ALICE));
    }

    private static List<X509Certificate> certificates(TokenKeys found) {
        return found.keys().stream().map(OpenedKey::certificate).toList();
    }

    @Test
    void check_thatHangs_delaysNoOperationThatReopens_andNoSecondCheckBegins() throws Exception {
        OpenedKey key = login.open("alice", atStart()).keys().get(0);
        CountDownLatch begun = new CountDownLatch(1);
        token.hanging.set(begun);
        CompletableFuture<TokenKeys> check = CompletableFuture.supplyAsync(() -> login.refreshed("alice", running()));
        assertThat(begun.await(3, TimeUnit.MINUTES)).isTrue();

        OpenedKey again =
                CompletableFuture.supplyAsync(() -> login.reopen("alice", key)).get(3, TimeUnit.MINUTES);

        assertThat(again.certificate()).isEqualTo(ALICE.certificate());
        assertThat(again.provider()).isNotSameAs(key.provider());
        assertThat(token.logins).hasValue(2);
        assertThatThrownBy(() -> login.refreshed("alice", running()))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessage("token in slot 1: it has not answered the last check of its keys; check the token");
        assertThat(check).isNotDone();

        token.released.countDown();
        assertThat(certificates(check.get(3, TimeUnit.MINUTES))).containsExactly(ALICE.certificate());
        assertThat(certificates(login.refreshed("alice", running()))).containsExactly(ALICE.certificate());
        assertThat(token.logins).hasValue(2);
    }

    @Test
    void check_thatFailsLate_forgetsNoLaterLogin() throws Exception {
        OpenedKey key = login.open("alice", atStart()).keys().get(0);
        CountDownLatch begun = new CountDownLatch(1);
        token.hanging.set(begun);
        CompletableFuture<TokenKeys> check = new CompletableFuture<>();
        Thread checking = new Thread(() -> {
            try {
                check.complete(login.refreshed("alice", running()));
            } catch (KeystoreUnusableException e) {
                check.completeExceptionally(e);
            }
        });
        checking.start();
        assertThat(begun.await(3, TimeUnit.MINUTES)).isTrue();
        OpenedKey again = login.reopen("alice", key);

        checking.interrupt(); // its listing fails

        assertThatThrownBy(() -> check.get(3, TimeUnit.MINUTES)).hasMessageContaining("cannot be used");
        assertThat(login.refreshed("alice", running()).keys().get(0).provider()).isSameAs(again.provider());
        assertThat(token.logins).hasValue(2);
    }

    @Test
    void key_thatIsGone_isNotReplacedByAnother_andIsFoundWhenItIsBackBesideIt() {
        OpenedKey key = login.open("alice", atStart()).keys().get(0);
        token.remove("alice");
        token.with("alice/CN=alice/" + OTHER.certificate().getSerialNumber(), OTHER);

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> login.reopen("alice", key))
                    .isInstanceOf(KeystoreUnusableException.class)
                    .hasMessage("token in slot 1: it has another key under this name than before; put its certificate"
                            + " into recipients/alice.pem, or restart the program");
        }
        token.with("alice", ALICE);

        assertThat(login.reopen("alice", key).certificate()).isEqualTo(ALICE.certificate());
    }

    @Test
    void currentKey_thatTheTokenCannotRead_isReplacedByNoFormerOne() {
        Party newer = CertificateForge.of("CN=alice")
                .until(ALICE.certificate().getNotAfter().toInstant().plusSeconds(1))
                .make();
        String alias = "alice/CN=alice/" + newer.certificate().getSerialNumber();
        token.with(alias, newer);
        CurrentKeyRule byHome = rule(List.of(newer.certificate(), ALICE.certificate()), Optional.of(newer));
        token.unreadable.add(alias);

        assertThatThrownBy(() -> login.open("alice", atStart())).hasMessageContaining("cannot be used");
        assertThatThrownBy(() -> login.refreshed("alice", byHome)).hasMessageContaining("cannot be used");
        token.unreadable.clear();

        assertThat(certificates(login.open("alice", atStart())))
                .containsExactly(newer.certificate(), ALICE.certificate());
        assertThat(certificates(login.refreshed("alice", byHome)))
                .containsExactly(newer.certificate(), ALICE.certificate());
    }

    @Test
    void formerKey_thatTheTokenCannotReadForATime_staysInARunningProgram() throws Exception {
        Party former = CertificateForge.of("CN=alice").make();
        Party later = CertificateForge.of("CN=alice").make();
        String alias = "alice/CN=alice/" + former.certificate().getSerialNumber();
        token.with(alias, former);
        Home home = new Home(folder);
        Path certificate = Files.createDirectories(home.recipients()).resolve("alice.pem");
        Files.writeString(certificate, Pem.certificatePem(ALICE.certificate()));
        TokenUri uri = TokenUri.parse("pkcs11:slot-id=1?module-path=" + folder.resolve("p11.so"));
        try (KeyWatch watch = new TokenKeyStore(uri, login, 0).watch("alice", home)) {
            List<Identity> first = watch.current();
            token.unreadable.add(alias);
            token.with("alice/CN=alice/" + later.certificate().getSerialNumber(), later);

            Awaitility.await().until(() -> watch.current().size() == 3);

            assertThat(watch.current()).containsAll(first);
            assertThat(watch.current().get(0)).isEqualTo(first.get(0));
        }
    }

    @Test
    void key_thatIsPutIntoTheTokenLater_becomesCurrentByTheHomeOrAtTheNextStartAlone() {
        Party next = CertificateForge.of("CN=alice")
                .until(ALICE.certificate().getNotAfter().toInstant().plusSeconds(1))
                .make();
        login.open("alice", atStart());
        token.with("alice/CN=alice/" + next.certificate().getSerialNumber(), next);

        assertThat(certificates(login.refreshed("alice", running())))
                .containsExactly(ALICE.certificate(), next.certificate());
        assertThat(certificates(login.refreshed("alice", rule(List.of(next.certificate()), Optional.of(ALICE)))))
                .containsExactly(next.certificate(), ALICE.certificate());
        assertThat(certificates(login.open("alice", atStart())))
                .containsExactly(next.certificate(), ALICE.certificate());
    }

    @Test
    void key_ofAnotherNameThatIsPutIntoTheTokenLater_isNotUsed() {
        Party stranger = CertificateForge.of("CN=stranger").make();
        login.open("alice", atStart());
        token.with("alice/CN=stranger/" + stranger.certificate().getSerialNumber(), stranger);

        TokenKeys found = login.refreshed("alice", running());

        assertThat(certificates(found)).containsExactly(ALICE.certificate());
        assertThat(found.problems()).singleElement().asString().contains("another distinguished name");
    }

    @Test
    void certificate_thatIsPutIntoTheTokenLater_isUsedByTheHomeOrAtTheNextStartAlone() {
        Party newer = CertificateForge.of("CN=alice", ALICE.pair())
                .until(ALICE.certificate().getNotAfter().toInstant().plusSeconds(1))
                .make();
        Party former = CertificateForge.of("CN=alice").make();
        token.with("alice/CN=alice/" + former.certificate().getSerialNumber(), former);
        login.open("alice", atStart());
        for (String dn : List.of("CN=alice", "CN=stranger")) {
            Party written = CertificateForge.of(dn, ALICE.pair())
                    .until(newer.certificate().getNotAfter().toInstant())
                    .make();
            token.with("alice/" + dn + "/" + written.certificate().getSerialNumber(), written);

            TokenKeys found = login.refreshed("alice", running());

            assertThat(certificates(found)).containsExactly(ALICE.certificate(), former.certificate());
            assertThat(found.problems()).isEmpty();
        }

        List<X509Certificate> home = List.of(newer.certificate());
        assertThat(certificates(login.refreshed("alice", rule(home, Optional.of(ALICE)))))
                .containsExactly(newer.certificate(), former.certificate());
    }

    @Tag(Tier.LONG)
    @Test
    void moreKeysThanAnIdentityHas_areRefused() {
        login.open("alice", atStart());
        for (int i = 0; i < 65; i++) {
            Party one = CertificateForge.of("CN=alice").make();
            token.with("alice/CN=alice/" + one.certificate().getSerialNumber(), one);
        }

        assertThatThrownBy(() -> login.open("alice", rule(List.of(ALICE.certificate()), Optional.empty())))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("is one of more than 65 keys; delete old ones, or name one by its id");
        assertThatThrownBy(() -> login.refreshed("alice", running()))
                .hasMessageContaining("is one of more than 65 keys");
    }
}
