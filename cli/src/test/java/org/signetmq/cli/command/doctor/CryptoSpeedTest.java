/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.keys.CryptoProviders;

final class CryptoSpeedTest {
    private static final List<CryptoSpeed.Primitive> MEASURED =
            CryptoSpeed.measure(CryptoProviders.standard(), Duration.ofMillis(5));

    @Test
    void everyPrimitive_isMeasured() {
        assertThat(MEASURED)
                .extracting(CryptoSpeed.Primitive::name)
                .containsExactly(
                        "AES-256-GCM encrypt",
                        "AES-256-GCM decrypt",
                        "AES-256-GCM encrypt 256 KiB",
                        "AES-256-GCM decrypt 256 KiB",
                        "AES-256 key wrap",
                        "SHA-512",
                        "ECDSA P-256 sign",
                        "ECDSA P-256 verify",
                        "RSA-2048 sign",
                        "RSA-2048 verify",
                        "RSA-2048 PSS sign",
                        "RSA-2048 PSS verify",
                        "Ed25519 sign",
                        "Ed25519 verify",
                        "ECDH P-256",
                        "RSA-2048 OAEP wrap",
                        "RSA-2048 OAEP unwrap",
                        "random data key");
        assertThat(MEASURED).allMatch(primitive -> primitive.microseconds() > 0);
    }

    @Test
    void provider_isTheOneThatMessagesAreProtectedWith() throws GeneralSecurityException {
        CryptoProviders providers = CryptoProviders.standard();
        PrivateKey rsa = CryptoSpeed.rsa(providers).getPrivate();

        assertThat(provider("AES-256-GCM encrypt"))
                .isEqualTo(providers.aesGcm().getProvider().getName());
        assertThat(provider("AES-256-GCM encrypt 256 KiB"))
                .isEqualTo(providers.aesGcmInBulk().getProvider().getName());
        assertThat(provider("RSA-2048 PSS sign"))
                .isEqualTo(providers
                        .signing(SignatureScheme.RSA_PSS, "SHA-512", rsa)
                        .getProvider()
                        .getName());
        assertThat(provider("random data key"))
                .isEqualTo(providers.random().getProvider().getName());
    }

    private static String provider(String name) {
        return MEASURED.stream()
                .filter(primitive -> primitive.name().equals(name))
                .findFirst()
                .orElseThrow()
                .provider();
    }
}
