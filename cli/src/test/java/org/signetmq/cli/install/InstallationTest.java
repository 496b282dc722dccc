/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.install.Instance.UnusableInstanceException;

final class InstallationTest {
    private static final String HEAD = """
            <?xml version='1.0'?>
            <!-- <core> of ours -->
            <configuration xmlns="urn:activemq">
               <core xmlns="urn:activemq:core">
                  <name>a &amp; b</name>
                  <acceptors>
            """;
    private static final String TAIL = "\n   </core>\n</configuration>\n";
    private static final String ACCEPTOR =
            "         <acceptor name=\"all\">tcp://127.0.0.1:61616?x=1;stompMinLargeMessageSize=102400</acceptor>\n";
    private static final String PLAIN =
            HEAD + ACCEPTOR + "      </acceptors>\n      <!-- <broker-plugins></broker-plugins> -->" + TAIL;

    @TempDir
    private Path folder;

    private Path home;

    @BeforeEach
    void makeInstance() throws IOException {
        home = folder.resolve("home");
        Files.createDirectories(folder.resolve("etc"));
        Files.createDirectories(folder.resolve("lib"));
        Files.createDirectories(folder.resolve("bin"));
        Files.createFile(folder.resolve("bin/artemis"));
        write(PLAIN);
    }

    @Test
    void plan_changesNothing() throws Exception {
        Plan plan = Installation.plan(folder, request("1"));

        assertThat(plan.details())
                .contains("+      <broker-plugins>", "lib/signet-plugin.jar: would be added, version 1");
        assertThat(read()).isEqualTo(PLAIN);
        assertThat(folder.resolve("lib")).isEmptyDirectory();
    }

    @Test
    void installed_pluginIsThere_acceptorsStayAsTheyAre_backupIsTheFileBefore() throws Exception {
        install("1");

        assertThat(read())
                .contains(ACCEPTOR)
                .contains("<property key=\"home\" value=\"" + home + "\"/>")
                .contains("<!-- <broker-plugins></broker-plugins> -->");
        assertThat(folder.resolve("etc/broker.xml.signet-backup")).hasContent(PLAIN);
        assertThat(BrokerXml.of(read()).signet()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"amqpMinLargeMessageSize", "stompMinLargeMessageSize"})
    void installedTwice_whatAnAdministratorSaysOfAnAcceptor_stays(String parameter) throws Exception {
        write(PLAIN.replace("?x=1;stompMinLargeMessageSize=102400", "?x=1;" + parameter + "=-1"));
        install("1");

        install("2");

        assertThat(read()).contains("?x=1;" + parameter + "=-1</acceptor>");
    }

    @Test
    void installedTwice_nothingToDo() throws Exception {
        install("1");

        assertThat(Installation.plan(folder, request("1")).isEmpty()).isTrue();
    }

