/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.keystore.home.FetchedTrust.withResponder;
import static org.signetmq.keystore.internal.x509.TestCertificates.END;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;
import static org.signetmq.keystore.internal.x509.TestCertificates.root;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.internal.revocation.OcspForge;
import org.signetmq.keystore.internal.revocation.RevocationServer;
import org.signetmq.keystore.internal.revocation.RevocationUpdater;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;

/** Asks a real OCSP responder, which may also be hostile, and reads answers from files. */
final class FetchedAnswersTest {
    private static final RevocationServer SERVER = new RevocationServer();
    private static final Party ROOT = root("CN=Root,O=Example");
    private static final Party STRANGER = root("CN=Root,O=Example");
    private static final String FETCH = "\"ocsp\": \"fetch\", \"timeout-seconds\": 30, \"hosts\": [\"127.0.0.1\"]";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private FetchedTrust trust;

    @SuppressWarnings("NullAway.Init") // set before each test
    private String path;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Party alice;

    @BeforeEach
    void issueAlice() {
        path = "/" + folder.getFileName();
        alice = withResponder("CN=alice,O=Example", SERVER.url(path)).by(ROOT).make();
        trust = new FetchedTrust(folder, ROOT, FETCH);
    }

    @AfterEach
    void close() {
        trust.close();
    }

    @AfterAll
    static void stop() {
        SERVER.close();
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
        assertThat(trust.rejection(alice)).isPresent();
        assertThat(SERVER.count(path))
                .as("questions of the thread of a message")
                .isZero();
        trust.fetch();
        assertThat(SERVER.count(path)).isEqualTo(1);
        String problem = trust.trust().revocations().sources().get(0).problem().orElse("");
        assertThat(trust.rejection(alice).isEmpty()).isEqualTo(problem.isEmpty());
        return problem;
    }

    @Test
    void goodAnswerWithTheNonce_isAccepted_andKeptForARestart() {
        SERVER.answer(path, exchange -> {
            byte[] question = exchange.getRequestBody().readAllBytes();
            assertThat(exchange.getRequestHeaders().getFirst("Content-Type")).isEqualTo("application/ocsp-request");
            RevocationServer.send(exchange, good().answering(question).der());
        });
        assertThat(asked()).isEmpty();
        SERVER.hang(path);

        trust.restart(RevocationUpdater.Mode.BY_HAND);

        assertThat(trust.rejection(alice)).isEmpty();
    }

    @Test
    void answerWithoutNonce_isAccepted() {
        SERVER.answer(path, good().der());

        assertThat(asked()).isEmpty();
    }

    @Test
    void answerWithAnOldNonce_isOfNoUse() throws IOException {
        SERVER.answer(
                path,
                good().nonce(new Extension(
                                OCSPObjectIdentifiers.id_pkix_ocsp_nonce,
                                false,
                                new DEROctetString(new byte[32]).getEncoded()))
                        .der());

        assertThat(asked()).contains("its nonce differs");
    }

    @Test
    void revoked_isRejected() {
        SERVER.answer(path, good().revoked().der());
        assertThat(trust.rejection(alice)).isPresent();

        trust.fetch();

        assertThat(trust.rejection(alice))
                .hasValueSatisfying(reason -> assertThat(reason).contains("revoked on", "OCSP"));
    }

    @Test
    void wrongSignature_isOfNoUse() {
        byte[] lie = good().der();
        lie[lie.length / 2] ^= 1;
        SERVER.answer(path, lie);
        assertThat(asked()).isNotEmpty();
    }

    @Test
    void answerOfAnotherIssuerWithTheSameName_isOfNoUse() {
        SERVER.answer(path, good().signedBy(STRANGER).der());

        assertThat(asked()).contains("wrong or weak signature");
    }

    @Test
    void answerAboutAnotherCertificate_isOfNoUse() {
        SERVER.answer(path, good().about(BigInteger.TEN).der());

        assertThat(asked()).contains("about another certificate");
    }

    @Test
    void answerAboutTheSameNumberOfAnotherIssuer_isOfNoUse() {
        SERVER.answer(path, OcspForge.of(STRANGER, alice).signedBy(ROOT).der());

        assertThat(asked()).contains("about another certificate");
    }

    @Test
    void delegatedResponder_isAcceptedOnlyForOcspSigning() {
        SERVER.answer(
                path,
                good().signedBy(responder(ROOT, KeyPurposeId.id_kp_OCSPSigning)).der());
        assertThat(asked()).isEmpty();
    }

    @Test
    void certificateForMail_answersNothing() {
        SERVER.answer(
                path,
                good().signedBy(responder(ROOT, KeyPurposeId.id_kp_emailProtection))
                        .der());
        assertThat(asked()).contains("did not name");
    }

    @Test
    void responderOfAnotherIssuer_isOfNoUse() {
        SERVER.answer(
                path,
                good().signedBy(responder(STRANGER, KeyPurposeId.id_kp_OCSPSigning))
                        .der());
        assertThat(asked()).contains("did not name");
    }

    @Test
    void endedAnswer_isOfNoUse() {
        SERVER.answer(
                path,
                good().during(NOW.minusSeconds(7200), NOW.minusSeconds(3600)).der());
        assertThat(asked()).contains("not right at this time");
    }

