/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ConditionsTest {
    private static final List<String> CIPHERS = """
            name         : xts(aes)
            driver       : xts(ecb(aes-generic))
            priority     : 100

            name         : xts(aes)
            driver       : xts-aes-aesni
            module       : aesni_intel
            priority     : 401

            name         : aes
            driver       : aes-other
            priority     : 500
            """.lines().toList();

    @Test
    void driver_isTheOneOfHighestPriority() {
        assertThat(Conditions.driver("xts(aes)", CIPHERS)).isEqualTo("xts-aes-aesni");
        assertThat(Conditions.driver("aes", CIPHERS)).isEqualTo("aes-other");
        assertThat(Conditions.driver("xts(serpent)", CIPHERS)).isEqualTo("unknown");
    }

    @Test
    void softwareDrivers_areKnown() {
        assertThat(Conditions.isSoftware("xts(ecb(aes-fixed-time))")).isTrue();
        assertThat(Conditions.isSoftware("xts(ecb(aes-generic))")).isTrue();
        assertThat(Conditions.isSoftware("xts-aes-aesni")).isFalse();
    }
}
