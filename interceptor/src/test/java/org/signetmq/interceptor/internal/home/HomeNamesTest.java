/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.interceptor.TestHomes;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRenewal;
import org.signetmq.keystore.IdentityRenewal.NextKey;
import org.signetmq.keystore.home.Password;

/** The plugin knows the former keys of the broker and of users. */
final class HomeNamesTest {
    @TempDir
    private Path folder;

    private TestHomes homes;
    private HomeNames names;

    @BeforeEach
    void open() {
        homes = new TestHomes(folder);
        names = new HomeNames(homes.broker, homes.broker.reader());
    }

    @Test
    void formerKey_isStillThatOfTheIdentity() throws Exception {
        X509Certificate former = load("broker").certificate();
        Identity renewed = renew("broker");

        assertThat(names.isKeyOf(renewed, renewed.certificate())).isTrue();
        assertThat(names.isKeyOf(renewed, former)).isTrue();
        assertThat(names.isKeyOf("broker", former)).isTrue();
        assertThat(names.isKeyOf(TestHomes.CONSUMER, former)).isFalse();
        assertThat(names.isKeyOf(renewed, homes.createUser("alice").certificate()))
                .isFalse();
    }

    @Test
    void formerKeyInTheFileOfAnother_isNotThatOfTheIdentity() throws Exception {
        X509Certificate former = load("broker").certificate();
        Identity renewed = renew("broker");
        Files.copy(
                homes.broker.recipients().resolve(TestHomes.CONSUMER + ".pem"),
                homes.broker.recipients().resolve("broker.pem"),
                StandardCopyOption.REPLACE_EXISTING);

        assertThat(names.isKeyOf(renewed, former)).isFalse();
        assertThat(names.isKeyOf(renewed, renewed.certificate())).isTrue();
    }

    @Test
    void userNamedAsAFileOfAFormerKey_hasNoIdentity() throws Exception {
        homes.createUser("alice");
        renew("alice");
        Identities identities = new Identities(
                new PluginSettings(homes.broker, "broker", homes.passwordFile, PluginSettings.Tuning.DEFAULT));
        List<String> former = homes.broker.identityStore().formerKeys("alice");

        assertThat(former).hasSize(1);
        for (String user :
                List.of("alice." + former.get(0), "former/alice." + former.get(0), "former", ".lock", "retired")) {
            assertThat(identities.signerFor(user).name()).isEqualTo("broker");
        }
    }

    private Identity load(String name) {
        try (Password password = Password.fromFile(homes.passwordFile)) {
            return homes.broker.identityStore().load(name, password);
        }
    }

    private Identity renew(String name) {
        try (Password password = Password.fromFile(homes.passwordFile)) {
            return homes.broker
                    .identityStore()
                    .renew(
                            new IdentityRenewal(name, new NextKey.New(null), null, IdentityRenewal.DEFAULT_VALIDITY),
                            password);
        }
    }
}
