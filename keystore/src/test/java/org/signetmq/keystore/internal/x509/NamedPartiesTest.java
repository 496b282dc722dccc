/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.keystore.internal.x509.TestCertificates.root;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.internal.x509.HomeCertificates.NamedParties;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;

/** An issuer's words about names count only if the home treats it as an issuer and as nothing else. */
final class NamedPartiesTest {
    private static final Party CA = root("CN=ca");
    private static final Party BOB = CertificateForge.of("CN=bob").make();

    private static Recipient trusted(String file, Party party) {
        return new Recipient(file, party.certificate());
    }

    @Test
    void issuerBesideParties_isBelieved() {
        NamedParties parties = NamedParties.of(List.of(trusted("bob", BOB)));

        assertThat(parties.believesNamesOf(trusted("ca", CA))).isTrue();
    }

    @Test
    void certificateThatMayIssueNone_isNotBelieved() {
        NamedParties none = NamedParties.of(List.of());

        assertThat(none.believesNamesOf(trusted("bob", BOB))).isFalse();
    }

    @Test
    void identityThatIssues_isNotBelieved() {
        NamedParties none = NamedParties.of(List.of());

        assertThat(none.believesNamesOf(trusted("old", CertificateForge.oldIdentity("CN=old"))))
                .isFalse();
    }

    @Test
    void issuerWithTheKeyOfAParty_isNotBelieved() {
        Party sameKey = CertificateForge.of("CN=other", CA.pair()).make();
        NamedParties parties = NamedParties.of(List.of(trusted("other", sameKey)));

        assertThat(parties.isParty(CA.certificate())).isTrue();
        assertThat(parties.believesNamesOf(trusted("ca", CA))).isFalse();
    }

    @Test
    void issuerWithTheNameOfAParty_isNotBelieved() {
        Party sameName = CertificateForge.of("CN=CA").make();
        NamedParties parties = NamedParties.of(List.of(trusted("other", sameName)));

        assertThat(parties.isParty(CA.certificate())).isTrue();
        assertThat(parties.believesNamesOf(trusted("ca", CA))).isFalse();
    }

    @Test
    void issuerInAFileOfAPartysName_isNotBelieved() {
        NamedParties parties = NamedParties.of(List.of(trusted("bob", BOB)));

        assertThat(parties.isParty(CA.certificate())).isFalse();
        assertThat(parties.believesNamesOf(trusted("bob", CA))).isFalse();
    }

    @Test
    void homeWithoutParties_knowsNone() {
        assertThat(NamedParties.of(List.of()).isParty(BOB.certificate())).isFalse();
    }
}
