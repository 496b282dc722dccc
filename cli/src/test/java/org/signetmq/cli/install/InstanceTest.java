/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.install.Instance.UnusableInstanceException;

final class InstanceTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void makeInstance() throws IOException {
        for (String name : new String[] {"etc", "lib", "bin"}) {
            Files.createDirectory(folder.resolve(name));
        }
        Files.createFile(folder.resolve("bin/artemis"));
        Files.writeString(folder.resolve("etc/broker.xml"), "<configuration><core></core></configuration>");
    }

    @Test
    void folderThatIsAbsent_isRejected() {
        Path absent = folder.resolve("absent");

        assertRejected(absent, absent + ": no such folder");
    }

    @Test
    void distribution_isRejected_withTheCommandThatMakesAnInstance() throws IOException {
        Files.delete(folder.resolve("etc/broker.xml"));

        assertRejected(
                folder,
                folder + ": not a broker instance, but the distribution; name the folder that its artemis create made");
    }

    @Test
    void folderOfSomethingElse_isRejected() throws IOException {
        Files.delete(folder.resolve("bin/artemis"));

        assertRejected(folder, folder + ": not a broker instance, which has etc/broker.xml and bin/artemis");
    }

    @Test
    void instanceWithoutLib_isRejected() throws IOException {
        Files.delete(folder.resolve("lib"));

        assertRejected(folder, folder.resolve("lib") + ": not a folder");
    }

    @Test
    void brokerXml_notUtf8_isRejected() throws IOException {
        Files.write(folder.resolve("etc/broker.xml"), "<configuration>\u00fc".getBytes(StandardCharsets.ISO_8859_1));

        assertThatThrownBy(() -> instance().brokerXml())
                .isInstanceOf(UnusableInstanceException.class)
                .hasMessage("etc/broker.xml: not UTF-8, which is all that can be edited");
    }

    @Test
    void fileThatIsAbsent_isEmpty() throws IOException {
        assertThat(instance().read("etc/other")).isEmpty();
        assertThat(instance().read("etc/broker.xml")).isPresent();
    }

    @Test
    void propertiesOfTheStartScript_areReplaced() {
        assertThat(instance().replaced("${artemis.instance}/x")).contains(folder + "/x");
        assertThat(instance().replaced("${ artemis.instance.etc :y}/$1")).contains(folder + "/etc/$1");
        assertThat(instance().replaced("plain")).contains("plain");
    }

    @Test
    void otherProperty_makesTheTextUnknown() {
        assertThat(instance().replaced("${artemis.instance}/${data}")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"signet-plugin-0.1.jar", "signet-interceptor-2.jar"})
    void pluginOfAnAdministrator_isRejected(String jar) throws IOException {
        Files.createFile(folder.resolve("lib").resolve(jar));

        assertThatThrownBy(() -> instance().requireNoOtherPlugin())
                .isInstanceOf(UnusableInstanceException.class)
                .hasMessageContaining(jar + ": a plugin that was put there by hand; remove it first");
    }

    @Test
    void pluginOfAnEarlierInstall_isNoOther() throws IOException {
        Files.createFile(folder.resolve("lib/signet-plugin.jar"));
        Files.createFile(folder.resolve("lib/signet-plugin.jar.signet-backup"));

        instance().requireNoOtherPlugin();
    }

    @ParameterizedTest
    @CsvSource({
        "AmazonCorrettoCryptoProvider-2.5.0-linux-x86_64.jar, true",
        "AmazonCorrettoCryptoProvider.jar.old, false",
        "signet-native-crypto.jar, false",
    })
    void nativeLibraryOfAnAdministrator_isFound(String jar, boolean found) throws IOException {
        Files.createFile(folder.resolve("lib").resolve(jar));

        assertThat(instance().hasOtherNativeJar()).isEqualTo(found);
    }

    @Test
    void backups_areInTheOrderOfTheirNumbers() throws IOException {
        for (String suffix : new String[] {"-10", "-2", "", "-x", "-1234567890"}) {
            Files.createFile(folder.resolve("etc/broker.xml.signet-backup" + suffix));
        }

        assertThat(instance().backups())
                .containsExactly(
                        "etc/broker.xml.signet-backup",
                        "etc/broker.xml.signet-backup-2",
                        "etc/broker.xml.signet-backup-10");
    }

    @Test
    void backup_hasTheNameOfOneWithTheSameContent_orANewOne() throws IOException {
        byte[] content = {1, 2, 3};
        assertThat(instance().backup(content)).isEqualTo("etc/broker.xml.signet-backup");

        Files.write(folder.resolve("etc/broker.xml.signet-backup"), new byte[] {9});
        assertThat(instance().backup(content)).isEqualTo("etc/broker.xml.signet-backup-2");

        Files.write(folder.resolve("etc/broker.xml.signet-backup-2"), content);
        assertThat(instance().backup(content)).isEqualTo("etc/broker.xml.signet-backup-2");
    }

    private Instance instance() {
        return Instance.at(folder);
    }

    private static void assertRejected(Path folder, String message) {
        assertThatThrownBy(() -> Instance.at(folder))
                .isInstanceOf(UnusableInstanceException.class)
                .hasMessage(message);
    }
}
