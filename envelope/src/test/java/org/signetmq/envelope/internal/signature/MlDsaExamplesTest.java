/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.security.cert.X509Certificate;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.trust.Certificates;
import org.signetmq.testkit.Vectors;

/** The examples of RFC 9882, where the folder with the data of others is there. */
class MlDsaExamplesTest {

    private static byte[] decoded(String name, String label) throws IOException {
        String text = Files.readString(Vectors.path("rfc9882").resolve(name));
        String begin = "-----BEGIN " + label + "-----";
        int start = text.indexOf(begin) + begin.length();
        return Base64.getMimeDecoder().decode(text.substring(start, text.indexOf("-----END", start)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"65", "87"})
    void example_isVerified(String level) throws IOException {
        byte[] envelope = decoded("mldsa" + level + "-signed-attrs.pem", "CMS");
        X509Certificate certificate =
                Certificates.fromDer(decoded("certificate-ML-DSA-" + level + ".pem", "CERTIFICATE"));

        ParsedEnvelope.Signed parsed = (ParsedEnvelope.Signed) EnvelopeParser.parse(Slice.of(envelope));

        assertThat(parsed.signer().signature().scheme().isMlDsa()).isTrue();
        assertThat(KeyAlgorithm.label(certificate.getPublicKey())).isEqualTo("ml-dsa-" + level);
        assertThat(Certificates.problemWithKey(certificate, CertificateUse.SIGNING))
                .isEmpty();
        assertThat(Certificates.isSignedBy(certificate, certificate)).isTrue();
        SignerCertificates.SignerCertificate key =
                SignerCertificates.SignerCertificate.of(certificate, CryptoProviders.standard());
        assertThat(key.key()
                        .verify(
                                parsed.signer().signature().scheme(),
                                parsed.signer().digest(),
                                parsed.signer().attributes().encoded(),
                                parsed.signer().signature().value()))
                .isTrue();
    }

    @Test
    void mlDsa44_refused() throws IOException {
        X509Certificate certificate = Certificates.fromDer(decoded("certificate-ML-DSA-44.pem", "CERTIFICATE"));

        assertThat(Certificates.problemWithKey(certificate, CertificateUse.SIGNING))
                .isPresent();
        assertThat(Certificates.isSignedBy(certificate, certificate)).isFalse();
        byte[] envelope = decoded("mldsa44-signed-attrs.pem", "CMS");
        assertThatThrownBy(() -> EnvelopeParser.parse(Slice.of(envelope)))
                .isInstanceOf(MalformedEnvelopeException.class);
    }
}
