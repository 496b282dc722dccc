/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.internal.x509.HomeCertificates.KnownKeys;

final class KnownKeysTest {
    private static final KeyPair ONE = TestCertificates.ec();
    private static final KeyPair TWO = TestCertificates.ec();
    private static final KeyPair THREE = TestCertificates.ec();
    private static final DistinguishedName ALICE =
            DistinguishedName.parse("CN=alice").orElseThrow();
    private static final DistinguishedName BOB =
            DistinguishedName.parse("CN=bob").orElseThrow();

    private static X509Certificate certificate(String dn, KeyPair pair) {
        return CertificateForge.of(dn, pair).make().certificate();
    }

    private static PublicKeyInfo key(KeyPair pair) {
        return PublicKeyInfo.of(certificate("CN=any", pair));
    }

    @Test
    void nameOfOneKey_isThatKeysAlone() {
        KnownKeys known = new KnownKeys(List.of(certificate("CN=alice", ONE)), List.of());

        assertThat(known.isTaken(ALICE)).isTrue();
        assertThat(known.isName(ALICE, key(ONE))).isTrue();
        assertThat(known.isNameOfOne(ALICE, key(ONE))).isTrue();
        assertThat(known.isName(ALICE, key(TWO))).isFalse();
        assertThat(known.isNameOfOne(ALICE, key(TWO))).isFalse();
    }

    @Test
    void unknownName_isNotTaken() {
        KnownKeys known = new KnownKeys(List.of(certificate("CN=alice", ONE)), List.of());

        assertThat(known.isTaken(BOB)).isFalse();
        assertThat(known.isName(BOB, key(ONE))).isFalse();
        assertThat(known.isNameOfOne(BOB, key(ONE))).isFalse();
    }

    @Test
    void nameOfTwoKeys_isThatOfEachAndOfNoSingleOne() {
        KnownKeys known = new KnownKeys(List.of(certificate("CN=alice", ONE), certificate("CN=Alice", TWO)), List.of());

        assertThat(known.isName(ALICE, key(ONE))).isTrue();
        assertThat(known.isName(ALICE, key(TWO))).isTrue();
        assertThat(known.isNameOfOne(ALICE, key(ONE))).isFalse();
        assertThat(known.isNameOfOne(ALICE, key(TWO))).isFalse();
    }

    @Test
    void nameOfACurrentAndAFormerKey_isThatOfOneParty() {
        X509Certificate current = certificate("CN=alice", ONE);
        X509Certificate former = certificate("CN=alice", TWO);
        KnownKeys known = new KnownKeys(List.of(current, former, former), List.of(List.of(current, former)));

        assertThat(known.isNameOfOne(ALICE, key(ONE))).isTrue();
        assertThat(known.isNameOfOne(ALICE, key(TWO))).isTrue();
        assertThat(known.isNameOfOne(ALICE, key(THREE))).isFalse();
    }

    @Test
    void nameOfTwoParties_isThatOfNoSingleOne() {
        X509Certificate current = certificate("CN=alice", ONE);
        X509Certificate former = certificate("CN=alice", TWO);
        X509Certificate other = certificate("CN=alice", THREE);
        KnownKeys known = new KnownKeys(List.of(current, former, other), List.of(List.of(current, former)));

        assertThat(known.isNameOfOne(ALICE, key(ONE))).isFalse();
        assertThat(known.isNameOfOne(ALICE, key(TWO))).isFalse();
        assertThat(known.isNameOfOne(ALICE, key(THREE))).isFalse();
    }

    @Test
    void partiesThatShareAKey_areOne() {
        X509Certificate first = certificate("CN=alice", ONE);
        X509Certificate second = certificate("CN=alice", TWO);
        X509Certificate third = certificate("CN=alice", THREE);
        KnownKeys known =
                new KnownKeys(List.of(first, second, third), List.of(List.of(second, first), List.of(third, second)));

        assertThat(known.isNameOfOne(ALICE, key(ONE))).isTrue();
        assertThat(known.isNameOfOne(ALICE, key(THREE))).isTrue();
    }

    @Test
    void certificateOfAnotherPartyBehindTheOwn_leavesTheNameToNeither() {
        Recipient alice = new Recipient("alice", certificate("CN=alice", ONE));
        List<Recipient> mallory = file("mallory", TWO, ONE);

        assertThat(isNameOfOne(List.of(alice), mallory, ONE, TWO)).containsExactly(false, false);
        assertThat(isNameOfOne(mallory, List.of(alice), ONE, TWO)).containsExactly(false, false);
        assertThat(isNameOfOne(file("alice", ONE, THREE), file("mallory", TWO, THREE), ONE, TWO, THREE))
                .as("a former certificate of another party")
                .containsExactly(false, false, false);
        assertThat(isNameOfOne(file("alice", ONE, THREE), file("mallory", TWO, ONE, THREE), ONE, TWO, THREE))
                .containsExactly(false, false, false);
    }

    @Test
    void filesOfOneNameOrOneCurrentKey_areOfOneParty() {
        assertThat(isNameOfOne(file("alice", ONE, TWO), file("alice", TWO, THREE), ONE, TWO, THREE))
                .containsExactly(true, true, true);
        assertThat(isNameOfOne(file("alice", ONE, TWO), file("alice-again", ONE, TWO), ONE, TWO))
                .containsExactly(true, true);
    }

    private static List<Recipient> file(String name, KeyPair... pairs) {
        return Arrays.stream(pairs)
                .map(pair -> new Recipient(name, certificate("CN=alice", pair)))
                .toList();
    }

    private static List<Boolean> isNameOfOne(List<Recipient> trusted, List<Recipient> parties, KeyPair... pairs) {
        KnownKeys known = new HomeCertificates(trusted, parties, List.of()).knownKeys();
        return Arrays.stream(pairs)
                .map(pair -> known.isNameOfOne(ALICE, key(pair)))
                .toList();
    }

    @Test
    void renewedCertificateOfOneKey_leavesTheNameItsOwn() {
        KnownKeys known = new KnownKeys(List.of(certificate("CN=alice", ONE), certificate("CN=alice", ONE)), List.of());

        assertThat(known.isNameOfOne(ALICE, key(ONE))).isTrue();
    }

    @Test
    void keyWithTwoNames_hasBoth_andShowsTheFirst() {
        X509Certificate first = certificate("CN=alice", ONE);
        KnownKeys known = new KnownKeys(List.of(first, certificate("CN=bob", ONE)), List.of());

        assertThat(known.isNameOfOne(ALICE, key(ONE))).isTrue();
        assertThat(known.isNameOfOne(BOB, key(ONE))).isTrue();
        assertThat(known.certificate(key(ONE))).contains(first);
    }

    @Test
    void unknownKey_hasNoCertificate() {
        KnownKeys known = new KnownKeys(List.of(certificate("CN=alice", ONE)), List.of());

        assertThat(known.certificate(key(TWO))).isEmpty();
    }

    @Test
    void emptyHome_knowsNothing() {
        KnownKeys none = new KnownKeys(List.of(), List.of());

        assertThat(none.isTaken(ALICE)).isFalse();
        assertThat(none.certificate(key(ONE))).isEmpty();
    }
}
