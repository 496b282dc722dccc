/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.signetmq.keystore.internal.x509.TestCertificates.END;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;
import static org.signetmq.keystore.internal.x509.TestCertificates.START;
import static org.signetmq.keystore.internal.x509.TestCertificates.issue;
import static org.signetmq.keystore.internal.x509.TestCertificates.root;

import java.io.IOException;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.IssuingDistributionPoint;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.internal.x509.CertificatePaths.VerificationBudget;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.keystore.internal.x509.TestCertificates.Shape;
import org.signetmq.testkit.Tier;

final class RevocationListTest {
    private static final Party ROOT = root("CN=Root,O=Example");
    private static final Party ALICE = issue("CN=alice,O=Example", ROOT, Shape.USUAL);
    private static final BigInteger SERIAL = ALICE.certificate().getSerialNumber();
    private static final int MANY = Tier.rounds(100_000);

    /** 100,000 look-ups in a list of 100,000 entries would be 10,000,000,000 comparisons, if each were a scan. */
    @Test
    void manyEntries_areFoundWithoutAScan_inLittleMemory() {
        Random random = new Random(7);
        BigInteger[] serials =
                Stream.generate(() -> new BigInteger(120, random)).limit(MANY).toArray(BigInteger[]::new);
        byte[] der = ListForge.of(ROOT, END).revoking(serials).der();
        long before = allocated();

        RevocationList list = RevocationList.fromDer(der);

        assertThat(list.size()).isEqualTo(MANY);
        assertThat(allocated() - before).as("garbage of the parser, mostly").isLessThan(80L * der.length);
        assertTimeoutPreemptively(Duration.ofMinutes(3), () -> {
            int found = 0;
            int wrong = 0;
            for (BigInteger serial : serials) {
                found += list.revocation(serial).isPresent() ? 1 : 0;
                wrong += list.revocation(serial.setBit(121)).isPresent() ? 1 : 0;
            }
            assertThat(found).isEqualTo(MANY);
            assertThat(wrong).isZero();
        });
        assertThat(list.isSignedBy(PublicKeyInfo.of(ROOT.certificate()), ROOT.certificate()))
                .isTrue();
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean())
                .getCurrentThreadAllocatedBytes();
    }

    @Test
    void everyEntry_isAlsoFoundByTheJdk() throws Exception {
        BigInteger[] serials = {
            BigInteger.ZERO,
            BigInteger.ONE,
            BigInteger.valueOf(127),
            BigInteger.valueOf(128),
            BigInteger.valueOf(-5),
            BigInteger.ONE.shiftLeft(159),
            BigInteger.valueOf(0x1234_5678L)
        };
        byte[] der = ListForge.of(ROOT, END).revoking(serials).der();
        var jdk = CertificateProviders.crl(der);

        RevocationList list = RevocationList.fromDer(der);

        assertThat(serials).allSatisfy(serial -> {
            assertThat(jdk.getRevokedCertificate(serial)).isNotNull();
            assertThat(list.revocation(serial)).contains(START);
        });
        assertThat(list.issuer()).isEqualTo(jdk.getIssuerX500Principal());
        assertThat(list.nextUpdate()).contains(jdk.getNextUpdate().toInstant());
    }

    @Test
    void nestedWithoutEnd_isRefused() {
        byte[] der = new byte[4 << 20];
        for (int i = 0; i + 1 < der.length; i += 2) {
            der[i] = 0x30;
            der[i + 1] = (byte) 0x80;
        }

        assertThatThrownBy(() -> RevocationList.fromDer(der)).isInstanceOf(KeystoreUnusableException.class);
        assertThatThrownBy(() -> OcspAnswer.fromDer(Arrays.copyOf(der, OcspAnswer.MOST_BYTES)))
                .isInstanceOf(KeystoreUnusableException.class);
    }

    @Test
    void removedEntry_revokesNothing() throws IOException {
        RevocationList list = ListForge.of(ROOT, END)
                .revoking(SERIAL, CRLReason.removeFromCRL)
                .revoking(BigInteger.TEN, CRLReason.keyCompromise)
                .make();

        assertThat(list.revocation(SERIAL)).isEmpty();
        assertThat(list.revocation(BigInteger.TEN)).isPresent();
    }

    @Test
    void eachCutOrChangedByte_isRefused_orLeavesTheSignatureWrong() {
        byte[] der = ListForge.of(ROOT, END).revoking(SERIAL).der();
        PublicKeyInfo key = PublicKeyInfo.of(ROOT.certificate());
        for (int i = 0; i < der.length; i++) {
            byte[] cut = Arrays.copyOf(der, i);
            assertThatThrownBy(() -> RevocationList.fromDer(cut)).isInstanceOf(KeystoreUnusableException.class);
            byte[] changed = der.clone();
            changed[i] ^= 0x41;
            try {
                assertThat(RevocationList.fromDer(changed).isSignedBy(key, ROOT.certificate()))
                        .as("byte " + i)
                        .isFalse();
            } catch (KeystoreUnusableException refused) {
                assertThat(refused).hasMessageContaining("revocation list");
            }
        }
    }

    @Test
    void currentList_provesTheStateOfItsIssuersCertificatesAlone() {
        Party other = root("CN=Root,O=Example");

        assertThat(proof(ListForge.of(ROOT, END))).contains(END);
        assertThat(proof(ListForge.of(ROOT, NOW.minusSeconds(1)))).isEmpty();
        assertThat(proof(ListForge.of(ROOT, END).from(NOW.plusSeconds(3600)))).isEmpty();
        assertThat(proof(ListForge.of(ROOT, END).signedBy(other))).isEmpty();
    }

    @Test
    void partOfAList_provesOnlyWhatItIsFor() throws IOException {
        assertThat(proof(part(point("http://a/1.crl"), true, false))).contains(END);
        assertThat(proof(part(point("http://a/2.crl"), true, false))).isEmpty();
        assertThat(proof(part(null, true, false))).contains(END);
        assertThat(proof(part(null, false, true))).isEmpty();
        assertThat(proof(ListForge.of(ROOT, END)
                        .with(new Extension(Extension.deltaCRLIndicator, true, new ASN1Integer(1).getEncoded()))))
                .isEmpty();
        assertThat(proof(ListForge.of(ROOT, END)
                        .with(new Extension(Extension.cRLNumber, true, new ASN1Integer(1).getEncoded()))))
                .as("a critical extension that Signet does not know")
                .isEmpty();
    }

    private static DistributionPointName point(String address) {
        return new DistributionPointName(
                new GeneralNames(new GeneralName(GeneralName.uniformResourceIdentifier, address)));
    }

    private static ListForge part(@Nullable DistributionPointName point, boolean users, boolean authorities)
            throws IOException {
        var scope = new IssuingDistributionPoint(point, users, authorities, null, false, false);
        return ListForge.of(ROOT, END)
                .with(new Extension(Extension.issuingDistributionPoint, true, scope.getEncoded()));
    }

    private static Optional<Instant> proof(ListForge forge) {
        RevocationLists lists = new RevocationLists(List.of(forge.make()), List.of(), List.of(ROOT.certificate()));
        return lists.provenUntil(
                new Issued(ALICE.certificate(), ROOT.certificate()),
                Set.of("http://a/1.crl"),
                NOW,
                new VerificationBudget(new LongAdder()));
    }
}
