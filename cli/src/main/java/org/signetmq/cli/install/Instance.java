/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.signetmq.keystore.file.OwnedFolder;

/** The folder of a broker, as {@code artemis create} made it. */
final class Instance {
    static final String BROKER_XML = "etc/broker.xml";
    static final String RECORD = "etc/signet-install.json";
    static final String PASSWORD = "etc/signet-password";
    static final String JAR = "lib/signet-plugin.jar";

    /** No name of a jar: the broker would load it. */
    static final String JAR_BACKUP = JAR + ".signet-backup";

    /** The library with its own signature, which some JDKs ask of providers. */
    static final String NATIVE_JAR = "lib/signet-native-crypto.jar";

    /** No file of an instance that is read here is longer. */
    static final int MOST_BYTES = 1 << 28;

    private static final Pattern BACKUP = Pattern.compile("broker\\.xml\\.signet-backup(-[0-9]{1,9})?");
    private static final Pattern OTHER_NATIVE_JAR = Pattern.compile("AmazonCorrettoCryptoProvider.*[.]jar");
    private static final Pattern OTHER_PLUGIN = Pattern.compile("signet-(plugin|interceptor)-.*[.]jar");

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

    /** The folder in which a file of the instance is; to be closed. */
    OwnedFolder folderOf(String name) throws IOException {
        return OwnedFolder.open(Objects.requireNonNull(path(name).getParent(), "an instance is a folder"));
    }

    /** The last part of a name below the instance's folder. */
    static String nameOf(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    /** Empty if there is no such file. A link is refused. */
    Optional<byte[]> read(String name) throws IOException {
        try (OwnedFolder in = folderOf(name)) {
            return in.read(nameOf(name), MOST_BYTES);
        }
    }

    Set<PosixFilePermission> permissions(String name) throws IOException {
        try (OwnedFolder in = folderOf(name)) {
            return in.permissions(nameOf(name)).orElse(OwnedFolder.READABLE);
        }
    }

    /** @throws UnusableInstanceException if it is no broker configuration in UTF-8 */
    BrokerXml brokerXml() throws IOException {
        try {
            return new BrokerXml(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(read(BROKER_XML)
                            .orElseThrow(() -> new UnusableInstanceException(BROKER_XML + ": not there"))))
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
        try (OwnedFolder lib = folderOf(JAR)) {
            for (String jar : lib.names()) {
                if (OTHER_PLUGIN.matcher(jar).matches()) {
                    throw new UnusableInstanceException(
                            lib.path().resolve(jar) + ": a plugin that was put there by hand; remove it first");
                }
            }
        }
    }

    /** Whether the administrator put the native library there by hand. */
    boolean hasOtherNativeJar() throws IOException {
        try (OwnedFolder lib = folderOf(JAR)) {
            return lib.names().stream()
                    .anyMatch(name -> OTHER_NATIVE_JAR.matcher(name).matches());
        }
    }

    /** The backups of broker.xml that installing made, the first one first. */
    List<String> backups() throws IOException {
        try (OwnedFolder etc = folderOf(BROKER_XML)) {
            return etc.names().stream()
                    .filter(name -> BACKUP.matcher(name).matches())
                    .sorted(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder()))
                    .map(name -> "etc/" + name)
                    .toList();
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
