/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.signetmq.keystore.internal.x509.TestCertificates.END;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;
import static org.signetmq.keystore.internal.x509.TestCertificates.ec;
import static org.signetmq.keystore.internal.x509.TestCertificates.root;
import static org.signetmq.keystore.internal.x509.TestCertificates.rsa;
import static org.signetmq.keystore.internal.x509.TestCertificates.write;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.GeneralSubtree;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.NameConstraints;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.internal.trust.ListForge;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;

/** The holes that were published in the path validation of others, most of them in 2025 and 2026. */
final class CertificateAttackTest extends HomeTest {
    private static final Party ROOT = root("CN=Root,O=Example");

    private static final Map<String, String> GOOD =
            Map.of("dns", "good.example.org", "mail", "a@good.example.org", "uri", "http://good.example.org/");

    @BeforeEach
    void trustRoot() {
        trust("root", ROOT);
    }

    /** CVE-2026-8763: a dot behind a name, which means the same host, led around the constraints. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "dns|bad.example.com|bad.example.com X.bad.example.com BAD.example.COM bad.example.com. x.bad.example.com. "
                        + "bad.example.com.. .bad.example.com. xn--x.bad.example.com",
                "dns|xn--bcher-kva.example|xn--bcher-kva.example XN--BCHER-KVA.example xn--bcher-kva.example.",
                "mail|bad.example.com|a@bad.example.com a@BAD.example.com a@bad.example.com. A@Bad.Example.Com..",
                "mail|.example.com|a@bad.example.com a@BAD.example.COM a@bad.example.com.",
                "mail|ceo@example.com|ceo@example.com ceo@EXAMPLE.com ceo@example.com.",
                "uri|bad.example.com|http://bad.example.com/ http://BAD.example.com/ http://bad.example.com./ "
                        + "http://user@bad.example.com:80/ http://bad.example.com.:80/",
                "uri|.example.com|http://bad.example.com/ http://bad.example.com./ http://BAD.EXAMPLE.COM",
            })
    void excludedName_isRejectedInEachSpelling(String kind, String excluded, String names) {
        Party constrained = constrained(new NameConstraints(null, new GeneralSubtree[] {subtree(kind, excluded)}));

        assertAccepted(named(kind, good(kind), constrained));
        for (String name : names.split(" ", -1)) {
            assertThat(reasonOrNull(named(kind, name, constrained))).as(name).isEqualTo(Reason.UNTRUSTED);
        }
    }

    private static String good(String kind) {
        return Objects.requireNonNull(GOOD.get(kind));
    }

    /** The address in a subject is an alternative name, too, if the certificate has no other. */
    @ParameterizedTest
    @ValueSource(strings = {"ceo@bad.example.com", "ceo@BAD.example.com", "ceo@bad.example.com."})
    void excludedAddressOfASubject_isRejected(String address) {
        Party constrained =
                constrained(new NameConstraints(null, new GeneralSubtree[] {subtree("mail", "bad.example.com")}));

        assertAccepted(CertificateForge.of("CN=a,1.2.840.113549.1.9.1=a@good.example.org")
                .by(constrained)
                .make()
                .certificate());
        assertThat(reasonOrNull(CertificateForge.of("CN=a,1.2.840.113549.1.9.1=" + address)
                        .by(constrained)
                        .make()
                        .certificate()))
                .isEqualTo(Reason.UNTRUSTED);
    }

    /** A constraint that a reader compares byte for byte excludes nothing, if it is written in another way. */
    @ParameterizedTest
    @CsvSource({"dns,bad.example.com.", "dns,bad..example.com", "mail,bad.example.com."})
    void constraintThatIsNoPlainName_rejectsEverything(String kind, String excluded) {
        Party constrained = constrained(new NameConstraints(null, new GeneralSubtree[] {subtree(kind, excluded)}));

        assertThat(reasonOrNull(named(kind, good(kind), constrained))).isEqualTo(Reason.UNTRUSTED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dns|good.example.com|bad.example.com. good.example.com.evil.org xgood.example.com evil.org/good.example.com "
                        + "good.example.com.. com . *",
                "mail|good.example.com|a@evil.org a@good.example.com.evil.org a@evil.org@good.example.com. a@x.good.example.com",
                "uri|.good.example.com|http://evil.org/ http://good.example.com.evil.org/ http://evil.org?.good.example.com "
                        + "http://evil.org#.good.example.com http://evil.org\\.good.example.com http://1.2.3.4/",
            })
    void nameOutsideThePermitted_isRejected(String kind, String permitted, String names) {
        Party constrained = constrained(new NameConstraints(new GeneralSubtree[] {subtree(kind, permitted)}, null));

        for (String name : names.split(" ", -1)) {
            assertThat(reasonOrNull(named(kind, name, constrained))).as(name).isEqualTo(Reason.UNTRUSTED);
        }
    }

    /** CVE-2026-71889: the certificate in question was not in the path that was validated. */
    @Test
    void leafThatThePathOfAnotherIsFor_isRejected() {
        Party middle = CertificateForge.of("CN=M").authority().by(ROOT).make();
        X509Certificate good = CertificateForge.of("CN=leaf").by(middle).make().certificate();
        Party stranger = CertificateForge.of("CN=M").authority().make(); // the same name, another key
        List<X509Certificate> others = List.of(good, middle.certificate(), ROOT.certificate());

        assertAccepted(good, others);
        for (X509Certificate skipped : List.of(
                CertificateForge.of("CN=leaf").by(stranger).make().certificate(),
                CertificateForge.of("CN=leaf").make().certificate(),
                CertificateForge.of("CN=leaf")
                        .by(root("CN=Root,O=Example"))
                        .make()
                        .certificate(),
                stranger.certificate())) {
            assertThat(reason(skipped, others)).isEqualTo(Reason.UNTRUSTED);
        }
    }

