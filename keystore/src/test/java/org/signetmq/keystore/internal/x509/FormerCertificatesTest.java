/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;

final class FormerCertificatesTest {
    private static final X509Certificate CURRENT = party("CN=alice,O=Example");
    private static final X509Certificate JOINED = party("O=Example+CN=alice");
    private static final X509Certificate OLD = party("CN=ALICE, O=example");
    private static final X509Certificate ISSUER = issuer("CN=ca");

    private static X509Certificate party(String dn) {
        return CertificateForge.of(dn).make().certificate();
    }

    private static X509Certificate issuer(String dn) {
        return CertificateForge.of(dn)
                .authority()
                .usage(KeyUsage.keyCertSign)
                .make()
                .certificate();
    }

    @Test
    void certificatesOfTheSameName_areFormer() {
        assertThat(FormerCertificates.withCurrent(List.of(CURRENT, ISSUER, OLD, CURRENT, OLD)))
                .containsExactly(CURRENT, OLD);
    }

    @Test
    void otherNamesAndIssuers_areNot() {
        X509Certificate issuerOfTheName = issuer("CN=alice,O=Example");

        assertThat(FormerCertificates.withCurrent(
                        List.of(CURRENT, party("CN=bob,O=Example"), party("CN=alice"), JOINED, issuerOfTheName)))
                .containsExactly(CURRENT);
    }

    @Test
    void fileOfAnIssuer_hasNone() {
        assertThat(FormerCertificates.withCurrent(List.of(ISSUER, party("CN=ca"), issuer("CN=ca"))))
                .containsExactly(ISSUER);
    }

    @Test
    void tooMany_areLeftOut() {
        X509Certificate one = party("CN=alice,O=Example");
        List<X509Certificate> file = new ArrayList<>(List.of(CURRENT));
        for (int i = 0; i < FormerCertificates.MOST; i++) {
            file.add(party("CN=alice,O=Example"));
        }
        file.add(one);

        assertThat(FormerCertificates.withCurrent(file))
                .hasSize(FormerCertificates.MOST + 1)
                .doesNotContain(one);
    }

    @Test
    void removed_keepsTheCurrentCertificatesOfEachFile() {
        Recipient current = new Recipient("alice", CURRENT);
        Recipient sameNameInAnotherFile = new Recipient("other", party("CN=alice,O=Example"));
        Recipient root = new Recipient("ca", ISSUER);

        assertThat(FormerCertificates.removed(
                        directory(List.of(), List.of()),
                        List.of(
                                current,
                                new Recipient("alice", OLD),
                                sameNameInAnotherFile,
                                root,
                                new Recipient("ca", issuer("CN=ca")))))
                .containsExactly(current, sameNameInAnotherFile, root);
    }

    @Test
    void removed_trustThatIsAheadOrBehind_isThatOfTheRecipient() {
        Recipient current = new Recipient("alice", CURRENT);
        Recipient former = new Recipient("alice", OLD);

        assertThat(FormerCertificates.removed(directory(List.of(former), List.of()), List.of(current, former)))
                .as("trust/ was renewed first")
                .containsExactly(former);
        assertThat(FormerCertificates.removed(directory(List.of(current), List.of(former)), List.of(former)))
                .as("the new certificate is trusted by its issuer")
                .containsExactly(current);
        assertThat(FormerCertificates.removed(directory(List.of(current), List.of()), List.of(former)))
                .as("another key")
                .containsExactly(current, former);
    }

    private static RecipientDirectory directory(List<Recipient> all, List<Recipient> former) {
        return new RecipientDirectory() {
            @Override
            public Optional<Recipient> find(String selector) {
                return Optional.empty();
            }

            @Override
            public List<Recipient> find(KeyIdentifier keyIdentifier) {
                return List.of();
            }

            @Override
            public List<Recipient> all() {
                return all;
            }

            @Override
            public List<Recipient> former() {
                return former;
            }

            @Override
            public long version() {
                return 1;
            }
        };
    }
}
