/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.keystore.home.FetchedTrust.withList;
import static org.signetmq.keystore.home.HomeTest.assertUnusable;
import static org.signetmq.keystore.internal.x509.TestCertificates.CA;
import static org.signetmq.keystore.internal.x509.TestCertificates.LEAF;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;
import static org.signetmq.keystore.internal.x509.TestCertificates.write;

import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x509.AccessDescription;
import org.bouncycastle.asn1.x509.AuthorityInformationAccess;
import org.bouncycastle.asn1.x509.CRLDistPoint;
import org.bouncycastle.asn1.x509.DistributionPoint;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.IssuingDistributionPoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.internal.trust.ListForge;
import org.signetmq.keystore.internal.trust.RevocationServer;
import org.signetmq.keystore.internal.trust.RevocationUpdater;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.keystore.trust.RevocationSettings;
import org.signetmq.keystore.trust.RevocationSettings.Failure;
import org.signetmq.keystore.trust.RevocationSettings.Source;
import org.signetmq.keystore.trust.RevocationSettings.WithoutSource;
import org.signetmq.testkit.Tier;

/** Fetches revocation lists from a real server, which may also be hostile. */
final class FetchedListsTest extends FetchingTest {
    private static final String FETCH = "\"crl\": \"fetch\", \"timeout-seconds\": 30";
    private static final String HERE = ", \"hosts\": [\"127.0.0.1\"]";
    private static final Instant NEXT = NOW.plus(Duration.ofHours(10));

    FetchedListsTest() {
        super(FETCH + HERE, (dn, url) -> withList(dn, url));
    }

    private static ListForge list() {
        return ListForge.of(ROOT, NEXT);
    }

    /** Lets the server answer, and a message of alice ask for the list. */
    private void answered(ListForge list) {
        server.answer(PATH, list.der());
        assertThat(trust.rejection(alice)).isNotEmpty();
        trust.fetch();
    }

    private static BigInteger serial(Party party) {
        return party.certificate().getSerialNumber();
    }

    @Test
    void unknownState_isRejectedWithTheAddress_andAcceptedOnceTheListIsThere() {
        server.answer(PATH, list().der());
        long before = trust.trust().version();

        for (int i = 0; i < 2; i++) { // the second rejection costs less
            assertThat(trust.rejection(alice))
                    .contains("CN=alice", "no valid list or OCSP answer is known", server.url(PATH));
        }
        assertThat(server.count(PATH))
                .as("questions of the thread of a message")
                .isZero();
        assertThat(trust.trust().revocations().unknown()).hasSize(1);
        trust.fetch();

        assertThat(trust.trust().version()).isGreaterThan(before);
        assertThat(trust.rejection(alice)).isEmpty();
        assertThat(trust.trust().revocations().unknown()).isEmpty();
        assertThat(trust.trust().revocations().sources())
                .singleElement()
                .satisfies(source -> assertThat(source.until()).contains(NEXT));
    }

    @Test
    void revokedInFetchedList_isRejected() {
        server.answer(PATH, list().revoking(serial(alice)).der());

        assertThat(trust.rejection(alice)).isNotEmpty();
        trust.fetch();

        assertThat(trust.rejection(alice)).contains("revoked on");
    }

    @Test
    void restartWithoutNetwork_usesTheCopyOnDisk() {
        answered(list());
        server.hang(PATH);

        trust.restart(RevocationUpdater.Mode.BY_HAND);

        assertThat(trust.rejection(alice)).isEmpty();
    }

    @Test
    void copyOnDiskThatSomebodyChanged_isNotUsed() throws Exception {
        answered(list().revoking(serial(alice)));
        try (var files = Files.list(trust.home.fetchedRevocations())) {
            for (Path file : files.toList()) {
                Files.write(file, list().signedBy(STRANGER).der());
            }
        }
        trust.restart(RevocationUpdater.Mode.BY_HAND);

        assertThat(trust.rejection(alice)).contains("no valid list");
    }

    @Test
    void signedBySomebodyElse_isOfNoUse() {
        server.answer(PATH, list().signedBy(STRANGER).der());

        assertThat(trust.rejection(alice)).isNotEmpty();
        trust.fetch();

        assertThat(trust.rejection(alice)).isNotEmpty();
        assertThat(problem()).contains("its issuer did not sign");
    }

