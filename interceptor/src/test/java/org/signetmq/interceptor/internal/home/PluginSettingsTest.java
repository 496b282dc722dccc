/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.keys.PregenerationSettings;

final class PluginSettingsTest {
    @Test
    void identity_isBrokerUnlessNamed() {
        PluginSettings settings = PluginSettings.of(Map.of("home", "some/home", "password-file", "pw"));

        assertThat(settings.identity()).isEqualTo("broker");
        assertThat(settings.home().root()).isEqualTo(Path.of("some/home").toAbsolutePath());
    }

    @Test
    void unknownProperty_isRejectedNamingTheNearest() {
        assertThatThrownBy(() -> PluginSettings.of(Map.of("home", "h", "pasword-file", "pw")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'pasword-file': unknown")
                .hasMessageContaining("password-file");
    }

    @Test
    void missingProperty_isRejected() {
        assertThatThrownBy(() -> PluginSettings.of(Map.of("home", "h")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'password-file': missing");
    }

    @Test
    void policyStore_isAFileUnlessThePropertySaysBroker() {
        Map<String, String> least = Map.of("home", "h", "password-file", "pw");
        Map<String, String> broker = Map.of("home", "h", "password-file", "pw", "policy-store", "broker");

        assertThat(PluginSettings.of(least).tuning().keeping().store()).isEqualTo(PluginSettings.Store.FILE);
        assertThat(PluginSettings.of(broker).tuning().keeping().store()).isEqualTo(PluginSettings.Store.BROKER);
    }

    @Test
    void otherPolicyStore_isRejected() {
        assertThatThrownBy(() -> PluginSettings.of(Map.of("home", "h", "password-file", "pw", "policy-store", "ldap")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be 'broker' or 'file', found 'ldap'");
    }

    @Test
    void keysAheadOfNeed_sizeThemselvesUnlessTold() {
        assertThat(PluginSettings.of(Map.of("home", "h", "password-file", "pw"))
                        .tuning()
                        .pregeneration())
                .isEqualTo(PregenerationSettings.AUTO);
        assertThat(PluginSettings.of(Map.of(
                                "home", "h",
                                "password-file", "pw",
                                "key-pregenerator.threads", "4",
                                "key-pregenerator.capacity", "2000"))
                        .tuning()
                        .pregeneration())
                .isEqualTo(PregenerationSettings.of(4, 2000));
    }

    @Test
    void wrongNumberOfThreads_isRejected() {
        assertThatThrownBy(() -> PluginSettings.of(
                        Map.of("home", "h", "password-file", "pw", "key-pregenerator.threads", "many")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("property 'key-pregenerator.threads': must be auto or a number from 1 to 64, found 'many'");
    }

    @Test
    void misspeltThreads_areRejectedNamingTheNearest() {
        assertThatThrownBy(() ->
                        PluginSettings.of(Map.of("home", "h", "password-file", "pw", "keypregenerator.thread", "4")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("property 'keypregenerator.thread': unknown; did you mean \"key-pregenerator.threads\"?");
    }

    /** The last three overflow a long when they become bytes: to 0, to 1 GiB and to a negative number. */
    @ParameterizedTest
    @ValueSource(strings = {"1073741825", "1025MiB", "2GiB", "17179869184GiB", "17179869185GiB", "8589934592GiB"})
    void messageSizeAboveOneGibibyte_isRejected(String size) {
        assertThatThrownBy(
                        () -> PluginSettings.of(Map.of("home", "h", "password-file", "pw", "max-message-size", size)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "property 'max-message-size': must be a size up to 1GiB such as 64MiB, found '" + size + "'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pkcs11:token=hsm?module-path=/usr/lib/p11.so",
                "transit:https://vault.example:8200/transit/orders?token-file=/run/token"
            })
    void keyStore_needsNoPassword(String uri) {
        PluginSettings settings = PluginSettings.of(Map.of("home", "/h", "key-store", uri));

        assertThat(settings.tuning().keyStore()).isPresent();
        assertThat(settings.passwordFile()).isEqualTo(Path.of("/h/password"));
    }

    @Test
    void keyStore_malformed_isRejectedByItsName() {
        assertThatThrownBy(() -> PluginSettings.of(Map.of("home", "/h", "key-store", "hsm.p12")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("property 'key-store': must be a URI that begins with pkcs11: or transit:");
    }
}
