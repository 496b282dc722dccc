/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.keystore.internal.x509.TestCertificates.END;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.internal.trust.ListForge;
import org.signetmq.keystore.internal.trust.OcspForge;
import org.signetmq.keystore.internal.trust.RevocationServer;
import org.signetmq.keystore.internal.trust.RevocationUpdater;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;

/** Asks a real OCSP responder, which may also be hostile, and reads answers from files. */
final class FetchedAnswersTest extends FetchingTest {
    private static final String FETCH = "\"ocsp\": \"fetch\", \"timeout-seconds\": 30, \"hosts\": [\"127.0.0.1\"]";

    FetchedAnswersTest() {
        super(FETCH, FetchedTrust::withResponder);
    }

    private OcspForge good() {
        return OcspForge.of(ROOT, alice);
    }

    private static Party responder(Party issuer, KeyPurposeId purpose) {
        return CertificateForge.of("CN=responder")
                .by(issuer)
                .usage(KeyUsage.digitalSignature)
                .with(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose))
                .make();
    }

    /** Asks for the first time, and returns the problem of the answer; empty if the certificate is accepted then. */
    private String asked() {
        assertThat(trust.rejection(alice)).isNotEmpty();
        assertThat(server.count(PATH))
                .as("questions of the thread of a message")
                .isZero();
        trust.fetch();
        assertThat(server.count(PATH)).isEqualTo(1);
        assertThat(trust.rejection(alice).isEmpty()).isEqualTo(problem().isEmpty());
        return problem();
    }

    @Test
    void goodAnswerWithTheNonce_isAccepted_andKeptForARestart() {
        server.answer(PATH, exchange -> {
            byte[] question = exchange.getRequestBody().readAllBytes();
            assertThat(exchange.getRequestHeaders().getFirst("Content-Type")).isEqualTo("application/ocsp-request");
            RevocationServer.send(exchange, good().answering(question).der());
        });
        assertThat(asked()).isEmpty();
        server.hang(PATH);

        trust.restart(RevocationUpdater.Mode.BY_HAND);

        assertThat(trust.rejection(alice)).isEmpty();
    }

    @Test
    void answerWithoutNonce_isAccepted() {
        server.answer(PATH, good().der());

        assertThat(asked()).isEmpty();
    }

    @Test
    void answerWithAnOldNonce_isOfNoUse() throws IOException {
        server.answer(
                PATH,
                good().nonce(new Extension(
                                OCSPObjectIdentifiers.id_pkix_ocsp_nonce,
                                false,
                                new DEROctetString(new byte[32]).getEncoded()))
                        .der());

        assertThat(asked()).contains("its nonce differs");
    }

    @Test
    void revoked_isRejected() {
        server.answer(PATH, good().revoked().der());
        assertThat(trust.rejection(alice)).isNotEmpty();

        trust.fetch();

        assertThat(trust.rejection(alice)).contains("revoked on", "OCSP");
    }

    @Test
    void wrongSignature_isOfNoUse() {
        byte[] lie = good().der();
        lie[lie.length / 2] ^= 1;
        server.answer(PATH, lie);
        assertThat(asked()).isNotEmpty();
    }

    @Test
    void answerOfAnotherIssuerWithTheSameName_isOfNoUse() {
        server.answer(PATH, good().signedBy(STRANGER).der());

        assertThat(asked()).contains("wrong or weak signature");
    }

    @Test
    void answerAboutAnotherCertificate_isOfNoUse() {
        server.answer(PATH, good().about(BigInteger.TEN).der());

        assertThat(asked()).contains("about another certificate");
    }

    @Test
    void answerAboutTheSameNumberOfAnotherIssuer_isOfNoUse() {
        server.answer(PATH, OcspForge.of(STRANGER, alice).signedBy(ROOT).der());

        assertThat(asked()).contains("about another certificate");
    }

    @Test
    void delegatedResponder_isAcceptedOnlyForOcspSigning() {
        server.answer(
                PATH,
                good().signedBy(responder(ROOT, KeyPurposeId.id_kp_OCSPSigning)).der());
        assertThat(asked()).isEmpty();
    }

    @Test
    void certificateForMail_answersNothing() {
        server.answer(
                PATH,
                good().signedBy(responder(ROOT, KeyPurposeId.id_kp_emailProtection))
                        .der());
        assertThat(asked()).contains("did not name");
    }

    @Test
    void responderOfAnotherIssuer_isOfNoUse() {
        server.answer(
                PATH,
                good().signedBy(responder(STRANGER, KeyPurposeId.id_kp_OCSPSigning))
                        .der());
        assertThat(asked()).contains("did not name");
    }

    @Test
    void endedAnswer_isOfNoUse() {
        server.answer(
                PATH,
                good().during(NOW.minusSeconds(7200), NOW.minusSeconds(3600)).der());
        assertThat(asked()).contains("not right at this time");
    }

    @Test
    void answerWithoutEnd_holdsForAnHour() {
        server.answer(PATH, good().during(NOW, null).der());
        assertThat(asked()).isEmpty();
        server.hang(PATH);

        trust.at(NOW.plus(Duration.ofMinutes(61)));

        assertThat(trust.rejection(alice)).isNotEmpty();
    }

    @Test
    void renewedAnswer_countsAfterTheEndOfTheFirst_andChangesNoVersion() {
        server.answer(PATH, good().during(NOW, NOW.plus(Duration.ofHours(10))).der());
        assertThat(asked()).isEmpty();
        long before = trust.trust().version();
        trust.at(NOW.plus(Duration.ofHours(6)));
        server.answer(
                PATH,
                good().during(NOW.plus(Duration.ofHours(5)), NOW.plus(Duration.ofHours(20)))
                        .der());
        trust.fetch();
        assertThat(server.count(PATH)).isEqualTo(2);

        trust.at(NOW.plus(Duration.ofHours(10)).plusSeconds(1));

        assertThat(trust.rejection(alice)).isEmpty();
        assertThat(trust.trust().version()).isEqualTo(before);
    }

    @Test
    void answerThatDeniesARevocation_doesNotCount() throws Exception {
        Files.createDirectories(trust.home.crl());
        Files.write(
                trust.home.crl().resolve("root.crl"),
                ListForge.of(ROOT, END)
                        .revoking(alice.certificate().getSerialNumber())
                        .der());
        server.answer(PATH, good().der());
        assertThat(trust.rejection(alice)).isNotEmpty();

        trust.fetch();

        assertThat(problem()).isEmpty();
        assertThat(trust.rejection(alice)).contains("revoked on");
    }

    @Test
    void unknownCertificate_isRejected() {
        server.answer(PATH, good().unknown().der());
        assertThat(trust.rejection(alice)).isNotEmpty();

        trust.fetch();

        assertThat(trust.rejection(alice)).isNotEmpty();
    }

    @Test
    void noAnswerAtAll_isOfNoUse() {
        server.answer(PATH, "tryLater".getBytes(StandardCharsets.US_ASCII));
        assertThat(asked()).contains("no OCSP answer");
    }

    @Test
    void hangingResponder_isGivenUp() {
        settings(FETCH.replace("30", "1"));
        server.hang(PATH);
        assertThat(asked()).contains("no complete answer");
    }

    @Test
    void endlessAnswer_isGivenUpAtTheLimit() {
        server.neverEnd(PATH);
        assertThat(asked()).contains("more than 65536 bytes");
    }

    @Test
    void redirection_isNotFollowed() {
        server.redirect(PATH, "/elsewhere");
        assertThat(asked()).contains("HTTP status 302");
    }

    @Test
    void fileInOcspFolder_thatWasSeenWithAWrongClock_isSeenAgain() throws Exception {
        Party shortly = CertificateForge.of("CN=responder")
                .by(ROOT)
                .usage(KeyUsage.digitalSignature)
                .with(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_OCSPSigning))
                .until(NOW.plus(Duration.ofDays(1)))
                .make();
        Files.createDirectories(trust.home.ocsp());
        Files.write(
                trust.home.ocsp().resolve("alice.der"),
                good().signedBy(shortly)
                        .during(NOW, NOW.plus(Duration.ofDays(3)))
                        .der());
        trust.at(NOW.plus(Duration.ofDays(2)));
        assertThat(trust.rejection(alice)).isNotEmpty();

        trust.at(NOW);

        assertThat(trust.rejection(alice)).isEmpty();
    }

    @Test
    void fileInOcspFolder_isEnough_andARevokingOneRejects() throws Exception {
        Files.createDirectories(trust.home.ocsp());
        Path file = trust.home.ocsp().resolve("alice.der");
        Files.write(file, good().der());
        assertThat(trust.rejection(alice)).isEmpty();

        Files.write(file, good().revoked().der());
        trust.looksAgain();

        assertThat(trust.rejection(alice)).contains("revoked on");
    }

    @Test
    void revokingAnswer_countsAfterItsEnd_andAfterARestart() throws Exception {
        settings("\"fail\": \"soft\"," + FETCH);
        server.answer(PATH, good().revoked().during(NOW, NOW.plusSeconds(60)).der());
        assertThat(trust.rejection(alice)).isEmpty();
        trust.fetch();
        assertThat(trust.rejection(alice)).isNotEmpty();
        trust.at(NOW.plus(Duration.ofHours(2)));

        trust.restart(RevocationUpdater.Mode.BY_HAND);

        assertThat(trust.rejection(alice)).contains("revoked on");
    }

    private static Party responderThatEndsSoon() {
        return CertificateForge.of("CN=responder")
                .by(ROOT)
                .usage(KeyUsage.digitalSignature)
                .with(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_OCSPSigning))
                .until(NOW.plusSeconds(60))
                .make();
    }

    @Test
    void revokingFile_countsUntilTheEndOfItsResponder() throws Exception {
        settings("\"fail\": \"soft\", \"ocsp\": \"files\"");
        Party responder = responderThatEndsSoon();
        Files.createDirectories(trust.home.ocsp());
        Files.write(
                trust.home.ocsp().resolve("alice.der"),
                good().revoked().signedBy(responder).der());
        trust.at(NOW.plusSeconds(30));
        trust.looksAgain();
        assertThat(trust.rejection(alice)).contains("revoked on");

        trust.at(NOW.plus(Duration.ofHours(2)));
        trust.looksAgain();
        assertThat(trust.rejection(alice)).isEmpty();

        trust.restart(RevocationUpdater.Mode.BY_HAND);
        assertThat(trust.rejection(alice)).isEmpty();
    }

    @Test
    void revokingFileWhoseResponderEnded_hidesNoOtherThatRevokes() throws Exception {
        settings("\"fail\": \"soft\", \"ocsp\": \"files\"");
        Party responder = responderThatEndsSoon();
        Instant shortly = NOW.plus(Duration.ofHours(4));
        Files.createDirectories(trust.home.ocsp());
        Files.write(
                trust.home.ocsp().resolve("long.der"),
                good().revoked().signedBy(responder).der());
        Files.write(
                trust.home.ocsp().resolve("short.der"),
                good().revoked().during(NOW.minusSeconds(60), shortly).der());
        trust.looksAgain();
        assertThat(trust.rejection(alice)).isNotEmpty(); // both are known by now

        trust.at(NOW.plus(Duration.ofHours(2)));
        trust.looksAgain();

        assertThat(trust.rejection(alice)).contains("revoked on");
    }

    @Test
    void unreadableFile_letsNothingPass_unlessNoAnswerCounts() throws Exception {
        Files.createDirectories(trust.home.ocsp());
        Files.writeString(trust.home.ocsp().resolve("alice.der"), "no answer");
        settings("\"fail\": \"soft\", \"ocsp\": \"files\"");
        assertThat(trust.rejection(alice)).contains("cannot be read: alice.der");

        settings("\"fail\": \"soft\", \"ocsp\": \"off\"");

        assertThat(trust.rejection(alice)).isEmpty();
    }

    @Test
    void fileOfAStranger_isNotUsed() throws Exception {
        Files.createDirectories(trust.home.ocsp());
        Files.write(
                trust.home.ocsp().resolve("alice.der"),
                OcspForge.of(STRANGER, alice).during(NOW, END).der());

        assertThat(trust.rejection(alice)).isNotEmpty();
    }
}
