/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.cert.X509Certificate;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;

final class IssuerRulesTest {
    private static final Party ROOT = TestCertificates.root("CN=root");

    private static X509Certificate authority(int usage) {
        return CertificateForge.of("CN=ca").authority().usage(usage).make().certificate();
    }

    private static X509Certificate limitedAuthority(int usage) {
        return CertificateForge.of("CN=ca")
                .with(Extension.basicConstraints, true, new BasicConstraints(0))
                .usage(usage)
                .make()
                .certificate();
    }

    @Test
    void authorityWithTheUsage_mayIssueAndSignLists() {
        X509Certificate certificate = authority(KeyUsage.keyCertSign);

        assertThat(CertificateRules.mayIssue(certificate)).isTrue();
        assertThat(CertificateRules.maySignLists(certificate)).isTrue();
    }

    @Test
    void authorityWithoutKeyUsage_mayIssue() {
        X509Certificate certificate =
                CertificateForge.of("CN=ca").authority().make().certificate();

        assertThat(CertificateRules.mayIssue(certificate)).isTrue();
        assertThat(CertificateRules.isIdentityThatIssues(certificate)).isFalse();
    }

    @Test
    void authorityWithAnotherUsageAlone_mayNotIssue() {
        X509Certificate certificate = authority(KeyUsage.digitalSignature);

        assertThat(CertificateRules.mayIssue(certificate)).isFalse();
        assertThat(CertificateRules.maySignLists(certificate)).isFalse();
    }

    @Test
    void usageWithoutAuthority_mayNotIssue() {
        X509Certificate certificate = CertificateForge.of("CN=leaf")
                .usage(KeyUsage.keyCertSign)
                .make()
                .certificate();

        assertThat(CertificateRules.mayIssue(certificate)).isFalse();
    }

    @Test
    void signerOfLists_needNotIssue() {
        X509Certificate certificate = authority(KeyUsage.cRLSign);

        assertThat(CertificateRules.mayIssue(certificate)).isFalse();
        assertThat(CertificateRules.maySignLists(certificate)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {KeyUsage.keyEncipherment, KeyUsage.keyAgreement})
    void rootThatReceives_isAnIdentity(int use) {
        assertThat(CertificateRules.isIdentityThatIssues(authority(KeyUsage.keyCertSign | use)))
                .isTrue();
    }

    @Test
    void rootThatSigns_isAnIdentityOnlyIfItIssuesLeavesAlone() {
        int usage = KeyUsage.keyCertSign | KeyUsage.digitalSignature;

        assertThat(CertificateRules.isIdentityThatIssues(limitedAuthority(usage)))
                .isTrue();
        assertThat(CertificateRules.isIdentityThatIssues(authority(usage))).isFalse();
        assertThat(CertificateRules.isIdentityThatIssues(limitedAuthority(KeyUsage.keyCertSign)))
                .isFalse();
    }

    @Test
    void issuerBelowAnother_isNoIdentity() {
        X509Certificate certificate = CertificateForge.of("CN=sub")
                .by(ROOT)
                .authority()
                .usage(KeyUsage.keyCertSign | KeyUsage.keyAgreement)
                .make()
                .certificate();

        assertThat(CertificateRules.isSelfIssued(certificate)).isFalse();
        assertThat(CertificateRules.isIdentityThatIssues(certificate)).isFalse();
    }

    @Test
    void identityOfEarlierVersions_isFound() {
        X509Certificate old = CertificateForge.oldIdentity("CN=old").certificate();

        assertThat(CertificateRules.mayIssue(old)).isTrue();
        assertThat(CertificateRules.isIdentityThatIssues(old)).isTrue();
    }
}
