/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.activemq.artemis.core.config.FileDeploymentManager;
import org.apache.activemq.artemis.core.config.impl.FileConfiguration;
import org.apache.activemq.artemis.core.server.plugin.impl.LoggingActiveMQServerPlugin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.install.Instance.UnusableInstanceException;
import org.signetmq.interceptor.SignetPlugin;

/** A broker.xml that includes other files; what comes of it is read by Artemis itself. */
final class IncludedFilesTest {
    private static final String OTHER =
            "<broker-plugin class-name=\"" + LoggingActiveMQServerPlugin.class.getName() + "\"/>";

    @TempDir
    private Path folder;

    private Path plugins;

    @BeforeEach
    void makeInstance() throws IOException {
        Files.createDirectories(folder.resolve("etc"));
        Files.createDirectories(folder.resolve("lib"));
        Files.createDirectories(folder.resolve("bin"));
        Files.createFile(folder.resolve("bin/artemis"));
        plugins = folder.resolve("etc/plugins.xml");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%s/etc/plugins.xml", "file:%s/etc/plugins.xml", "plugins.xml", "etc/plugins.xml"})
    void includedPlugins_areRejected_fileAndEntryAreSaid(String href) throws Exception {
        broker(include(href.formatted(folder)));
        plugins(OTHER);

        assertThatThrownBy(this::install)
                .isInstanceOf(UnusableInstanceException.class)
                .hasMessageStartingWith(plugins + ": is included by etc/broker.xml")
                .hasMessageContaining("<property key=\"home\" value=\"/home/of\"/>");
        assertThat(folder.resolve("lib")).isEmptyDirectory();
    }

    /** Four kilobytes of files that come to millions of elements. */
    @Test
    void filesThatIncludeEachOtherTenTimes_areRejected() throws Exception {
        for (int depth = 1; depth <= 6; depth++) {
            String part = depth == 6 ? "<x/>" : include("f" + (depth + 1) + ".xml");
            Files.writeString(folder.resolve("etc/f" + depth + ".xml"), "<a>" + part.repeat(10) + "</a>");
        }
        broker(include("f1.xml"));

        assertThatThrownBy(this::install)
                .isInstanceOf(UnusableInstanceException.class)
                .hasMessageStartingWith(
                        "broker.xml includes more than 1000 files or 64 MiB, the last of them " + folder);
        assertThat(folder.resolve("lib")).isEmptyDirectory();
    }

    @Test
    void chainOfFiles_isReadToItsEnd_unlessItIsTooLong() throws Exception {
        for (int i = 2; i <= 900; i++) {
            Files.writeString(folder.resolve("etc/f" + i + ".xml"), "<a>" + include("f" + (i - 1) + ".xml") + "</a>");
        }
        Files.writeString(folder.resolve("etc/f1.xml"), "<broker-plugins/>");

        broker(include("f100.xml"));
        assertThatThrownBy(this::install).hasMessageStartingWith(folder.resolve("etc/f1.xml") + ": ");

        broker(include("f900.xml"));
        assertThat(warnings(Installation.plan(folder, request())))
                .singleElement()
                .asString()
                .contains("f800.xml");
    }

    @Test
    void pluginsIncludedByAnIncludedFile_areRejected() throws Exception {
        broker("<acceptors>" + include(folder + "/etc/acceptor.xml") + "</acceptors>");
        Files.writeString(
                folder.resolve("etc/acceptor.xml"), "<acceptor name='a'>" + include("plugins.xml") + "</acceptor>");
        plugins(OTHER);

        assertThatThrownBy(this::install).hasMessageStartingWith(plugins + ": ");
    }

    @Test
    void includedPlugins_withOursFirst_jarIsAllThatIsAdded_artemisLoadsBoth() throws Exception {
        broker(include(plugins.toString()));
        plugins(entry("/home/of") + OTHER);
        String before = Files.readString(folder.resolve("etc/broker.xml"));

        install();

        assertThat(folder.resolve("lib/signet-plugin.jar")).exists();
        assertThat(folder.resolve("etc/broker.xml")).hasContent(before);
        assertThat(loaded()).containsExactly(SignetPlugin.class, LoggingActiveMQServerPlugin.class);
    }

    @Test
    void includedPlugins_withOursAfterAnother_areRejected() throws Exception {
        broker(include(plugins.toString()));
        plugins(OTHER + entry("/home/of"));

        assertThatThrownBy(this::install).hasMessageContaining("first of them");
    }

    @Test
    void includedPlugins_withOtherPropertiesThanSaid_areRejected() throws Exception {
        broker(include(plugins.toString()));
        plugins(entry("/other"));

        assertThatThrownBy(this::install).hasMessageContaining("value=\"/home/of\"");
    }

    @Test
    void includedPlugins_withOurs_areNotUninstalled() throws Exception {
        broker(include(plugins.toString()));
        plugins(entry("/home/of"));
        install();

        assertThatThrownBy(() -> Installation.planRemoval(folder)).hasMessageStartingWith(plugins + ": ");

        plugins(OTHER);
        Installation.planRemoval(folder).carryOut();
        assertThat(folder.resolve("lib")).isEmptyDirectory();
    }

    @Test
    void pluginIncludedIntoTheList_comesAfterOurs() throws Exception {
        broker("<broker-plugins>" + include(folder + "/etc/other.xml") + entry("/home/of") + "</broker-plugins>");
        Files.writeString(
                folder.resolve("etc/other.xml"),
                OTHER.replace("<broker-plugin", "<broker-plugin xmlns=\"urn:activemq:core\""));

        install();

        assertThat(loaded()).containsExactly(SignetPlugin.class, LoggingActiveMQServerPlugin.class);
    }

    @Test
    void includedAcceptors_needNothing_pluginIsLoaded() throws Exception {
        Files.writeString(
                folder.resolve("etc/acceptors.xml"),
                "<acceptors xmlns='urn:activemq:core'><acceptor name='a'>tcp://h:1</acceptor></acceptors>");
        broker(include(folder + "/etc/acceptors.xml"));

        Plan plan = Installation.plan(folder, request());
        plan.carryOut();

        assertThat(warnings(plan)).isEmpty();
        assertThat(loaded()).containsExactly(SignetPlugin.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none.xml", "${a.property}/plugins.xml", "http://localhost/plugins.xml", "etc/broker.xml"})
    void includedFileThatCannotBeRead_isWarnedOf(String href) throws Exception {
        broker(include(href));

        assertThat(warnings(Installation.plan(folder, request())))
                .singleElement()
                .asString()
                .contains(href, "broker status");
    }

    @Test
    void fileWhoseRootIncludesItself_isWarnedOf() throws Exception {
        Files.writeString(folder.resolve("etc/self.xml"), include("self.xml"));
        broker(include("self.xml"));

        assertThat(warnings(Installation.plan(folder, request())))
                .singleElement()
                .asString()
                .contains("self.xml", "broker status");
    }

    /** The elements of all files together must fit on the stack of a thread. */
    @Test
    void chainOfDeepFiles_isReadToTheLimitOfElements() throws Exception {
        for (int i = 2; i <= 100; i++) {
            String deep = "<a>".repeat(900) + include("f" + (i - 1) + ".xml") + "</a>".repeat(900);
            Files.writeString(folder.resolve("etc/f" + i + ".xml"), deep);
        }
        Files.writeString(folder.resolve("etc/f1.xml"), "<a/>");

        broker(include("f100.xml"));

        assertThat(warnings(Installation.plan(folder, request())))
                .singleElement()
                .asString()
                .contains("f99.xml", "broker status");
    }

    @Test
    void includesOfAFederation_areNoFiles() throws Exception {
        broker("<federations><federation name=\"f\"><queue-policy name=\"q\"><include address-match=\"a\"/>"
                + "</queue-policy></federation></federations>");

        assertThat(warnings(Installation.plan(folder, request()))).isEmpty();
    }

    private void broker(String content) throws IOException {
        Files.writeString(
                folder.resolve("etc/broker.xml"),
                "<configuration xmlns=\"urn:activemq\" xmlns:xi=\"http://www.w3.org/2001/XInclude\">"
                        + "<core xmlns=\"urn:activemq:core\">" + content + "</core></configuration>");
    }

    private void plugins(String entries) throws IOException {
        Files.writeString(plugins, "<broker-plugins xmlns=\"urn:activemq:core\">" + entries + "</broker-plugins>");
    }

    private static String include(String href) {
        return "<xi:include href=\"" + href + "\"/>";
    }

    private static String entry(String home) {
        return "<broker-plugin class-name=\"" + SignetPlugin.class.getName() + "\"><property key=\"home\" value=\""
                + home + "\"/></broker-plugin>";
    }

    private void install() throws IOException {
        Installation.plan(folder, request()).carryOut();
    }

    /** Without that of roles, which no test here names. */
    private static List<String> warnings(Plan plan) {
        return plan.warnings().stream()
                .filter(warning -> !warning.contains("--admin-role"))
                .toList();
    }

    private static Installation.Request request() {
        return new Installation.Request(
                new Jars(new byte[0], Optional.empty()),
                Optional.empty(),
                Path.of("/home/of"),
                new Installation.Given(Map.of(Installation.HOME, "/home/of"), Roles.NONE),
                Optional.empty());
    }

    private List<Class<?>> loaded() throws Exception {
        FileConfiguration configuration = new FileConfiguration();
        FileDeploymentManager files = new FileDeploymentManager(
                folder.resolve("etc/broker.xml").toUri().toString());
        files.addDeployable(configuration);
        files.readConfiguration();
        return configuration.getBrokerPlugins().stream()
                .<Class<?>>map(Object::getClass)
                .toList();
    }
}
