/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;
import static org.signetmq.keystore.internal.x509.TestCertificates.ec;
import static org.signetmq.keystore.internal.x509.TestCertificates.root;
import static org.signetmq.keystore.internal.x509.TestCertificates.write;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERBMPString;
import org.bouncycastle.asn1.DERGeneralString;
import org.bouncycastle.asn1.DERIA5String;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERT61String;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.DERVisibleString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.GeneralSubtree;
import org.bouncycastle.asn1.x509.NameConstraints;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.keystore.trust.SignerMatch;
import org.signetmq.keystore.trust.TrustedCertificate;

/** Rejects extensions and names that evade a rule, or cost much time for their length. */
final class ForgedExtensionsTest extends HomeTest {
    private static final Party ROOT = root("CN=Root,O=Example");
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long FEW_BYTES = 16L << 20;

    @BeforeEach
    void trustRoot() {
        trust("root", ROOT);
    }

    static Stream<Function<String, ASN1Encodable>> strings() {
        return Stream.of(
                DERUTF8String::new,
                DERPrintableString::new,
                DERT61String::new,
                DERBMPString::new,
                DERIA5String::new,
                DERGeneralString::new,
                DERVisibleString::new);
    }

    @ParameterizedTest
    @MethodSource("strings")
    void excludedName_isRejectedInEachKindOfString(Function<String, ASN1Encodable> string) {
        for (ASN1ObjectIdentifier type : List.of(BCStyle.O, BCStyle.SERIALNUMBER, BCStyle.ORGANIZATION_IDENTIFIER)) {
            X500Name excluded = new X500NameBuilder()
                    .addRDN(type, new DERUTF8String("Example"))
                    .build();
            Party sub = authority("CN=Sub")
                    .with(Extension.nameConstraints, true, excluding(new GeneralName(excluded)))
                    .by(ROOT)
                    .make();
            X500Name evading = new X500NameBuilder()
                    .addRDN(type, string.apply("eXample"))
                    .addRDN(BCStyle.CN, "broker")
                    .build();

            assertRejected(CertificateForge.of(evading, ec()).by(sub), List.of(sub));
            assertRejected(
                    CertificateForge.of("CN=x")
                            .with(Extension.subjectAlternativeName, false, new GeneralNames(new GeneralName(evading)))
                            .by(sub),
                    List.of(sub));
        }
    }

    /** Names are not compared with the constraints of issuers that did not sign. */
    @Test
    void constraintsOfIssuersThatAreNone_areNotCompared() {
        Party top = root("CN=Root,O=Example");
        List<Party> issuers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            GeneralName[] names = IntStream.range(0, 3000)
                    .mapToObj(number -> new GeneralName(GeneralName.dNSName, "a"))
                    .toArray(GeneralName[]::new);
            top = authority("CN=" + i)
                    .with(Extension.nameConstraints, false, excluding(names))
                    .by(top)
                    .make();
            issuers.add(top);
        }
        GeneralName[] own = IntStream.range(0, 5000)
                .mapToObj(number -> new GeneralName(GeneralName.dNSName, "b"))
                .toArray(GeneralName[]::new);
        CertificateForge leaf =
                CertificateForge.of("CN=x").with(Extension.subjectAlternativeName, false, new GeneralNames(own));