    /** With the exponent 1 each padded digest is its own signature. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void rsaKeyWithTooSmallAnExponent_isNoCertificate(int exponent) throws IOException {
        BigInteger modulus = ((RSAPublicKey) rsa(2048).getPublic()).getModulus();
        PublicKey key = unchecked(new SubjectPublicKeyInfo(
                new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE),
                new DERSequence(new ASN1Integer[] {new ASN1Integer(modulus), new ASN1Integer(exponent)})));

        assertThatThrownBy(() -> CertificateForge.of("CN=weak", new KeyPair(key, ec().getPrivate()))
                        .by(ROOT)
                        .make())
                .hasStackTraceContaining("exponent is smaller than 3");
    }

    private static PublicKey unchecked(SubjectPublicKeyInfo encoded) {
        return new PublicKey() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getAlgorithm() {
                return "RSA";
            }

            @Override
            public String getFormat() {
                return "X.509";
            }

            @Override
            public byte[] getEncoded() {
                try {
                    return encoded.getEncoded();
                } catch (IOException impossible) {
                    throw new UncheckedIOException(impossible);
                }
            }
        };
    }

    /** Of PKITS 4.7.4: the key usage of the issuer has no cRLSign. Its list revokes, and proves nothing. */
    @Test
    void listOfAnIssuerWithoutTheUsage_revokes_andProvesNothing() throws Exception {
        Party issuer = CertificateForge.of("CN=I")
                .authority()
                .usage(KeyUsage.keyCertSign)
                .by(ROOT)
                .make();
        write(home.trust(), "issuer.pem", issuer.certificate());
        X509Certificate leaf = CertificateForge.of("CN=leaf").by(issuer).make().certificate();
        write(home.root(), "trust.json", "{\"schema\": 1, \"revocation\": {\"fail\": \"hard\"}}");
        Files.createDirectories(home.crl());
        Files.write(home.crl().resolve("i.crl"), ListForge.of(issuer, END).der());
        looksAgain();

        assertThat(rejected(leaf)).hasMessageContaining("no valid list or OCSP answer is known");

        Files.write(
                home.crl().resolve("i.crl"),
                ListForge.of(issuer, END).revoking(leaf.getSerialNumber()).der());
        looksAgain();

        assertThat(rejected(leaf)).hasMessageContaining("revoked on");
    }

    /** CVE-2026-121482: a list whose entries are compared with each other. Here all have one hash. */
    @Test
    void listOfManyEntriesThatCollide_takesNoQuadraticTime() throws Exception {
        BigInteger[] serials = IntStream.range(0, 1 << 15)
                .mapToObj(CertificateAttackTest::colliding)
                .toArray(BigInteger[]::new);
        assertThat(Arrays.stream(serials).distinct()).hasSize(serials.length);
        X509Certificate leaf = CertificateForge.of("CN=leaf").by(ROOT).make().certificate();
        Files.createDirectories(home.crl());
        Files.write(
                home.crl().resolve("many.crl"),
                ListForge.of(ROOT, END).revoking(serials).der());
        looksAgain();

        long begun = System.nanoTime();
        assertAccepted(leaf);

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
    }

    /** Returns a number of 30 bytes. Its pairs are "Aa" or "BB", which have one polynomial hash. */
    private static BigInteger colliding(int number) {
        byte[] bytes = new byte[30];
        for (int i = 0; i < 15; i++) {
            boolean one = (number >> i & 1) == 1;
            bytes[2 * i] = (byte) (one ? 'B' : 'A');
            bytes[2 * i + 1] = (byte) (one ? 'B' : 'a');
        }
        return new BigInteger(bytes);
    }

    private @Nullable Reason reasonOrNull(X509Certificate certificate) {
        try {
            trust.check(certificate, List.of(), CertificateUse.SIGNING, NOW);
            return null;
        } catch (CertificateRejectedException rejected) {
            return rejected.reason();
        }
    }

    private Party constrained(NameConstraints constraints) {
        Party constrained = CertificateForge.of("CN=Constrained")
                .authority()
                .with(Extension.nameConstraints, true, constraints)
                .make();
        trust("constrained", constrained);
        looksAgain();
        return constrained;
    }

    private static GeneralSubtree subtree(String kind, String name) {
        return new GeneralSubtree(name(kind, name));
    }

    private static GeneralName name(String kind, String name) {
        return new GeneralName(
                switch (kind) {
                    case "dns" -> GeneralName.dNSName;
                    case "mail" -> GeneralName.rfc822Name;
                    default -> GeneralName.uniformResourceIdentifier;
                },
                name);
    }

    private static X509Certificate named(String kind, String name, Party issuer) {
        return CertificateForge.of("CN=leaf")
                .by(issuer)
                .with(Extension.subjectAlternativeName, false, new GeneralNames(name(kind, name)))
                .make()
                .certificate();
    }
}
