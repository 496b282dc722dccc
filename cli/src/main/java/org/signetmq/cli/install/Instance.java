/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.signetmq.keystore.file.OwnedFolder;

/**
 * The folder of a broker, as {@code artemis create} made it.
 *
 * @param folder its absolute path
 */
record Instance(Path folder) {
    static final String BROKER_XML = "etc/broker.xml";
    static final String RECORD = "etc/signet-install.json";
    static final String PASSWORD = "etc/signet-password";
    static final String JAR = "lib/signet-plugin.jar";

    /** No name of a jar: the broker would load it. */
    static final String JAR_BACKUP = JAR + ".signet-backup";

    /** A jar of its own: some JDKs ask for its signature. */
    static final String NATIVE_JAR = "lib/signet-native-crypto.jar";

    /** The longest file of an instance that is read here, in bytes. */
    static final int MOST_BYTES = 1 << 28;

    private static final Pattern BACKUP = Pattern.compile("broker\\.xml\\.signet-backup(-[0-9]{1,9})?");
    private static final Pattern OTHER_NATIVE_JAR = Pattern.compile("AmazonCorrettoCryptoProvider.*[.]jar");
    private static final Pattern OTHER_PLUGIN = Pattern.compile("signet-(plugin|interceptor)-.*[.]jar");
    private static final Pattern PROPERTY = Pattern.compile("\\$\\{\\s*([^}:\\s]*)[^}]*}");

    /** @throws UnusableInstanceException if the folder is not one, or cannot be changed */
    static Instance at(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new UnusableInstanceException(folder + ": no such folder");
        }
        boolean program = Files.exists(folder.resolve("bin/artemis"));
        if (!program || !Files.isRegularFile(folder.resolve(BROKER_XML))) {
            throw new UnusableInstanceException(folder + ": not a broker instance, "
                    + (program
                            ? "but the distribution; name the folder that its artemis create made"
                            : "which has " + BROKER_XML + " and bin/artemis"));
        }
        for (Path path : List.of(folder.resolve("etc"), folder.resolve("lib"))) {
            if (!Files.isDirectory(path)) {
                throw new UnusableInstanceException(path + ": not a folder");
            }
            if (!Files.isWritable(path)) {
                throw new UnusableInstanceException(
                        path + ": cannot be written; run as the user who owns the instance");
            }
        }
        return new Instance(folder);
    }

    Path path(String name) {
        return folder.resolve(name);
    }

    /** Opens the folder of a file, which is never reached through a link. The caller closes it. */
    OwnedFolder folderOf(String name) throws IOException {
        return OwnedFolder.open(path(name).resolveSibling(""));
    }

    /** Returns the content of a file; empty if it is absent. A link is rejected. */
    Optional<byte[]> read(String name) throws IOException {
        try (OwnedFolder in = folderOf(name)) {
            return in.read(FileChange.fileName(name), MOST_BYTES);
        }
    }

    private List<String> namesBeside(String name) throws IOException {
        try (OwnedFolder in = folderOf(name)) {
            return in.names();
        }
    }

    /** @throws UnusableInstanceException if it is no broker configuration in UTF-8 */
    BrokerXml brokerXml() throws IOException {
        byte[] bytes = read(BROKER_XML).orElseThrow(() -> new UnusableInstanceException(BROKER_XML + ": not there"));
        try {
            return new BrokerXml(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            throw new UnusableInstanceException(BROKER_XML + ": not UTF-8, which is all that can be edited");
        }
    }

    /**
     * Returns a text of broker.xml with its properties replaced; empty if the start script does not set one of them.
     */
    Optional<String> replaced(String text) {
        Map<String, String> known = Map.of(
                "artemis.instance", folder.toString(),
                "artemis.instance.etc", folder.resolve("etc").toString());
        Matcher property = PROPERTY.matcher(text);
        boolean allKnown = property.results().allMatch(found -> known.containsKey(found.group(1)));
        return allKnown
                ? Optional.of(
                        property.replaceAll(found -> Matcher.quoteReplacement(known.getOrDefault(found.group(1), ""))))
                : Optional.empty();
    }

    /** @throws UnusableInstanceException if there is a plugin that was not put there by installing */
    void requireNoOtherPlugin() throws IOException {
        for (String name : namesBeside(JAR)) {
            if (OTHER_PLUGIN.matcher(name).matches()) {
                throw new UnusableInstanceException(
                        folder.resolve("lib").resolve(name) + ": a plugin that was put there by hand; remove it first");
            }
        }
    }

    /** Whether the administrator put the native library there by hand. */
    boolean hasOtherNativeJar() throws IOException {
        return namesBeside(JAR).stream()
                .anyMatch(name -> OTHER_NATIVE_JAR.matcher(name).matches());
    }

    /** Returns the names of backups of broker.xml that installing made, the first one first. */
    List<String> backups() throws IOException {
        return namesBeside(BROKER_XML).stream()
                .filter(name -> BACKUP.matcher(name).matches())
                .sorted(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder()))
                .map(name -> "etc/" + name)
                .toList();
    }

    /** Returns the name of the backup that has this content, or else a new one. */
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