    @Test
    void listPastItsNextUpdate_provesNothing_butStillRevokes() {
        answered(list().until(NOW.minusSeconds(1)));

        assertThat(trust.rejection(alice)).isNotEmpty();
        assertThat(problem()).contains("is out of date since");
        settings("\"fail\": \"soft\"," + FETCH + HERE);
        assertThat(trust.rejection(alice)).isEmpty();
        server.answer(
                PATH,
                list().until(NOW.minusSeconds(1))
                        .from(NOW.minusSeconds(9))
                        .revoking(serial(alice))
                        .der());
        trust.at(NOW.plusSeconds(120));
        trust.fetch();
        assertThat(trust.rejection(alice)).contains("revoked on");
    }

    /** The operator must not wait for a message of each certificate. */
    @Test
    void shownUnknownState_endsWithTheAnswer_withoutAFurtherMessage() {
        server.answer(PATH, list().der());
        assertThat(trust.rejection(alice)).isNotEmpty();
        assertThat(trust.trust().revocations().unknown()).hasSize(1);

        trust.fetch();
        trust.looksAgain();
        assertThat(trust.trust().version()).isPositive(); // programs look each second

        assertThat(trust.trust().revocations().unknown()).isEmpty();
    }

    @Test
    void softFail_acceptsUnknownState_andShowsIt() {
        settings("\"fail\": \"soft\"," + FETCH + HERE);
        server.answer(PATH, "no list".getBytes(java.nio.charset.StandardCharsets.US_ASCII));

        assertThat(trust.rejection(alice)).isEmpty();
        assertThat(trust.trust().revocations().unknown())
                .singleElement()
                .satisfies(line -> assertThat(line).contains("CN=alice"));
        trust.fetch();
        assertThat(problem()).contains("not a revocation list");
    }

    @Test
    void acceptedAnswer_endsWithTheList() {
        answered(list().until(NOW.plusSeconds(30)));
        assertThat(trust.rejection(alice)).isEmpty();

        trust.at(NOW.plusSeconds(31));

        assertThat(trust.rejection(alice)).isNotEmpty();
    }

    @Test
    void list_isFetchedAgainBeforeItsEnd_andAnUnchangedOneChangesNoVersion() {
        answered(list());
        trust.fetch();
        assertThat(server.count(PATH)).isEqualTo(1);
        long before = trust.trust().version();

        trust.at(NOW.plus(Duration.ofHours(6)));
        trust.fetch();

        assertThat(server.count(PATH)).isEqualTo(2);
        assertThat(trust.trust().version()).isEqualTo(before);
        assertThat(trust.rejection(alice)).isEmpty();
    }

    @Test
    void olderList_doesNotReplaceANewerOne() {
        answered(list().from(NOW.minusSeconds(60)).revoking(serial(alice)));
        server.answer(PATH, list().from(NOW.minusSeconds(3600)).der());

        trust.at(NOW.plus(Duration.ofHours(6)));
        trust.fetch();

        assertThat(problem()).contains("older");
        assertThat(trust.rejection(alice)).contains("revoked on");
    }

    /** The address may send an old list. The check for older ones knows no list of a forgotten address. */
    @Test
    void addressForgottenDuringItsAnswer_writesNoCopy() throws Exception {
        byte[] first = list().from(NOW.minusSeconds(60)).revoking(serial(alice)).der();
        server.answer(PATH, first);
        assertThat(trust.rejection(alice)).isNotEmpty();
        trust.fetch();
        server.answer(PATH, exchange -> {
            trust.settings("{\"schema\": 1}");
            assertThat(trust.trust().version()).as("takes the settings").isPositive();
            RevocationServer.send(exchange, list().from(NOW.minusSeconds(3600)).der());
        });

        trust.at(NOW.plus(Duration.ofHours(6)));
        trust.fetch();

        assertThat(server.count(PATH)).isEqualTo(2);
        assertThat(trust.trust().revocations().sources()).isEmpty();
        try (var files = Files.list(trust.home.fetchedRevocations())) {
            assertThat(files).singleElement().satisfies(file -> assertThat(file).hasBinaryContent(first));
        }
    }

    @Test
    void certificatesOfTheHome_areFetchedAfterAStartWithAWrongClock() {
        server.answer(PATH, list().der());
        write(trust.home.recipients(), "alice.pem", alice.certificate());
        trust.at(NOW.plus(Duration.ofDays(365)));
        trust.looksAgain();
        trust.fetch();
        assertThat(server.count(PATH)).as("alice has ended at that time").isZero();

        trust.at(NOW);
        trust.looksAgain();
        trust.fetch();

        assertThat(trust.rejection(alice)).isEmpty();
    }

