/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.interceptor.TestHomes;
import org.signetmq.keystore.KeystoreUnusableException;

final class IdentitiesTest {
    @TempDir
    private Path folder;

    private TestHomes homes;
    private Identities identities;

    @BeforeEach
    void open() {
        homes = new TestHomes(folder);
        identities = new Identities(
                new PluginSettings(homes.broker, "broker", homes.passwordFile, PluginSettings.Tuning.DEFAULT));
    }

    @Test
    void user_withAnIdentity_signs() throws Exception {
        homes.createUser("alice");

        assertThat(identities.signerFor("alice").name()).isEqualTo("alice");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"bob", "", "../../outside", "/etc/outside", "..", ".hidden", "a/b", "a\\b", "a\u0000b", "ä"})
    void user_withoutOne_leavesItToTheBroker(String user) throws Exception {
        // a key store that only a path out of the folder would reach
        Files.copy(homes.broker.identities().resolve("broker.p12"), folder.resolve("outside.p12"));

        assertThat(identities.signerFor(user).name()).isEqualTo("broker");
    }

    @Test
    void nobody_leavesItToTheBroker() {
        assertThat(identities.signerFor(null).name()).isEqualTo("broker");
    }

    @Test
    void identity_thatCannotBeLoaded_isNotReplacedByAnother() throws Exception {
        Files.writeString(homes.broker.identities().resolve("alice.p12"), "no key store");

        assertThatThrownBy(() -> identities.signerFor("alice")).isInstanceOf(KeystoreUnusableException.class);
        assertThatThrownBy(() -> identities.signerFor("alice")).isInstanceOf(KeystoreUnusableException.class);
    }

    @Test
    void identity_isLoadedOnce_andAgainWhenItsFileChanges() throws Exception {
        homes.createUser("alice");
        var first = identities.signerFor("alice");
        identities.forgetChanged();
        assertThat(identities.signerFor("alice")).isSameAs(first);

        Files.delete(homes.broker.identities().resolve("alice.p12"));
        identities.forgetChanged();

        assertThat(identities.signerFor("alice").name()).isEqualTo("broker");
    }

    @Test
    void ownIdentity_whoseFileChanges_isLoadedAnewAtOnce() throws Exception {
        var first = identities.ofBroker();
        Path file = homes.broker.identities().resolve("broker.p12");
        byte[] before = Files.readAllBytes(file);
        Files.writeString(file, "no key store");
        identities.forgetChanged();
        assertThatThrownBy(identities::ofBroker).isInstanceOf(KeystoreUnusableException.class);
        assertThat(identities.loaded()).isEmpty();

        Files.write(file, before);
        identities.forgetChanged();

        assertThat(identities.loaded()).containsKey("broker"); // no message has asked for it
        assertThat(identities.ofBroker().certificate()).isEqualTo(first.certificate());
    }

    @Test
    void identity_thatComesLater_isFound() throws Exception {
        assertThat(identities.signerFor("alice").name()).isEqualTo("broker");
        homes.createUser("alice");

        identities.forgetChanged();

        assertThat(identities.signerFor("alice").name()).isEqualTo("alice");
    }

    @Test
    void ownIdentity_thatIsNoName_isRejected() {
        var other = new Identities(
                new PluginSettings(homes.broker, "../broker", homes.passwordFile, PluginSettings.Tuning.DEFAULT));

        assertThatThrownBy(other::ofBroker)
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("not a name");
    }
}
