/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.signetmq.keystore.internal.x509.TestCertificates.END;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;
import static org.signetmq.keystore.internal.x509.TestCertificates.START;
import static org.signetmq.keystore.internal.x509.TestCertificates.root;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.IssuingDistributionPoint;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.internal.trust.ListForge;
import org.signetmq.keystore.internal.x509.TestCertificates;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;

/** Adds revocation lists to those that a home has. */
final class RevocationFolderTest {
    private static final Party ROOT = root("CN=Root,O=Example");
    private static final Party NAMESAKE = root("CN=Root,O=Example");
    private static final Instant LATER = START.plus(Duration.ofDays(30));

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    private Home home = new Home(Path.of("unset"));
    private RevocationFolder lists = new RevocationFolder(home, Clock.systemUTC());

    @BeforeEach
    void fill() throws IOException {
        home = new Home(folder.resolve("home"));
        lists = new RevocationFolder(home, Clock.fixed(NOW, ZoneOffset.UTC));
        Files.createDirectories(home.trust());
        TestCertificates.write(home.trust(), "root.pem", ROOT.certificate());
        TestCertificates.write(home.trust(), "namesake.pem", NAMESAKE.certificate());
        assertThat(add(ListForge.of(ROOT, END).revoking(BigInteger.ONE))).hasSize(1);
    }

    private List<X509CRL> add(ListForge forge) throws IOException {
        Path file = Files.write(folder.resolve("new.crl"), forge.der());
        return lists.add("root", List.of(ImportFile.read(file, ImportFile.MAX_LIST_BYTES)));
    }

    private Stream<Integer> revoked() {
        return lists.lists("root").stream()
                .flatMap(list -> Optional.ofNullable(list.getRevokedCertificates()).stream())
                .flatMap(entries -> entries.stream().map(X509CRLEntry::getSerialNumber))
                .map(BigInteger::intValueExact)
                .sorted();
    }

    @Test
    void laterFullList_replacesTheEarlierOne() throws IOException {
        assertThat(add(ListForge.of(ROOT, END).from(LATER).revoking(BigInteger.TWO)))
                .hasSize(1);

        assertThat(revoked()).containsExactly(2);
    }

    @Test
    void deltaList_isRefused_andTheFullOneStays() {
        ListForge delta =
                ListForge.of(ROOT, END).from(LATER).with(new Extension(Extension.deltaCRLIndicator, true, number()));

        assertThatThrownBy(() -> add(delta))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContainingAll("new.crl", "a delta CRL", "get the full list from the issuer");

        assertThat(revoked()).containsExactly(1);
    }

    private static byte[] number() {
        try {
            return new ASN1Integer(1).getEncoded();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void partOfAList_replacesItsEarlierPartAlone() throws IOException {
        assertThat(add(part("http://a/1.crl").from(LATER).revoking(BigInteger.TWO)))
                .hasSize(1);
        assertThat(add(part("http://a/2.crl").from(LATER))).hasSize(1);
        assertThat(revoked()).containsExactly(1, 2);

        assertThat(add(part("http://a/1.crl").from(LATER.plusSeconds(1)).revoking(BigInteger.TWO, BigInteger.TEN)))
                .hasSize(1);

        assertThat(revoked()).containsExactly(1, 2, 10);
        assertThat(lists.lists("root")).hasSize(3);
        assertThatThrownBy(() -> add(part("http://a/1.crl").from(LATER))).hasMessageContaining("older than");
    }

    private static ListForge part(String address) throws IOException {
        var point = new DistributionPointName(
                new GeneralNames(new GeneralName(GeneralName.uniformResourceIdentifier, address)));
        var scope = new IssuingDistributionPoint(point, false, false, null, false, false);
        return ListForge.of(ROOT, END)
                .with(new Extension(Extension.issuingDistributionPoint, true, scope.getEncoded()));
    }

    @Test
    void listOfANamesakeWithAnotherKey_leavesThatOfTheIssuer() throws IOException {
        assertThat(add(ListForge.of(NAMESAKE, END).from(LATER))).hasSize(1);

        assertThat(revoked()).containsExactly(1);
        assertThat(lists.lists("root")).hasSize(2);
    }
}