    @Test
    void unknownStateSeenWhileTheClockWasAhead_isForgottenInTime() {
        trust.at(NOW.plus(Duration.ofDays(7)));
        assertThat(trust.rejection(alice)).isNotEmpty();
        assertThat(trust.trust().revocations().unknown()).hasSize(1);

        trust.at(NOW);

        assertThat(trust.trust().revocations().unknown()).isEmpty();
    }

    @Test
    void listOfAnotherScope_doesNotReplaceAFullOne() throws Exception {
        answered(list().revoking(serial(alice)));
        IssuingDistributionPoint authorities = new IssuingDistributionPoint(null, false, true, null, false, false);
        IssuingDistributionPoint part = new IssuingDistributionPoint(
                new DistributionPointName(
                        new GeneralNames(new GeneralName(GeneralName.uniformResourceIdentifier, "http://x/"))),
                false,
                false);
        Instant now = NOW.plus(Duration.ofHours(6));
        for (Extension scope : List.of(
                new Extension(Extension.deltaCRLIndicator, true, new ASN1Integer(1).getEncoded()),
                new Extension(Extension.issuingDistributionPoint, true, authorities.getEncoded()),
                new Extension(Extension.issuingDistributionPoint, true, part.getEncoded()))) {
            server.answer(PATH, list().from(NOW).with(scope).der());
            trust.at(now);
            trust.fetch();

            assertThat(problem()).contains("does not cover the certificate");
            assertThat(trust.rejection(alice)).contains("revoked on");
            now = now.plus(Duration.ofMinutes(59));
        }
        assertThat(server.count(PATH)).isEqualTo(4);
    }

    @Test
    void serverThatHangs_keepsNoMessageWaiting() {
        server.hang(PATH);
        trust.restart(RevocationUpdater.Mode.BACKGROUND);
        long begin = System.nanoTime();

        for (int i = 0; i < 20; i++) {
            assertThat(trust.rejection(alice)).isNotEmpty();
        }

        Tier.report(
                "20 judgements while a server hangs",
                Duration.ofNanos(System.nanoTime() - begin),
                Duration.ofMillis(900));
    }