    @Test
    void answerWithoutEnd_holdsForAnHour() {
        SERVER.answer(path, good().during(NOW, null).der());
        assertThat(asked()).isEmpty();
        SERVER.hang(path);

        trust.at(NOW.plus(Duration.ofMinutes(61)));

        assertThat(trust.rejection(alice)).isPresent();
    }

    @Test
    void renewedAnswer_countsAfterTheEndOfTheFirst_andChangesNoVersion() {
        SERVER.answer(path, good().during(NOW, NOW.plus(Duration.ofHours(10))).der());
        assertThat(asked()).isEmpty();
        long before = trust.trust().version();
        trust.at(NOW.plus(Duration.ofHours(6)));
        SERVER.answer(
                path,
                good().during(NOW.plus(Duration.ofHours(5)), NOW.plus(Duration.ofHours(20)))
                        .der());
        trust.fetch();
        assertThat(SERVER.count(path)).isEqualTo(2);

        trust.at(NOW.plus(Duration.ofHours(10)).plusSeconds(1));

        assertThat(trust.rejection(alice)).isEmpty();
        assertThat(trust.trust().version()).isEqualTo(before);
    }

    @Test
    void unknownCertificate_isRejected() {
        SERVER.answer(path, good().unknown().der());
        assertThat(trust.rejection(alice)).isPresent();

        trust.fetch();

        assertThat(trust.rejection(alice)).isPresent();
    }

    @Test
    void noAnswerAtAll_isOfNoUse() {
        SERVER.answer(path, "tryLater".getBytes(StandardCharsets.US_ASCII));
        assertThat(asked()).contains("no OCSP answer");
    }

    @Test
    void hangingResponder_isGivenUp() {
        trust.settings("{\"schema\": 1, \"revocation\": {" + FETCH.replace("30", "1") + "}}");
        SERVER.hang(path);
        assertThat(asked()).contains("no complete answer");
    }

    @Test
    void endlessAnswer_isGivenUpAtTheLimit() {
        SERVER.neverEnd(path);
        assertThat(asked()).contains("more than 65536 bytes");
    }

    @Test
    void redirection_isNotFollowed() {
        SERVER.redirect(path, "/elsewhere");
        assertThat(asked()).contains("HTTP status 302");
    }

    @Test
    void fileInOcspFolder_isEnough_andARevokingOneRejects() throws Exception {
        Files.createDirectories(trust.home.ocsp());
        Path file = trust.home.ocsp().resolve("alice.der");
        Files.write(file, good().der());
        assertThat(trust.rejection(alice)).isEmpty();

        Files.write(file, good().revoked().der());
        trust.looksAgain();

        assertThat(trust.rejection(alice))
                .hasValueSatisfying(reason -> assertThat(reason).contains("revoked on"));
    }

    @Test
    void revokingAnswer_countsAfterItsEnd_andAfterARestart() throws Exception {
        trust.settings("{\"schema\": 1, \"revocation\": {\"fail\": \"soft\"," + FETCH + "}}");
        SERVER.answer(path, good().revoked().during(NOW, NOW.plusSeconds(60)).der());
        assertThat(trust.rejection(alice)).isEmpty();
        trust.fetch();
        assertThat(trust.rejection(alice)).isPresent();
        trust.at(NOW.plus(Duration.ofHours(2)));

        trust.restart(RevocationUpdater.Mode.BY_HAND);

        assertThat(trust.rejection(alice))
                .hasValueSatisfying(reason -> assertThat(reason).contains("revoked on"));
    }

    @Test
    void revokingFile_countsAfterTheEndOfItsResponder() throws Exception {
        trust.settings("{\"schema\": 1, \"revocation\": {\"fail\": \"soft\", \"ocsp\": \"files\"}}");
        Party responder = CertificateForge.of("CN=responder")
                .by(ROOT)
                .usage(KeyUsage.digitalSignature)
                .with(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_OCSPSigning))
                .until(NOW.plusSeconds(60))
                .make();
        Files.createDirectories(trust.home.ocsp());
        Files.write(
                trust.home.ocsp().resolve("alice.der"),
                good().revoked().signedBy(responder).der());
        trust.at(NOW.plus(Duration.ofHours(2)));
        trust.looksAgain();

        assertThat(trust.rejection(alice))
                .hasValueSatisfying(reason -> assertThat(reason).contains("revoked on"));
    }

    @Test
    void unreadableFile_letsNothingPass_unlessNoAnswerCounts() throws Exception {
        Files.createDirectories(trust.home.ocsp());
        Files.writeString(trust.home.ocsp().resolve("alice.der"), "no answer");
        trust.settings("{\"schema\": 1, \"revocation\": {\"fail\": \"soft\", \"ocsp\": \"files\"}}");
        assertThat(trust.rejection(alice))
                .hasValueSatisfying(reason -> assertThat(reason).contains("cannot be read: alice.der"));

        trust.settings("{\"schema\": 1, \"revocation\": {\"fail\": \"soft\", \"ocsp\": \"off\"}}");

        assertThat(trust.rejection(alice)).isEmpty();
    }

    @Test
    void fileOfAStranger_isNotUsed() throws Exception {
        Files.createDirectories(trust.home.ocsp());
        Files.write(
                trust.home.ocsp().resolve("alice.der"),
                OcspForge.of(STRANGER, alice).during(NOW, END).der());

        assertThat(trust.rejection(alice)).isPresent();
    }
}
