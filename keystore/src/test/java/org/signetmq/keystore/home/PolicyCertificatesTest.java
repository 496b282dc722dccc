/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;
import static org.signetmq.keystore.internal.x509.TestCertificates.ec;
import static org.signetmq.keystore.internal.x509.TestCertificates.issue;
import static org.signetmq.keystore.internal.x509.TestCertificates.root;
import static org.signetmq.keystore.internal.x509.TestCertificates.self;
import static org.signetmq.keystore.internal.x509.TestCertificates.write;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.internal.trust.RevocationUpdater;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.keystore.internal.x509.TestCertificates.Shape;
import org.signetmq.keystore.trust.SignerMatch;

final class PolicyCertificatesTest {
    private static final Party ROOT = root("CN=Root");
    private static final Party BOB = issue("CN=Bob", ROOT, Shape.USUAL);
    private static final Party NEW_BOB = issue("CN=Bob", ROOT, Shape.USUAL);
    private static final Party CAROL = issue("CN=Carol", ROOT, Shape.USUAL);
    private static final Party LONER = self("CN=Loner", ec(), Shape.USUAL);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    private final AtomicLong nanoTime = new AtomicLong();
    private HomeReader home = reader(Path.of("unset"));

    @BeforeEach
    void writeRoot() {
        write(folder.resolve("trust"), "root.pem", ROOT.certificate());
        write(folder.resolve("recipients"), "carol.pem", CAROL.certificate());
        home = reader(folder);
    }

    private HomeReader reader(Path root) {
        return new HomeReader(
                new Home(root), nanoTime::get, RevocationUpdater.Mode.BY_HAND, Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private static String text(Party... parties) {
        return PolicyCertificates.text(
                Arrays.stream(parties).map(Party::certificate).toList());
    }

    @Test
    void party_isFoundAsAFileOfTheHomeIs_andGoesWithThePolicies() {
        long before = home.version();
        home.use(Map.of("bob", text(BOB)));

        Recipient bob = new Recipient("bob", BOB.certificate());
        for (String selector : List.of("bob", "CN=Bob", "ski:" + KeyIdentifier.ofKey(BOB.certificate()))) {
            assertThat(home.find(selector)).as(selector).contains(bob);
        }
        assertThat(home.find(bob.keyIdentifier())).containsExactly(bob);
        assertThat(home.all()).extracting(Recipient::name).containsExactly("bob", "carol");
        assertThat(home.isOfPolicies("bob")).isTrue();
        assertThat(home.isOfPolicies("carol")).isFalse();
        assertThat(home.version()).isNotEqualTo(before);
        var signer = home.verify(BOB.certificate(), List.of(), CertificateUse.SIGNING, NOW);
        SignerMatch match = new SignerMatch(home, home);
        assertThat(match.matches(signer, "bob")).isTrue();
        assertThat(match.matches(signer, "CN=Bob")).isTrue();

        home.use(Map.of());

        assertThat(home.find("bob")).isEmpty();
        assertThat(match.matches(signer, "bob")).isFalse();
    }

    @Test
    void certificate_isNoTrustAnchor() {
        home.use(Map.of("loner", text(LONER), "evil-root", text(root("CN=Evil"))));

        assertThat(home.find("loner")).isPresent();
        assertThatThrownBy(() -> home.verify(LONER.certificate(), List.of(), CertificateUse.RECEIVING, NOW))
                .isInstanceOf(CertificateRejectedException.class);
        assertThat(home.trusted()).extracting(Recipient::name).containsExactly("root");
    }

    @Test
    void fileOfTheHome_winsOverAnEntryOfItsName() {
        home.use(Map.of("carol", text(BOB)));

        assertThat(home.find("carol")).contains(new Recipient("carol", CAROL.certificate()));
        assertThat(home.find("CN=Bob")).isEmpty();
        assertThat(home.isOfPolicies("carol")).isFalse();
    }

    @Test
    void formerCertificates_verifyAndReceiveNothing() {
        home.use(Map.of("bob", text(NEW_BOB, BOB)));

        assertThat(home.find("bob")).contains(new Recipient("bob", NEW_BOB.certificate()));
        assertThat(home.former()).containsExactly(new Recipient("bob", BOB.certificate()));
        assertThat(new SignerMatch(home, home)
                        .matches(home.verify(BOB.certificate(), List.of(), CertificateUse.SIGNING, NOW), "bob"))
                .isTrue();
    }

    @Test
    void view_showsOtherPolicies_andLeavesTheHomeAsItWas() {
        home.use(Map.of("bob", text(BOB)));

        HomeReader view = home.with(Map.of("new", text(NEW_BOB)));

        assertThat(home.with(Map.of("bob", text(BOB)))).isSameAs(home);
        assertThat(view.all()).extracting(Recipient::name).containsExactly("carol", "new");
        assertThat(home.all()).extracting(Recipient::name).containsExactly("bob", "carol");

        long before = home.version();
        home.use(Map.of("new", text(NEW_BOB)));

        assertThat(home.all()).extracting(Recipient::name).containsExactly("carol", "new");
        assertThat(home.version()).isEqualTo(view.version()).isNotEqualTo(before);
    }

    @Test
    void equalTexts_areNotParsedAgain() {
        PolicyCertificates first = PolicyCertificates.of(Map.of("bob", text(BOB)), PolicyCertificates.NONE);
        PolicyCertificates second = PolicyCertificates.of(Map.of("bob", text(BOB), "carol", text(CAROL)), first);

        assertThat(second.certificates("bob").get(0))
                .isSameAs(first.certificates("bob").get(0));
        assertThat(second.changedFrom(first)).containsExactly("carol");
        assertThat(PolicyCertificates.of(Map.of("bob", text(BOB)), first)).isSameAs(first);
    }

    @ParameterizedTest
    @ValueSource(strings = {"AAAA", "MA==", "MIIBAA==", "MIQAAAAA", "MIA=", "====", "x", "ü", "LS0tLS1CRUdJTg=="})
    void textThatIsNoCertificate_isAProblemOfItsName(String text) {
        PolicyCertificates read = PolicyCertificates.of(Map.of("bob", text), PolicyCertificates.NONE);

        assertThat(read.problems()).containsOnlyKeys("bob");
        assertThat(read.certificates("bob")).isEmpty();
        home.use(Map.of("bob", text));
        assertThat(home.find("bob")).isEmpty();
    }

    @Test
    void privateKey_orCertificateWithMoreBehindIt_isNoCertificate() throws Exception {
        X509Certificate certificate = BOB.certificate();
        byte[] der = certificate.getEncoded();
        byte[] longer = Arrays.copyOf(der, der.length + 1);
        byte[] shorter = Arrays.copyOf(der, der.length - 1);
        for (byte[] wrong : List.of(BOB.pair().getPrivate().getEncoded(), longer, shorter)) {
            assertThat(PolicyCertificates.of(
                                    Map.of("bob", Base64.getEncoder().encodeToString(wrong)), PolicyCertificates.NONE)
                            .problems())
                    .containsOnlyKeys("bob");
        }
    }
}
