/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.keystore.internal.x509.TestCertificates.root;
import static org.signetmq.keystore.internal.x509.TestCertificates.write;

import java.nio.file.Path;
import java.util.List;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;

/** Checks the findings about homes that earlier versions made. */
final class TrustFindingsTest {
    private final Home home;

    TrustFindingsTest(@TempDir Path folder) {
        this.home = new Home(folder);
    }

    @Test
    void newHome_hasNone() {
        Password password = Password.takeOwnershipOf("secret".toCharArray());
        IdentityStore store = home.identityStore();
        var authority = store.createAuthority(new IdentityRequest("ca", "CN=ca", KeyAlgorithm.EC_P256, null), password);
        var alone = store.create(new IdentityRequest("alice", "CN=alice", KeyAlgorithm.EC_P256, null), password);
        var issued = store.create(new IdentityRequest("bob", "CN=bob", KeyAlgorithm.EC_P256, "ca"), password);

        assertThat(List.of(authority, alone, issued)).hasSize(3);
        assertThat(TrustFindings.of(home, List.of("alice", "CN=alice", "CN=bob", "CN=eve; issuer=ca")))
                .isEmpty();
    }

    @Test
    void oldIdentity_isReportedWithWhatItIssued() {
        Party old = CertificateForge.oldIdentity("CN=root");
        pin("root", old);
        assertThat(texts()).hasSize(1).first().asString().contains("trust/root.pem", "may issue others");

        write(
                home.recipients(),
                "alice.pem",
                CertificateForge.of("CN=alice").by(old).make().certificate());

        assertThat(texts()).hasSize(1).first().asString().contains("issued recipients/alice", "--ca", "; issuer=root");
    }

    @Test
    void issuerAmongRecipients_isReported() {
        Party corp = root("CN=Corp");
        write(home.trust(), "corp.pem", corp.certificate());
        assertThat(texts()).isEmpty();

        write(home.recipients(), "corp.pem", corp.certificate());

        assertThat(texts()).hasSize(1).first().asString().contains("rm recipients/corp.pem");
    }

    @Test
    void namesAndIdentifiersOfTwoKeys_areReportedWithBoth() {
        Party broker = CertificateForge.of("CN=broker").make();
        pin("broker", broker);
        write(
                home.recipients(),
                "dn.pem",
                CertificateForge.of("cn=BROKER").make().certificate());
        write(
                home.recipients(),
                "ski.pem",
                CertificateForge.of("CN=x")
                        .identifier(KeyIdentifier.of(broker.certificate()).bytes())
                        .make()
                        .certificate());

        assertThat(texts())
                .anyMatch(text -> text.contains("'broker' and 'dn' have one distinguished name"))
                .anyMatch(text -> text.contains("'broker' and 'ski' claim one subject key identifier"))
                .hasSize(2);
    }

    @Test
    void serverCertificate_isReported() {
        Party server = CertificateForge.of("CN=server")
                .with(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
                .make();
        write(home.recipients(), "server.pem", server.certificate());

        assertThat(texts()).hasSize(1).first().asString().contains("recipients/server.pem", "emailProtection");
    }

    @Test
    void signerThatNothingBinds_isReported() {
        assertThat(TrustFindings.of(home, List.of("CN=alice,O=Example")).stream()
                        .map(Finding::toString))
                .hasSize(1)
                .first()
                .asString()
                .contains("policies.json", "CN=alice,O=Example", "; issuer=NAME");
    }

    private void pin(String name, Party party) {
        write(home.trust(), name + ".pem", party.certificate());
        write(home.recipients(), name + ".pem", party.certificate());
    }

    private List<String> texts() {
        return TrustFindings.of(home, List.of()).stream().map(Finding::toString).toList();
    }
}
