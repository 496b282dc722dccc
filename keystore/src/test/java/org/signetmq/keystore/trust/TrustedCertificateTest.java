/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.trust;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.HomeCertificates;
import org.signetmq.keystore.internal.x509.HomeCertificates.KnownKeys;
import org.signetmq.keystore.internal.x509.TestCertificates;
import org.signetmq.keystore.trust.TrustedCertificate.NameSource;

/** Which names of a certificate count, by what the home knows and an issuer vouches for. */
final class TrustedCertificateTest {
    private static final KeyPair KEY = TestCertificates.ec();
    private static final KeyPair OTHER = TestCertificates.ec();
    private static final X509Certificate ALICE = certificate("CN=alice", KEY);
    private static final DistinguishedName NAME =
            DistinguishedName.parse("CN=alice").orElseThrow();
    private static final String IDENTIFIER = "ski:" + KeyIdentifier.ofKey(ALICE);

    private static X509Certificate certificate(String dn, KeyPair pair) {
        return CertificateForge.of(dn, pair).make().certificate();
    }

    private static KnownKeys home(X509Certificate... certificates) {
        List<Recipient> parties = Stream.of(certificates)
                .map(certificate -> new Recipient("file of " + KeyIdentifier.ofKey(certificate), certificate))
                .toList();
        return new HomeCertificates(List.of(), parties, List.of()).knownKeys();
    }

    private static TrustedCertificate alice(NameSource naming, X509Certificate... home) {
        return new TrustedCertificate(List.of(ALICE), naming, home(home), Set.of());
    }

    @Test
    void nameThatAnIssuerVouchesFor_isShownIfTheHomeGivesItToNoOther() {
        assertThat(alice(NameSource.ISSUER).shownName()).isEqualTo("CN=alice");
        assertThat(alice(NameSource.ISSUER, ALICE).shownName()).isEqualTo("CN=alice");
    }

    @Test
    void nameThatTheHomeGivesToAnotherKey_isNotShownDespiteItsIssuer() {
        TrustedCertificate impostor = alice(NameSource.ISSUER, certificate("CN=alice", OTHER));

        assertThat(impostor.shownName()).isEqualTo(IDENTIFIER);
        assertThat(impostor.isKnownAs(NAME)).isFalse();
    }

    @Test
    void nameWithoutIssuer_isShownOnlyIfTheHomeGivesItToThisKey() {
        assertThat(alice(NameSource.HOME).shownName()).isEqualTo(IDENTIFIER);
        assertThat(alice(NameSource.HOME, ALICE).shownName()).isEqualTo("CN=alice");
        assertThat(alice(NameSource.HOME, certificate("CN=alice", OTHER)).shownName())
                .isEqualTo(IDENTIFIER);
    }

    @Test
    void nameOfTwoKeysOfTheHome_countsOnlyWithAnIssuer() {
        X509Certificate namesake = certificate("CN=alice", OTHER);

        assertThat(alice(NameSource.HOME, ALICE, namesake).shownName()).isEqualTo(IDENTIFIER);
        assertThat(alice(NameSource.HOME, ALICE, namesake).isKnownAs(NAME)).isFalse();
        assertThat(alice(NameSource.ISSUER, ALICE, namesake).shownName()).isEqualTo("CN=alice");
        assertThat(alice(NameSource.ISSUER, ALICE, namesake).isKnownAs(NAME)).isTrue();
    }

    @Test
    void partyWithTheCertificateOfAnotherBehindItsOwn_hasNotItsName() {
        X509Certificate mallory = certificate("CN=alice", OTHER);
        KnownKeys known = new HomeCertificates(
                        List.of(),
                        List.of(
                                new Recipient("alice", ALICE),
                                new Recipient("mallory", mallory),
                                new Recipient("mallory", ALICE)),
                        List.of())
                .knownKeys();

        TrustedCertificate signer = new TrustedCertificate(List.of(mallory), NameSource.HOME, known, Set.of());

        assertThat(signer.isKnownAs(NAME)).isFalse();
        assertThat(signer.shownName()).isEqualTo("ski:" + KeyIdentifier.ofKey(mallory));
    }

    @Test
    void keyThatTheHomeKnowsByAnotherName_isShownByThatName() {
        TrustedCertificate renamed = alice(NameSource.HOME, certificate("CN=alice of sales", KEY));

        assertThat(renamed.shownName()).isEqualTo("CN=alice of sales");
        assertThat(renamed.isKnownAs(
                        DistinguishedName.parse("CN=Alice of Sales").orElseThrow()))
                .isTrue();
        assertThat(renamed.isKnownAs(NAME)).isFalse();
    }

    @Test
    void homesNameOfTwoKeys_isNotShownForEither() {
        TrustedCertificate renamed =
                alice(NameSource.HOME, certificate("CN=shared", KEY), certificate("CN=shared", OTHER));

        assertThat(renamed.shownName()).isEqualTo(IDENTIFIER);
    }

    @ParameterizedTest
    @EnumSource
    void unreadableName_isReplacedByTheKeyIdentifier(NameSource naming) {
        X509Certificate hidden = certificate("CN=ali\u200bce", KEY);

        TrustedCertificate trusted = new TrustedCertificate(List.of(hidden), naming, home(), Set.of());

        assertThat(trusted.shownName()).isEqualTo(IDENTIFIER);
    }

    @Test
    void selfMadeName_isNotKnownToTheHome() {
        assertThat(alice(NameSource.ISSUER).isKnownAs(NAME)).isFalse();
        assertThat(alice(NameSource.HOME).isKnownAs(NAME)).isFalse();
    }

    @Test
    void issuers_areThoseOfThePathsFiles() {
        X509Certificate root = TestCertificates.root("CN=ca").certificate();

        TrustedCertificate issued =
                new TrustedCertificate(List.of(ALICE, root), NameSource.ISSUER, home(), Set.of("ca", "old-ca"));

        assertThat(issued.isIssuedUnder("ca")).isTrue();
        assertThat(issued.isIssuedUnder("old-ca")).isTrue();
        assertThat(issued.isIssuedUnder("CA")).isFalse();
        assertThat(issued.isIssuedUnder("")).isFalse();
        assertThat(issued.certificate()).isEqualTo(ALICE);
        assertThat(issued.path()).containsExactly(ALICE, root);
    }

    @Test
    void orderOfTheName_countsUnderAnIssuer() {
        X509Certificate employee = certificate("CN=alice,O=Example", KEY);
        TrustedCertificate trusted = new TrustedCertificate(List.of(employee), NameSource.ISSUER, home(), Set.of("ca"));

        assertThat(trusted.isNamed(
                        DistinguishedName.parseOrdered("cn=Alice, o=example").orElseThrow()))
                .isTrue();
        assertThat(trusted.isNamed(
                        DistinguishedName.parseOrdered("O=Example,CN=alice").orElseThrow()))
                .isFalse();
        assertThat(trusted.isNamed(DistinguishedName.parseOrdered("CN=alice").orElseThrow()))
                .isFalse();
    }
}
