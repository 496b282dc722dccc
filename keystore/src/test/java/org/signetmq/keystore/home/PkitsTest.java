/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;
import static org.signetmq.keystore.internal.x509.TestCertificates.write;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.testkit.Pkits;
import org.signetmq.testkit.Tier;

/** Judges the paths of NIST's suite by the rules of a home, where each certificate needs a known state. */
@Tag(Tier.LONG)
final class PkitsTest extends HomeTest {
    @Test
    void path_isJudgedAsTheSuiteSays_orByAListedDeviation() throws Exception {
        SoftAssertions all = new SoftAssertions();
        List<String> judged = new ArrayList<>();
        for (Pkits.Test test : Pkits.tests()) {
            String rejection = rejection(test);
            judged.add(test.id());
            all.assertThat(rejection.isEmpty())
                    .as(test.id() + " " + test.name() + " accepted; " + rejection)
                    .isEqualTo(test.isAccepted());
            all.assertThat(rejection).as(test.id()).contains(test.rejection());
            all.assertThat(test.isAccepted() && !test.valid() && !test.hasInputs())
                    .as(test.id() + " is a hole")
                    .isFalse();
        }
        all.assertAll();
        assertThat(judged).hasSize(249).containsAll(Pkits.deviations());
    }

    /** Returns the text of the rejection; empty if the home accepts the path. */
    private String rejection(Pkits.Test test) throws Exception {
        Home suite = new Home(folder.resolve(test.id().replace('/', '-')));
        List<X509Certificate> others = new ArrayList<>();
        try {
            write(suite.trust(), "anchor.pem", read(test.certificates().get(0)));
            Files.createDirectories(suite.crl());
            for (Path list : test.lists()) {
                Files.copy(list, suite.crl().resolve(list.getFileName()));
            }
            write(suite.root(), "trust.json", "{\"schema\": 1, \"revocation\": {\"fail\": \"hard\"}}");
            for (Path issuer : test.issuers()) {
                others.add(read(issuer));
            }
            X509Certificate last =
                    read(test.certificates().get(test.certificates().size() - 1));
            new HomeReader(suite, nanoTime::get).check(last, others, CertificateUse.SIGNING, NOW);
            return "";
        } catch (CertificateRejectedException rejected) {
            return String.valueOf(rejected.getMessage());
        }
    }

    private static X509Certificate read(Path file) throws Exception {
        return CertificateProviders.certificate(Files.readAllBytes(file));
    }
}
