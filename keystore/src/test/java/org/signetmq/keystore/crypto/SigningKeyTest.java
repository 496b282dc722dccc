/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.security.Signature;
import java.util.List;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1Sequence;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;

final class SigningKeyTest {
    private static final Party PARTY = CertificateForge.of("CN=alice").make();

    /**
     * Two copies of a machine may have one state of the random generator. A number that both use for two messages would
     * give the key away. The native library asks the processor for it and is not held to this.
     */
    @Test
    void signatureOfAnEllipticKey_dependsOnTheMessageAndNotOnTheGenerator() throws Exception {
        SigningKey key = SigningKey.of(
                new Identity("alice", PARTY.pair().getPrivate(), List.of(PARTY.certificate())), SignatureScheme.ECDSA);

        byte[] one = key.sign("one".getBytes(UTF_8));
        byte[] again = key.sign("one".getBytes(UTF_8));
        byte[] other = key.sign("two".getBytes(UTF_8));

        assertThat(first(one)).isNotEqualTo(first(other));
        if (CryptoProviders.standard().accelerated().isEmpty()) {
            assertThat(again).isEqualTo(one);
        }
        Signature verifying = Signature.getInstance("SHA512withECDSA");
        verifying.initVerify(PARTY.pair().getPublic());
        verifying.update("two".getBytes(UTF_8));
        assertThat(verifying.verify(other)).isTrue();
    }

    private static BigInteger first(byte[] signature) {
        return ASN1Integer.getInstance(ASN1Sequence.getInstance(signature).getObjectAt(0))
                .getValue();
    }
}
