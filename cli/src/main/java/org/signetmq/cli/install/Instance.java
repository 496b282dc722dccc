/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** The folder of a broker, as {@code artemis create} made it. */
final class Instance {
    static final String BROKER_XML = "etc/broker.xml";
    static final String RECORD = "etc/signet-install.json";
    static final String PASSWORD = "etc/signet-password";
    static final String JAR = "lib/signet-plugin.jar";

    /** No name of a jar: the broker would load it. */
    static final String JAR_BACKUP = JAR + ".signet-backup";

    private final Path folder;

    private Instance(Path folder) {
        this.folder = folder;
    }

    /** @throws UnusableInstanceException if the folder is not one, or cannot be changed */
    static Instance at(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new UnusableInstanceException(folder + ": no such folder");
        }
        if (!Files.isRegularFile(folder.resolve(BROKER_XML)) || !Files.exists(folder.resolve("bin/artemis"))) {
            boolean distribution = Files.exists(folder.resolve("bin/artemis"));
            throw new UnusableInstanceException(folder + ": not a broker instance, "
                    + (distribution
                            ? "but the distribution; name the folder that its artemis create made"
                            : "which has " + BROKER_XML + " and bin/artemis"));
        }
        Instance instance = new Instance(folder);
        instance.requireWritable("etc");
        instance.requireWritable("lib");
        return instance;
    }

    private void requireWritable(String name) {
        Path path = folder.resolve(name);
        if (!Files.isDirectory(path)) {
            throw new UnusableInstanceException(path + ": not a folder");
        }
        if (!Files.isWritable(path)) {
            throw new UnusableInstanceException(path + ": cannot be written; run as the user who owns the instance");
        }
    }

    Path path(String name) {
        return folder.resolve(name);
    }

    Optional<byte[]> read(String name) throws IOException {
        Path path = path(name);
        return Files.exists(path) ? Optional.of(Files.readAllBytes(path)) : Optional.empty();
    }

    /** @throws UnusableInstanceException if it is no broker configuration in UTF-8 */
    BrokerXml brokerXml() throws IOException {
        try {
            return new BrokerXml(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(path(BROKER_XML))))
                    .toString());
        } catch (CharacterCodingException e) {
            throw new UnusableInstanceException(BROKER_XML + ": not UTF-8, which is all that can be edited");
        }
    }

    StartProperties startProperties() {
        return new StartProperties(folder);
    }

    /** The same with the files that it includes. */
    WholeConfiguration whole(BrokerXml brokerXml) {
        return WholeConfiguration.of(folder, brokerXml.root());
    }

    InstallRecord record() throws IOException {
        return read(RECORD).map(InstallRecord::parse).orElseGet(InstallRecord::empty);
    }

    /** @throws UnusableInstanceException if there is a plugin that was not put there by installing */
    void requireNoOtherPlugin() throws IOException {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(path("lib"), "signet-{plugin,interceptor}-*.jar")) {
            for (Path jar : jars) {
                throw new UnusableInstanceException(jar + ": a plugin that was put there by hand; remove it first");
            }
        }
    }

    /** Where a backup of broker.xml, as it is now, is or will be. */
    String backup(byte[] brokerXml) throws IOException {
        for (int number = 1; ; number++) {
            String name = BROKER_XML + ".signet-backup" + (number == 1 ? "" : "-" + number);
            Optional<byte[]> there = read(name);
            if (there.isEmpty() || Arrays.equals(there.get(), brokerXml)) {
                return name;
            }
        }
    }
}
