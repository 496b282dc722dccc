/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.signetmq.keystore.internal.x509.TestCertificates.END;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;
import static org.signetmq.keystore.internal.x509.TestCertificates.root;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Set;
import org.bouncycastle.asn1.x509.AccessDescription;
import org.bouncycastle.asn1.x509.AuthorityInformationAccess;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.trust.RevocationUpdater.FetchLimits;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.keystore.trust.RevocationSettings;
import org.signetmq.keystore.trust.RevocationSettings.Failure;
import org.signetmq.keystore.trust.RevocationSettings.Source;
import org.signetmq.keystore.trust.RevocationSettings.WithoutSource;
import org.signetmq.testkit.Tier;

/** What certificates name is bounded, whatever issuers write into them. */
final class RevocationUpdaterTest {
    private static final Party ROOT = root("CN=Root");

    private Instant now = NOW;
    private final RevocationUpdater targets = targets();

    private RevocationUpdater targets() {
        InstantSource time = () -> now;
        RevocationUpdater made =
                new RevocationUpdater(Path.of("absent"), time.withZone(ZoneOffset.UTC), RevocationUpdater.Mode.BY_HAND);
        made.use(settings(Failure.HARD));
        return made;
    }

    private static RevocationSettings settings(Failure failure) {
        return new RevocationSettings(
                Source.FETCH,
                Source.FETCH,
                failure,
                WithoutSource.REFUSE,
                Set.of(),
                RevocationSettings.DEFAULT_TIMEOUT);
    }

    private static Issued named(int number) throws Exception {
        X509Certificate certificate = CertificateForge.of("CN=party", ROOT.pair())
                .by(ROOT)
                .with(
                        Extension.authorityInfoAccess,
                        false,
                        new AuthorityInformationAccess(
                                AccessDescription.id_ad_ocsp,
                                new GeneralName(
                                        GeneralName.uniformResourceIdentifier,
                                        "http://ocsp" + number + ".example.com/")))
                .make()
                .certificate();
        return new Issued(certificate, ROOT.certificate());
    }

    @Tag(Tier.LONG)
    @Test
    void targets_areAtMostThousand_andThoseOfTheHomeStay() throws Exception {
        Issued pinned = named(0);
        targets.setPinned(Set.of(pinned));
        assertThat(targets.wantPinned()).hasSize(1);
        for (int i = 1; i <= FetchLimits.TARGETS; i++) {
            targets.wanted(named(i));
        }

        assertThat(targets.due()).hasSize(FetchLimits.TARGETS);
        assertThat(targets.due()).anyMatch(due -> due.issued.equals(pinned));
    }

    @Test
    void listsTogether_haveALimit_andTheKnownOnesStay() throws Exception {
        byte[] der = ListForge.of(ROOT, END)
                .with(new Extension(Extension.cRLNumber, false, new byte[15 << 20]))
                .der();
        int most = (int) (FetchLimits.ALL_LIST_BYTES / der.length);
        RevocationUpdater.Content list = new RevocationUpdater.Content(RevocationList.fromDer(der), null);
        for (int i = 0; i < most; i++) {
            take(named(i), list);
        }

        assertThatThrownBy(() -> take(named(most), list))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("all lists together may have 67108864 bytes");
        targets.publish(true);
        assertThat(targets.known().lists().hasListFor(named(0).certificate())).isTrue();
        assertThat(targets.report().sources().stream()
                        .filter(state -> state.until().isPresent()))
                .hasSize(most);
    }

    private void take(Issued issued, RevocationUpdater.Content list) {
        for (RevocationUpdater.Source each : targets.wanted(issued)) {
            assertThat(targets.take(each, list)).isTrue();
        }
    }

    /** A clock may be wrong for some seconds, such as after a start or a move of a virtual machine. */
    @Test
    void clockThatJumpsAheadAndBack_stopsNoQuestions() throws Exception {
        targets.wanted(named(1));
        RevocationUpdater.Source fetch = targets.due().get(0);
        now = NOW.plus(Duration.ofDays(365));
        assertThat(targets.fail(fetch, "of the test")).isTrue();
        assertThat(targets.due()).isEmpty();

        now = NOW.plus(Duration.ofHours(1));

        assertThat(targets.due()).singleElement().isSameAs(fetch);
    }

    @Test
    void changedSettingsWhileTheClockIsAhead_stopNoQuestions() throws Exception {
        targets.wanted(named(1));
        assertThat(targets.fail(targets.due().get(0), "of the test")).isTrue();
        now = NOW.plus(Duration.ofDays(365));
        targets.use(settings(Failure.SOFT));

        now = NOW.plus(Duration.ofHours(1));

        assertThat(targets.due()).hasSize(1);
    }

    @Test
    void clockThatJumpsAheadAndBack_letsCertificatesOfTheHomeBeWantedAgain() throws Exception {
        targets.setPinned(Set.of(named(1)));
        now = NOW.plus(Duration.ofDays(365));
        assertThat(targets.wantPinned()).hasSize(1);

        now = NOW;

        assertThat(targets.wantPinned()).as("its copy was not read yet").hasSize(1);
    }

    @Test
    void targetWantedWhileTheClockWasAhead_isForgottenAWeekLater() throws Exception {
        now = NOW.plus(Duration.ofDays(365));
        targets.wanted(named(1));
        now = NOW;
        assertThat(targets.due()).hasSize(1);

        now = NOW.plus(FetchLimits.UNUSED).plusSeconds(1);
        assertThat(targets.wantPinned()).isEmpty();

        assertThat(targets.due()).isEmpty();
    }

    @Test
    void certificatesOfTheHome_keepTheirAnswersWhenTheClockJumps() throws Exception {
        targets.setPinned(Set.of(named(1)));
        RevocationUpdater.Source known = targets.wantPinned().get(0);

        now = NOW.plus(Duration.ofDays(30));
        assertThat(targets.wantPinned()).hasSize(1);

        assertThat(targets.due()).singleElement().isSameAs(known);
    }

    /** A clock is set back by a little each day. */
    @Test
    void clockThatGoesBackALittle_causesNoQuestion() throws Exception {
        targets.wanted(named(1));
        assertThat(targets.fail(targets.due().get(0), "of the test")).isTrue();

        now = NOW.minusSeconds(1);

        assertThat(targets.due()).isEmpty();
    }
}
