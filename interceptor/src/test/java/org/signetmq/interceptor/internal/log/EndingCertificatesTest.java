/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.IntStream;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;
import org.signetmq.interceptor.internal.log.EndingCertificates.Owned;

final class EndingCertificatesTest {
    private static final KeyPair PAIR = pair();
    private static final Instant END = Instant.parse("2027-01-31T00:00:00Z");

    private final EndingCertificates ending = new EndingCertificates();

    private static KeyPair pair() {
        try {
            return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Owned owned(String name, int serial) {
        try {
            X500Name dn = new X500Name("CN=" + name);
            var builder = new JcaX509v3CertificateBuilder(
                    dn,
                    BigInteger.valueOf(serial),
                    Date.from(END.minus(Duration.ofDays(400))),
                    Date.from(END),
                    dn,
                    PAIR.getPublic());
            X509Certificate certificate = new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder("Ed25519").build(PAIR.getPrivate())));
            return new Owned("recipients/" + name, certificate);
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> look(List<Owned> certificates, int daysBefore) {
        return ending.look(certificates, END.minus(Duration.ofDays(daysBefore)));
    }

    @Test
    void certificateNearItsEnd_isNamedOnce_at30And7And1DaysAndAtItsEnd() {
        List<Owned> alice = List.of(owned("alice", 1));

        assertThat(look(alice, 31)).isEmpty();
        assertThat(look(alice, 30)).containsExactly("the certificate recipients/alice ends in 30 days, at " + END);
        assertThat(look(alice, 29)).isEmpty();
        assertThat(look(alice, 8)).isEmpty();
        assertThat(look(alice, 7)).hasSize(1);
        assertThat(look(alice, 2)).isEmpty();
        assertThat(look(alice, 1)).hasSize(1);
        assertThat(look(alice, 1)).isEmpty();
        assertThat(look(alice, -1)).containsExactly("the certificate recipients/alice ended at " + END);
        assertThat(look(alice, -2)).isEmpty();
    }

    @Test
    void clockThatWasAhead_spoilsNoWarning_andTheRightOneComesAgain() {
        List<Owned> alice = List.of(owned("alice", 1));

        assertThat(look(alice, 40)).isEmpty();
        assertThat(look(alice, -300)).hasSize(1);
        assertThat(look(alice, 40)).isEmpty();
        assertThat(look(alice, 30)).hasSize(1);
        assertThat(look(alice, -300)).hasSize(1);
        assertThat(look(alice, 29)).containsExactly("the certificate recipients/alice ends in 29 days, at " + END);
        assertThat(look(alice, 7)).hasSize(1);
        assertThat(look(alice, -300)).hasSize(1);
        assertThat(look(alice, 6)).hasSize(1);
        assertThat(look(alice, 1)).hasSize(1);
    }

    @Test
    void skippedSteps_giveOneLine() {
        assertThat(look(List.of(owned("alice", 1)), 1)).hasSize(1);
    }

    @Test
    void manyCertificates_giveFewLines_andTheNumberOfTheOthers() {
        List<Owned> many =
                IntStream.range(0, 50).mapToObj(i -> owned("n" + i, i + 1)).toList();

        assertThat(look(many, 20))
                .hasSize(EndingCertificates.MOST_LINES + 1)
                .last()
                .asString()
                .startsWith("30 more");
        assertThat(look(many, 20)).isEmpty();
    }

    @Test
    void renewedCertificate_isForgotten() {
        assertThat(look(List.of(owned("alice", 1)), 20)).hasSize(1);
        assertThat(look(List.of(), 19)).isEmpty();

        assertThat(look(List.of(owned("alice", 2)), 18)).hasSize(1);
    }

    @Test
    void nameWithControlCharacters_isPrintable() {
        Owned bad = new Owned("recipients/\u001b[31m\n", owned("x", 1).certificate());

        assertThat(look(List.of(bad), 1)).singleElement().asString().doesNotContain("\u001b", "\n");
    }
}
