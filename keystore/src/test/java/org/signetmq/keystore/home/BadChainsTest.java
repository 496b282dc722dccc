/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.keystore.internal.x509.TestCertificates.CA;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;
import static org.signetmq.keystore.internal.x509.TestCertificates.ec;
import static org.signetmq.keystore.internal.x509.TestCertificates.issue;
import static org.signetmq.keystore.internal.x509.TestCertificates.root;
import static org.signetmq.keystore.internal.x509.TestCertificates.rsa;
import static org.signetmq.keystore.internal.x509.TestCertificates.write;

import java.nio.file.Files;
import java.security.cert.X509Certificate;
import org.bouncycastle.asn1.x500.X500Name;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.keystore.internal.trust.ListForge;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.CertificatePaths.VerificationBudget;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.keystore.internal.x509.TestCertificates.Shape;

/** Certificates in the wrong place, order or number, and names in other forms. */
final class BadChainsTest extends HomeTest {
    private static final Party ROOT = root("CN=Root,O=Example");

    @BeforeEach
    void trustRoot() {
        trust("root", ROOT);
    }

    @Test
    void authorityInPlaceOfTheLeaf_doesNotSign() {
        Party middle = issue("CN=Middle", ROOT, Shape.AUTHORITY);
        Party leaf = issue("CN=leaf", middle, Shape.USUAL);

        assertThat(reason(middle.certificate(), leaf.certificate())).isEqualTo(Reason.WRONG_KEY_USAGE);
    }

    @Test
    void leafInPlaceOfTheAuthority_vouchesForNothing() {
        Party leaf = issue("CN=leaf", ROOT, Shape.USUAL);
        Party below = issue("CN=below", leaf, Shape.USUAL);
        trust("root", leaf);
        write(home.recipients(), "leaf.pem", ROOT.certificate());

        assertThat(reason(below.certificate(), leaf.certificate())).isEqualTo(Reason.UNTRUSTED);
        assertThat(reason(issue("CN=other", ROOT, Shape.USUAL).certificate(), ROOT.certificate()))
                .as("an issuer that came with the message, or from recipients/")
                .isEqualTo(Reason.UNTRUSTED);
    }

    @Test
    void chainOfTwenty_isRejectedAtLittleCost() {
        Party last = ROOT;
        for (int i = 0; i < 20; i++) {
            last = issue("CN=Level " + i, last, Shape.AUTHORITY);
            write(home.recipients(), "level" + i + ".pem", last.certificate());
        }

        assertThat(reason(issue("CN=leaf", last, Shape.USUAL).certificate())).isEqualTo(Reason.UNTRUSTED);
        assertThat(trust.signatureVerifications()).isLessThanOrEqualTo(VerificationBudget.LIMIT);
    }

    @Test
    void issuersInACircle_areRejectedAtLittleCost() {
        Party one = root("CN=One");
        Party two = root("CN=Two");
        X509Certificate oneByTwo = CertificateForge.of("CN=One", one.pair())
                .authority()
                .usage(CA)
                .by(two)
                .make()
                .certificate();
        X509Certificate twoByOne = CertificateForge.of("CN=Two", two.pair())
                .authority()
                .usage(CA)
                .by(one)
                .make()
                .certificate();
        write(home.recipients(), "one.pem", oneByTwo, twoByOne);

        assertThat(reason(issue("CN=leaf", one, Shape.USUAL).certificate())).isEqualTo(Reason.UNTRUSTED);
        assertThat(trust.signatureVerifications()).isLessThanOrEqualTo(VerificationBudget.LIMIT);
    }

    @Test
    void oneNameOfTwoKeys_worksForBothByFile() {
        Party first = issue("CN=twin,O=Example", ROOT, Shape.USUAL);
        Party second = issue("CN=twin,O=Example", ROOT, Shape.USUAL);
        write(home.recipients(), "first.pem", first.certificate());
        write(home.recipients(), "second.pem", second.certificate());

        assertAccepted(first.certificate());
        assertAccepted(second.certificate());
        assertThat(home.recipientDirectory().find("second"))
                .hasValueSatisfying(found -> assertThat(found.certificate()).isEqualTo(second.certificate()));
    }

    @Test
    void twoIssuersOfOneName_revokeOnlyWhatTheyIssued() throws Exception {
        Party twin = root("CN=Root,O=Example");
        trust("twin", twin);
        Party ours = issue("CN=ours", ROOT, Shape.USUAL);
        byte[] list = ListForge.of(twin, NOW.plusSeconds(60))
                .revoking(ours.certificate().getSerialNumber())
                .der();
        Files.createDirectories(home.crl());
        Files.write(home.crl().resolve("twin.crl"), list);

        assertAccepted(ours.certificate());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    CN=Zoë Müller, O=例え | cn=ZOë MüLLER,o=例え
                    CN="Smith, John", O=Example | O=Example,CN=smith\\, john
                    CN=a\\+b\\=c, OU=x | ou=X, cn=A\\+B\\=C
                    CN=\\#1\\;2, O=Example | cn=\\#1\\;2,O=example
                    """)
    void unicodeAndQuotedNames_findTheirCertificateInAnyAsciiCaseAndOrder(String name, String selector) {
        Party party = CertificateForge.of(new X500Name(name), ec()).by(ROOT).make();
        write(home.recipients(), "party.pem", party.certificate());

        assertAccepted(party.certificate());
        assertThat(home.recipientDirectory().find(selector))
                .hasValueSatisfying(found -> assertThat(found.certificate()).isEqualTo(party.certificate()));
    }

    @Test
    void keysThatTheSettingsForbid_areRejectedInEachPlaceOfAPath() throws Exception {
        write(
                home.root(),
                "trust.json",
                "{\"schema\": 1, \"least-rsa-bits\": 3072, \"curves\": [\"P-256\"],"
                        + " \"signature-algorithms\": [\"SHA256withECDSA\"]}");
        assertAccepted(issue("CN=p-256", ROOT, Shape.USUAL).certificate());

        Party rsa = CertificateForge.of("CN=rsa", rsa(2048)).by(ROOT).make();
        assertThat(reason(rsa.certificate())).isEqualTo(Reason.UNSUPPORTED_KEY);
        Party other = issue("CN=other", ROOT, Shape.USUAL.signature("SHA384withECDSA"));
        assertThat(reason(other.certificate())).isEqualTo(Reason.UNTRUSTED);
        Party middle = issue("CN=Middle", ROOT, Shape.AUTHORITY.signature("SHA512withECDSA"));
        assertThat(reason(issue("CN=below", middle, Shape.USUAL).certificate(), middle.certificate()))
                .isEqualTo(Reason.UNTRUSTED);
    }
}