    @Test
    void newerJar_isTheOnlyChange_theOlderIsKept() throws Exception {
        install("1");
        byte[] older = Files.readAllBytes(folder.resolve("lib/signet-plugin.jar"));

        Plan plan = Installation.plan(folder, request("2"));
        plan.carryOut();

        assertThat(plan.summary())
                .containsExactly(
                        "lib/signet-plugin.jar.signet-backup: added, version 1",
                        "lib/signet-plugin.jar: replaced, version 1 by 2");
        assertThat(folder.resolve("lib/signet-plugin.jar.signet-backup")).hasBinaryContent(older);
        Installation.planRemoval(folder).carryOut();
        assertThat(folder.resolve("lib")).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                PLAIN,
                HEAD + "</acceptors><broker-plugins/>" + TAIL,
                HEAD + "</acceptors>\n      <broker-plugins>\n      </broker-plugins>" + TAIL,
                HEAD + ACCEPTOR
                        + "<acceptor name='b'>tcp://h:1</acceptor>\n<acceptor name='c'>tcp://h:2?protocols=CORE,amqp</acceptor>"
                        + "</acceptors>\n\t<broker-plugins><broker-plugin class-name=\"other\"/></broker-plugins>"
                        + TAIL
            })
    void uninstalled_everythingIsAsBefore(String text) throws Exception {
        for (String xml : List.of(text, text.replace("\n", "\r\n"))) {
            write(xml);
            install("1");
            assertThat(read()).isNotEqualTo(xml);

            Installation.planRemoval(folder).carryOut();

            assertThat(read()).isEqualTo(xml);
            assertThat(folder.resolve("lib")).isEmptyDirectory();
            assertThat(folder.resolve("etc")).isDirectoryContaining("glob:**/broker.xml");
            assertThat(folder.resolve("etc").toFile().list()).hasSize(1);
        }
    }

    @Test
    void uninstalled_laterChangesOfOthersStay() throws Exception {
        install("1");
        String changed = read().replace("a &amp; b", "c")
                .replace("?x=1;", "?x=2;")
                .replace("</broker-plugins>\n", "<broker-plugin class-name=\"other\"/></broker-plugins>\n");
        write(changed);

        Installation.planRemoval(folder).carryOut();

        assertThat(read())
                .contains("<name>c</name>", "?x=2;stompMinLargeMessageSize=102400</acceptor>")
                .contains("<broker-plugin class-name=\"other\"/>")
                .doesNotContain("Signet");
        assertThat(folder.resolve("etc/broker.xml.signet-backup")).hasContent(PLAIN);
    }

    @Test
    void otherPlugins_comeAfterOurs() throws Exception {
        write(HEAD + "</acceptors><broker-plugins>\n<broker-plugin class-name=\"other\"/>\n<broker-plugin class-name=\""
                + BrokerXml.PLUGIN_CLASS
                + "\"><property key=\"home\" value=\"/kept\"/></broker-plugin></broker-plugins>"
                + TAIL);

        install("1");

        assertThat(BrokerXml.of(read()).isSignetFirst()).isTrue();
        assertThat(read()).containsOnlyOnce(BrokerXml.PLUGIN_CLASS).contains("value=\"/kept\"");
    }

    @Test
    void propertySaid_replacesTheOneThere() throws Exception {
        install("1");
        Map<String, String> said = Map.of(Installation.HOME, "/new \"home\" & more");

        plan(said, Optional.empty()).carryOut();

        assertThat(read())
                .contains("key=\"home\" value=\"/new &quot;home&quot; &amp; more\"/>")
                .contains("key=\"password-file\" value=\"" + home.resolve("password") + "\"/>");
    }

    @Test
    void passwordThatIsNowhereElse_isKeptForTheOwnerAlone() throws Exception {
        plan(Map.of(), Optional.of("secret")).carryOut();

        Path password = folder.resolve("etc/signet-password");
        assertThat(password).hasContent("secret");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(password)))
                .isEqualTo("rw-------");
        assertThat(read()).contains("key=\"password-file\" value=\"" + password + "\"/>");
    }

    @Test
    void passwordThatIsKept_staysWhenAnotherIsGiven() throws Exception {
        plan(Map.of(), Optional.of("secret")).carryOut();

        Plan again = plan(Map.of(), Optional.of("other"));

        assertThat(again.isEmpty()).isTrue();
        assertThat(again.warnings()).anySatisfy(warning -> assertThat(warning).contains("etc/signet-password stays"));
    }

    @Test
    void propertiesOfTheEntryThere_areTheOnesThatCount() throws Exception {
        write(HEAD + "</acceptors><broker-plugins><broker-plugin class-name=\"" + BrokerXml.PLUGIN_CLASS
                + "\"><property key=\"home\" value=\"${artemis.instance}/a &amp; b\"/>"
                + "<property key=\"password-file\" value=\"${somewhere}/password\"/></broker-plugin></broker-plugins>"
                + TAIL);

        Plan plan = Installation.plan(folder, request("1"));

        assertThat(plan.path(Installation.HOME)).contains(folder.resolve("a & b"));
        assertThat(plan.property(Installation.IDENTITY)).contains("broker");
        assertThat(plan.path(Installation.PASSWORD_FILE)).isEmpty();
    }

    @Test
    void notAnInstance_isRejected() throws Exception {
        assertThatThrownBy(() -> Installation.plan(folder.resolve("none"), request("1")))
                .isInstanceOf(UnusableInstanceException.class)
                .hasMessageEndingWith("none: no such folder");
        assertThatThrownBy(() -> Installation.plan(folder.resolve("etc"), request("1")))
                .hasMessageContaining("not a broker instance");
        Files.delete(folder.resolve("etc/broker.xml"));
        assertThatThrownBy(() -> Installation.plan(folder, request("1"))).hasMessageContaining("the distribution");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<configuration>",
                "<configuration/>",
                "<configuration><core/></configuration>",
                "<core></core>",
                "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:/etc/passwd'>]><configuration><core> </core></configuration>"
            })
    void unusableXml_isRejectedAndNothingChanges(String xml) throws Exception {
        write(xml);

        assertThatThrownBy(() -> Installation.plan(folder, request("1")))
                .isInstanceOf(UnusableInstanceException.class)
                .hasMessageStartingWith("etc/broker.xml: ");
        assertThat(folder.resolve("lib")).isEmptyDirectory();
    }

    @Test
    void pluginPutThereByHand_isRejected() throws Exception {
        Files.createFile(folder.resolve("lib/signet-plugin-0.0.1.jar"));

        assertThatThrownBy(() -> Installation.plan(folder, request("1"))).hasMessageContaining("remove it first");
    }

    @Test
    void nativeLibraryThatWorks_isInstalledOnce_andGoesWithThePlugin() throws Exception {
        Plan plan = planWith(library(), Optional.empty());
        plan.carryOut();

        assertThat(plan.summary()).contains("lib/signet-native-crypto.jar: added");
        assertThat(folder.resolve("lib/signet-native-crypto.jar")).hasBinaryContent(new byte[] {1, 2, 3});
        assertThat(planWith(library(), Optional.empty()).isEmpty()).isTrue();
        Installation.planRemoval(folder).carryOut();
        assertThat(folder.resolve("lib")).isEmptyDirectory();
        assertThat(Files.readString(folder.resolve("etc/broker.xml"))).isEqualTo(PLAIN);
    }

    @Test
    void nativeLibraryLeftOut_staysOut_untilItIsAskedFor() throws Exception {
        planWith(library(), Optional.empty()).carryOut();

        planWith(library(), Optional.of(false)).carryOut();

        assertThat(folder.resolve("lib/signet-native-crypto.jar")).doesNotExist();
        assertThat(planWith(library(), Optional.of(false)).isEmpty()).isTrue();
        assertThat(planWith(library(), Optional.empty()).isEmpty()).isTrue();
        planWith(library(), Optional.of(true)).carryOut();
        assertThat(folder.resolve("lib/signet-native-crypto.jar")).exists();
        assertThat(planWith(library(), Optional.empty()).isEmpty()).isTrue();
    }

    @Test
    void nativeLibraryPutThereByHand_isTheOnlyOne() throws Exception {
        Files.createFile(folder.resolve("lib/AmazonCorrettoCryptoProvider-2.5.0-linux-x86_64.jar"));

        planWith(library(), Optional.empty()).carryOut();

        assertThat(folder.resolve("lib/signet-native-crypto.jar")).doesNotExist();
    }

    @Test
    void nativeLibraryThatDoesNotWork_isAWarningWhereItWasAskedFor() throws Exception {
        assertThat(planWith(jars("1"), Optional.of(true)).warnings())
                .anySatisfy(line -> assertThat(line).contains("native library", "does not work on this machine"));
        assertThat(planWith(jars("1"), Optional.empty()).warnings())
                .noneSatisfy(line -> assertThat(line).contains("native library"));
    }

    private void install(String version) throws IOException {
        Installation.plan(folder, request(version)).carryOut();
    }

    private Installation.Request request(String version) throws IOException {
        return new Installation.Request(
                jars(version), Optional.empty(), home, new Installation.Given(Map.of(), Roles.NONE), Optional.empty());
    }

    private Plan plan(Map<String, String> given, Optional<String> password) throws IOException {
        return Installation.plan(
                folder,
                new Installation.Request(
                        jars("1"), Optional.empty(), home, new Installation.Given(given, Roles.NONE), password));
    }

    private static Jars jars(String version) throws IOException {
        return new Jars(jar(version), Optional.empty());
    }

    private Plan planWith(Jars jars, Optional<Boolean> nativeLibrary) throws IOException {
        return Installation.plan(
                folder,
                new Installation.Request(
                        jars, nativeLibrary, home, new Installation.Given(Map.of(), Roles.NONE), Optional.empty()));
    }

    private static Jars library() throws IOException {
        return new Jars(jar("1"), Optional.of(new byte[] {1, 2, 3}));
    }

    private static byte[] jar(String version) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
        ZipEntry entry = new ZipEntry(JarFile.MANIFEST_NAME);
        entry.setTime(0); // the same bytes each time
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes)) {
            jar.putNextEntry(entry);
            manifest.write(jar);
        }
        return bytes.toByteArray();
    }

    private void write(String xml) throws IOException {
        Files.writeString(folder.resolve("etc/broker.xml"), xml);
    }

    private String read() throws IOException {
        return Files.readString(folder.resolve("etc/broker.xml"));
    }
}
