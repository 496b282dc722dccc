/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PluginSettingsTest {
    @Test
    void identity_isBrokerUnlessNamed() {
        PluginSettings settings = PluginSettings.of(Map.of("home", "some/home", "password-file", "pw"));

        assertThat(settings.identity()).isEqualTo("broker");
        assertThat(settings.home().root()).isEqualTo(Path.of("some/home"));
    }

    @Test
    void unknownProperty_isRefusedNamingTheNearest() {
        assertThatThrownBy(() -> PluginSettings.of(Map.of("home", "h", "pasword-file", "pw")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'pasword-file': unknown")
                .hasMessageContaining("password-file");
    }

    @Test
    void missingProperty_isRefused() {
        assertThatThrownBy(() -> PluginSettings.of(Map.of("home", "h")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'password-file': missing");
    }

    @Test
    void otherPolicyStore_isRefused() {
        assertThatThrownBy(
                        () -> PluginSettings.of(Map.of("home", "h", "password-file", "pw", "policy-store", "broker")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be 'file', found 'broker'");
    }
}