        assertCheap(() -> assertRejected(leaf.by(issuers.get(2)), issuers));
    }

    @Test
    void policiesWithMappings_growNoTree() {
        int count = 30;
        List<Party> issuers = new ArrayList<>();
        Party top = ROOT;
        for (int level = 1; level <= 3; level++) {
            top = authority("CN=" + level)
                    .with(Extension.certificatePolicies, false, policies(level, count))
                    .with(Extension.policyMappings, false, mappings(level, count))
                    .by(top)
                    .make();
            issuers.add(top);
        }
        X509Certificate leaf = CertificateForge.of("CN=x")
                .with(Extension.certificatePolicies, false, policies(4, count))
                .by(top)
                .make()
                .certificate();

        assertCheap(() -> trust.check(leaf, certificates(issuers), CertificateUse.SIGNING, NOW));
    }

    @Test
    void manyPolicies_areRejected() {
        Party sub = authority("CN=Sub")
                .with(Extension.certificatePolicies, false, policies(1, 33))
                .by(ROOT)
                .make();

        assertRejected(CertificateForge.of("CN=x").by(sub), List.of(sub));
    }

    @ParameterizedTest
    @ValueSource(strings = {"3006A20405000500", "300381 0100", "3005A103840100", "0500"})
    void malformedAuthorityKeyIdentifier_isNoOtherFailureThanARejection(String value) {
        byte[] bytes = HexFormat.of().parseHex(value.replace(" ", ""));

        assertRejected(
                CertificateForge.of("CN=x")
                        .with(Extension.authorityKeyIdentifier, bytes)
                        .by(root("CN=Root,O=Example")),
                List.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.5.29.15", "2.5.29.36", "2.5.29.54"})
    void malformedRestriction_isRejectedThoughItIsNotCritical(String type) {
        Party sub = authority("CN=Sub")
                .with(new ASN1ObjectIdentifier(type), new byte[] {5, 0})
                .by(ROOT)
                .make();

        assertRejected(CertificateForge.of("CN=x").by(sub), List.of(sub));
        assertRejected(
                CertificateForge.of("CN=y")
                        .with(new ASN1ObjectIdentifier(type), new byte[] {5, 0})
                        .by(ROOT),
                List.of());
    }

    @Test
    void issuedByAPartyUnderTheRoot_isNotTheRootsWord() {
        Party partner = authority("CN=partner,O=Partner").by(ROOT).make();
        write(home.recipients(), "partner.pem", partner.certificate());
        X509Certificate fake =
                CertificateForge.of("CN=broker,O=Example").by(partner).make().certificate();

        TrustedCertificate signer = trust.verify(fake, List.of(), CertificateUse.SIGNING, NOW);

        assertThat(signer.shownName()).startsWith("ski:");
        assertThat(matches(signer, "CN=broker,O=Example; issuer=root")).isFalse();
    }

    @Test
    void oldKeyOfARenewedParty_givesNoNames() {
        Party old = authority("CN=mallory,O=Partner").make();
        Party renewed = authority("CN=mallory,O=Partner").make();
        Party renamed = authority("CN=mallory-2,O=Partner").make();
        trust("mallory", old);
        X509Certificate fake =
                CertificateForge.of("CN=broker,O=Example").by(old).make().certificate();

        for (Party party : List.of(renewed, renamed)) {
            write(home.recipients(), "mallory.pem", party.certificate());

            assertThat(trust.verify(fake, List.of(), CertificateUse.SIGNING, NOW)
                            .shownName())
                    .startsWith("ski:");
        }
    }

    @Test
    void valueThatLooksAsTwoAttributes_isOne() {
        X500Name one = new X500NameBuilder()
                .addRDN(BCStyle.O, new DERUTF8String("Example, 2.5.4.3=broker"))
                .build();
        X509Certificate leaf = CertificateForge.of(one, ec()).by(ROOT).make().certificate();

        TrustedCertificate signer = trust.verify(leaf, List.of(), CertificateUse.SIGNING, NOW);

        assertThat(matches(signer, "CN=broker+O=Example; issuer=root")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"broker\u200b", "broker\u00a0", "\uff42roker", "\u202ebroker"})
    void nameThatLooksAsAnother_isNotShown(String name) {
        X500Name odd = new X500NameBuilder()
                .addRDN(BCStyle.O, "Example")
                .addRDN(BCStyle.CN, new DERUTF8String(name))
                .build();
        X509Certificate leaf = CertificateForge.of(odd, ec()).by(ROOT).make().certificate();

        assertThat(trust.verify(leaf, List.of(), CertificateUse.SIGNING, NOW).shownName())
                .startsWith("ski:");
    }

    @Test
    void nameInAnotherAlphabet_isShown() {
        X509Certificate leaf = CertificateForge.of("CN=Z\u00fcrich \u30d6\u30ed\u30fc\u30ab\u30fc")
                .by(ROOT)
                .make()
                .certificate();

        assertThat(trust.verify(leaf, List.of(), CertificateUse.SIGNING, NOW).shownName())
                .isEqualTo("CN=Z\u00fcrich \u30d6\u30ed\u30fc\u30ab\u30fc");
    }

    private boolean matches(TrustedCertificate signer, String selector) {
        return new SignerMatch(trust, trust).matches(signer, selector);
    }

    private void assertRejected(CertificateForge leaf, List<Party> issuers) {
        X509Certificate certificate = leaf.make().certificate();
        assertThat(reason(certificate, certificates(issuers))).isEqualTo(Reason.UNTRUSTED);
    }

    private static void assertCheap(Runnable work) {
        long thread = Thread.currentThread().getId();
        long before = THREADS.getThreadAllocatedBytes(thread);
        work.run();
        assertThat(THREADS.getThreadAllocatedBytes(thread) - before).isLessThan(FEW_BYTES);
    }

    private static CertificateForge authority(String dn) {
        return CertificateForge.of(dn).authority();
    }

    private static List<X509Certificate> certificates(List<Party> parties) {
        return parties.stream().map(Party::certificate).toList();
    }

    private static NameConstraints excluding(GeneralName... names) {
        return new NameConstraints(
                null, Stream.of(names).map(GeneralSubtree::new).toArray(GeneralSubtree[]::new));
    }

    private static ASN1Encodable policies(int level, int count) {
        return new DERSequence(IntStream.range(0, count)
                .mapToObj(number -> new DERSequence(policy(level, number)))
                .toArray(ASN1Encodable[]::new));
    }

    /** From each policy of a level to each of the next. */
    private static ASN1Encodable mappings(int level, int count) {
        return new DERSequence(IntStream.range(0, count * count)
                .mapToObj(number -> new DERSequence(
                        new ASN1Encodable[] {policy(level, number / count), policy(level + 1, number % count)}))
                .toArray(ASN1Encodable[]::new));
    }

    private static ASN1ObjectIdentifier policy(int level, int number) {
        return new ASN1ObjectIdentifier("1." + level + "." + number);
    }
}