    @Test
    void errorInTheThread_doesNotEndIt() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        try (RevocationUpdater updater = new RevocationUpdater(folder, trust, RevocationUpdater.Mode.BACKGROUND)) {
            updater.use(new RevocationSettings(
                    Source.FETCH, Source.OFF, Failure.HARD, WithoutSource.REFUSE, Set.of(), Duration.ofSeconds(1)));
            updater.pin(() -> {
                first.countDown();
                throw new StackOverflowError("of the test");
            });
            assertThat(first.await(3, TimeUnit.MINUTES)).isTrue();

            updater.pin(() -> {
                second.countDown();
                return List.of();
            });

            assertThat(second.await(3, TimeUnit.MINUTES)).isTrue();
        }
    }

    @Test
    void copiesForCertificatesOfTheHome_areReadBeforeTheStartEnds() {
        server.answer(PATH, list().der());
        write(trust.home.recipients(), "alice.pem", alice.certificate());
        trust.looksAgain();
        trust.fetch();
        server.hang(PATH);

        trust.restart(RevocationUpdater.Mode.BACKGROUND);
        trust.trust().begin();

        assertThat(trust.rejection(alice)).isEmpty();
    }

    @Test
    void hangingAnswer_isGivenUp_andAskedAgainLater() {
        settings("\"crl\": \"fetch\", \"timeout-seconds\": 1" + HERE);
        server.hangInTheMiddle(PATH);
        assertThat(trust.rejection(alice)).isNotEmpty();
        trust.fetch();
        assertThat(problem()).contains("no complete answer within 1 seconds");
        trust.fetch();
        assertThat(server.count(PATH)).as("no second question within a minute").isEqualTo(1);
        server.answer(PATH, list().der());
        settings(FETCH + HERE);
        trust.at(NOW.plusSeconds(61));
        trust.fetch();

        assertThat(trust.rejection(alice)).isEmpty();
    }

    @Test
    void endlessAnswer_isGivenUpAtTheLimit() {
        server.neverEnd(PATH);
        assertThat(trust.rejection(alice)).isNotEmpty();

        trust.fetch();

        assertThat(problem()).contains("more than 16777216 bytes");
    }

    @Test
    void redirections_areFollowedToAllowedHostsOnly_andFewTimes() {
        server.answer("/real" + PATH, list().der());
        server.redirect(PATH, "/real" + PATH);
        assertThat(trust.rejection(alice)).isNotEmpty();
        trust.fetch();
        assertThat(trust.rejection(alice)).isEmpty();

        String loop = "/loop" + PATH;
        server.redirect(loop, loop);
        Party bob = withList("CN=bob", server.url(loop)).by(ROOT).make();
        assertThat(trust.rejection(bob)).isEmpty(); // the list of their issuer is known
        trust.fetch();
        assertThat(server.count(loop)).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:///etc/passwd",
                "https://127.0.0.1/x",
                "http://localhost:1/x",
                "ldap://127.0.0.1/x",
                "http://user@127.0.0.1/"
            })
    void redirectionElsewhere_isNotFollowed(String target) {
        server.redirect(PATH, target);
        assertThat(trust.rejection(alice)).isNotEmpty();

        trust.fetch();

        assertThat(problem()).containsAnyOf("not plain http", "not among the hosts");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ldap://127.0.0.1/x",
                "file:///etc/passwd",
                "https://127.0.0.1/x",
                "http://a:b@127.0.0.1/",
                "ftp://127.0.0.1/",
                "nonsense"
            })
    void addressOfAnotherKind_isNeverAsked(String address) {
        Party carol = withList("CN=carol", address).by(ROOT).make();

        assertThat(trust.rejection(carol)).contains("names no address that Signet may ask");

        assertThat(trust.trust().revocations().sources()).isEmpty();
    }

    @Test
    void hostThatNobodyAllowed_isNotAskedIfItIsThisMachine() {
        settings(FETCH);
        assertThat(trust.rejection(alice)).isNotEmpty();

        trust.fetch();

        assertThat(problem()).contains("this machine");
        assertThat(server.count(PATH)).isZero();
    }

    /** An operator who mends the settings must not wait for up to an hour. */
    @Test
    void addressWithAProblem_isAskedAtOnceAfterAChangeOfTheSettings() {
        settings(FETCH);
        answered(list());
        trust.fetch();
        assertThat(problem()).contains("this machine");

        settings(FETCH + HERE);
        assertThat(trust.rejection(alice)).isNotEmpty();
        trust.fetch();

        assertThat(trust.rejection(alice)).isEmpty();
    }

    @Test
    void addressInUntrustedCertificate_isNotAsked() {
        Party mallory = withList("CN=mallory", server.url(PATH)).by(STRANGER).make();

        assertThat(trust.rejection(mallory)).isNotEmpty();
        trust.fetch();

        assertThat(server.count(PATH)).isZero();
    }

    @Test
    void recipientsOfTheHome_areFetchedBeforeTheirFirstMessage() {
        server.answer(PATH, list().der());
        write(trust.home.recipients(), "alice.pem", alice.certificate());
        trust.looksAgain();

        trust.fetch();

        assertThat(trust.rejection(alice)).isEmpty();
    }

    @Test
    void intermediateIssuer_needsAStateToo() {
        String below = "/below" + PATH;
        Party middle = withList("CN=Middle", server.url(PATH))
                .authority()
                .usage(CA)
                .by(ROOT)
                .make();
        Party leaf = withList("CN=leaf", server.url(below)).by(middle).make();
        server.answer(below, ListForge.of(middle, NEXT).der());
        assertThat(trust.rejection(leaf, middle.certificate())).isNotEmpty();
        trust.fetch();
        assertThat(trust.rejection(leaf, middle.certificate())).contains("CN=Middle");
        server.answer(PATH, list().der());
        trust.at(NOW.plusSeconds(61));
        trust.fetch();

        assertThat(trust.rejection(leaf, middle.certificate())).isEmpty();
    }

    @Test
    void manyAddresses_areBounded() {
        String[] urls = IntStream.range(0, 40)
                .mapToObj(i -> server.url("/many" + i + PATH))
                .toArray(String[]::new);
        Party many = withList("CN=many", urls).by(ROOT).make();
        for (int i = 0; i < 6; i++) {
            assertThat(trust.rejection(many)).isNotEmpty();
            trust.fetch();
            trust.at(NOW.plus(Duration.ofHours(2L * i)));
            trust.looksAgain();
        }

        assertThat(trust.trust().revocations().sources()).hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void fileInCrlFolder_isEnough() throws Exception {
        Files.createDirectories(trust.home.crl());
        Files.write(trust.home.crl().resolve("root.crl"), list().der());

        assertThat(trust.rejection(alice)).isEmpty();
    }

    @Test
    void certificateWithoutSource_isRejectedUnlessTheSettingsAcceptIt() {
        Party plain = CertificateForge.of("CN=plain").usage(LEAF).by(ROOT).make();
        assertThat(trust.rejection(plain)).isNotEmpty();

        settings("\"without-source\": \"accept\"," + FETCH + HERE);

        assertThat(trust.rejection(plain)).isEmpty();
        assertThat(trust.rejection(alice)).isNotEmpty();
    }

    /** Sources that Signet does not ask are sources. */
    @Test
    void certificateThatNamesASource_isNeverWithoutOne() throws Exception {
        settings("\"without-source\": \"accept\"," + FETCH + HERE);
        DistributionPointName relative = new DistributionPointName(
                DistributionPointName.NAME_RELATIVE_TO_CRL_ISSUER, new DERSet(new DERUTF8String("x")));
        byte[] points =
                new CRLDistPoint(new DistributionPoint[] {new DistributionPoint(relative, null, null)}).getEncoded();
        byte[] responder = new AuthorityInformationAccess(
                        AccessDescription.id_ad_ocsp,
                        new GeneralName(GeneralName.uniformResourceIdentifier, "https://ocsp.example.com/"))
                .getEncoded();

        assertThat(trust.rejection(withList("CN=empty").by(ROOT).make())).isNotEmpty();
        for (Party named : List.of(
                with(Extension.cRLDistributionPoints, points),
                with(Extension.cRLDistributionPoints, new byte[] {1}),
                with(Extension.freshestCRL, points),
                with(Extension.authorityInfoAccess, responder),
                with(Extension.authorityInfoAccess, new byte[] {1}))) {
            assertThat(trust.rejection(named)).isNotEmpty();
        }
    }

    private static Party with(ASN1ObjectIdentifier extension, byte[] value) {
        return CertificateForge.of("CN=named")
                .usage(LEAF)
                .with(extension, value)
                .by(ROOT)
                .make();
    }

    @Test
    void changedSettings_areInForceWithinASecond_andWrongOnesAreNot() {
        assertThat(trust.rejection(alice)).isNotEmpty();
        settings("\"crl\": \"fitch\"");
        assertThat(trust.rejection(alice)).isNotEmpty();
        assertThat(trust.trust().revocations().problem())
                .hasValueSatisfying(problem -> assertThat(problem).contains("revocation.crl", "nearest: 'fetch'"));

        trust.settings("{\"schema\": 1}");

        assertThat(trust.rejection(alice)).isEmpty();
        assertThat(trust.trust().revocations().problem()).isEmpty();
    }

    @Test
    void removedSettings_stayInForceUntilTheNextStart() throws Exception {
        assertThat(trust.rejection(alice)).isNotEmpty();
        Files.delete(trust.home.trustSettings());
        for (int i = 0; i < 2; i++) {
            trust.looksAgain();
            assertThat(trust.rejection(alice)).isNotEmpty();
            assertThat(trust.trust().revocations().problem())
                    .hasValueSatisfying(problem -> assertThat(problem).contains("trust.json: removed"));
        }

        settings(FETCH + HERE);
        assertThat(trust.rejection(alice)).isNotEmpty();
        assertThat(trust.trust().revocations().problem()).isEmpty();

        Files.delete(trust.home.trustSettings());
        trust.restart(RevocationUpdater.Mode.BY_HAND);
        assertThat(trust.rejection(alice)).isEmpty();
    }

    @Test
    void linkToMissingSettings_letsNothingPass() throws Exception {
        Files.delete(trust.home.trustSettings());
        Files.createSymbolicLink(trust.home.trustSettings(), Path.of("absent.json"));
        trust.restart(RevocationUpdater.Mode.BY_HAND);

        assertUnusable(() -> trust.rejection(alice), "trust.json: cannot be read");
    }

    @Test
    void settingsThatWereNeverRight_letNothingPass() {
        trust.settings("{");
        trust.restart(RevocationUpdater.Mode.BY_HAND);

        assertUnusable(() -> trust.rejection(alice), "trust.json");
    }
}
