/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.activemq.artemis.core.config.FileDeploymentManager;
import org.apache.activemq.artemis.core.config.impl.FileConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests that install into a broker.xml, and read what Artemis makes of it. */
abstract class BrokerXmlTest {
    @TempDir
    Path folder;

    @BeforeEach
    void makeInstance() throws IOException {
        Files.createDirectories(folder.resolve("etc"));
        Files.createDirectories(folder.resolve("lib"));
        Files.createDirectories(folder.resolve("bin"));
        Files.createFile(folder.resolve("bin/artemis"));
    }

    static String broker(String content) {
        return "<configuration xmlns=\"urn:activemq\"><core xmlns=\"urn:activemq:core\">" + content
                + "</core></configuration>";
    }

    final Plan plan(Installation.Given given) throws IOException {
        return Installation.plan(
                folder,
                new Installation.Request(
                        new Jars(new byte[0], Optional.empty()),
                        Optional.empty(),
                        Path.of("/home/of"),
                        given,
                        Optional.empty()));
    }

    final void write(String xml) throws IOException {
        Files.writeString(folder.resolve("etc/broker.xml"), xml);
    }

    final String read() throws IOException {
        return Files.readString(folder.resolve("etc/broker.xml"));
    }

    /** Returns the file as Artemis reads it, without the plugin. */
    final FileConfiguration configuration() throws Exception {
        FileConfiguration configuration = new FileConfiguration();
        Path alone = folder.resolve("without-plugins.xml");
        Files.writeString(alone, read().replaceAll("(?s)<broker-plugins>.*</broker-plugins>", ""));
        FileDeploymentManager files = new FileDeploymentManager(alone.toUri().toString());
        files.addDeployable(configuration);
        files.readConfiguration();
        return configuration;
    }
}
