/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.Provider;
import java.security.Security;
import javax.crypto.Cipher;
import org.junit.jupiter.api.Test;

final class CryptoProvidersTest {
    private final CryptoProviders providers = CryptoProviders.standard();

    @Test
    void cipherThatCannot_isNotChosen() throws Exception {
        assertThat(providers.isFastWithNewKeys(Cipher.getInstance("AES/CBC/NoPadding", "SunJCE")))
                .isFalse();
    }

    @Test
    void cipherOfMessages_isTheNativeOneIfItsNewKeysCostLittle_elseTheJdks() {
        Provider expected = providers
                .accelerated()
                .filter(provider -> providers.isFastWithNewKeys(providers.aesGcmInBulk()))
                .orElse(Security.getProvider("SunJCE"));

        assertThat(providers.aes()).isSameAs(expected);
        assertThat(providers.aesGcm().getProvider()).isSameAs(expected);
    }
}
