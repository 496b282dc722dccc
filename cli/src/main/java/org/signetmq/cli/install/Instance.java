/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.signetmq.keystore.file.WholeFile;

/**
 * The folder of a broker, as {@code artemis create} made it.
 *
 * @param folder its absolute path
 */
public record Instance(Path folder) {
    static final String BROKER_XML = "etc/broker.xml";
    static final String RECORD = "etc/signet-install.json";
    static final String PASSWORD = "etc/signet-password";
    static final String BOOTSTRAP_XML = "etc/bootstrap.xml";
    static final String BOOTSTRAP_BACKUP = BOOTSTRAP_XML + ".signet-backup";

    /** The page for administrators. The folder is absent at first: the console is in that of the distribution. */
    static final String CONSOLE_WAR = "web/signet-console.war";

    static final String JAR = "lib/signet-plugin.jar";

    /** No name of a jar: the broker would load it. */
    static final String JAR_BACKUP = JAR + ".signet-backup";

    /** A jar of its own: some JDKs ask for its signature. */
    static final String NATIVE_JAR = "lib/signet-native-crypto.jar";

    static final String LOCK = "lock/cli.lock";

    /** The longest file of an instance that is read here, in bytes. */
    static final int MOST_BYTES = 1 << 28;

    private static final Pattern BACKUP = Pattern.compile("broker\\.xml\\.signet-backup(-[0-9]{1,9})?");
    private static final Pattern OTHER_NATIVE_JAR = Pattern.compile("AmazonCorrettoCryptoProvider.*[.]jar");
    private static final Pattern OTHER_PLUGIN = Pattern.compile("signet-(plugin|interceptor)-.*[.]jar");
    private static final Pattern PROPERTY = Pattern.compile("\\$\\{\\s*artemis\\.instance(\\.etc)?\\s*(?::[^}]*)?}");

    /** @throws UnusableInstanceException if the folder is not one, or cannot be changed */
    static Instance at(Path folder) {
        UnusableInstanceException.unless(Files.isDirectory(folder), folder + ": no such folder");
        boolean program = Files.exists(folder.resolve("bin/artemis"));
        UnusableInstanceException.unless(
                program && Files.isRegularFile(folder.resolve(BROKER_XML)),
                folder + ": not a broker instance, "
                        + (program
                                ? "but the distribution; name the folder that its artemis create made"
                                : "which has " + BROKER_XML + " and bin/artemis"));
        for (Path path : List.of(folder.resolve("etc"), folder.resolve("lib"))) {
            UnusableInstanceException.unless(Files.isDirectory(path), path + ": not a folder");
            UnusableInstanceException.unless(
                    Files.isWritable(path), path + ": cannot be written; run as the user who owns the instance");
        }
        return new Instance(folder);
    }

    Path path(String name) {
        return folder.resolve(name);
    }

    /** Returns the name of a file without its folder. */
    static String nameOf(String file) {
        return file.substring(file.lastIndexOf('/') + 1);
    }

    WholeFile file(String name) {
        return new WholeFile(path(name));
    }

    /** Removes the folder of the page, if it is empty: the administrator may have other applications in it. */
    void removeEmptyFolderOfPage() throws IOException {
        Path web = path(CONSOLE_WAR).resolveSibling("");
        try {
            if (Files.isDirectory(web, LinkOption.NOFOLLOW_LINKS)) {
                Files.delete(web);
            }
        } catch (DirectoryNotEmptyException stays) {
            // it is of use to others
        }
    }

    /** Returns the content of a file; empty if it is absent. A link is rejected. */
    Optional<byte[]> read(String name) throws IOException {
        return file(name).read(MOST_BYTES);
    }

    /** @throws UnusableInstanceException if it is no broker configuration in UTF-8 */
    BrokerXml brokerXml() throws IOException {
        return BrokerXml.of(
                read(BROKER_XML).orElseThrow(() -> new UnusableInstanceException(BROKER_XML + ": not there")));
    }

    /** Whether the broker runs: {@code artemis run} holds the lock of a file all the time. */
    boolean isRunning() throws IOException {
        return file(LOCK).isLocked();
    }

    /** Returns a text of broker.xml with its properties replaced; empty if the start script does not set one. */
    Optional<String> replaced(String text) {
        String replaced = PROPERTY.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(folder + (found.group(1) == null ? "" : "/etc")));
        return Optional.of(replaced).filter(known -> !known.contains("${"));
    }

    /** @throws UnusableInstanceException if there is a plugin that was not put there by installing */
    void requireNoOtherPlugin() throws IOException {
        names("lib", OTHER_PLUGIN).stream().findFirst().ifPresent(name -> {
            throw new UnusableInstanceException(
                    path("lib/" + name) + ": a plugin that was put there by hand; remove it first");
        });
    }

    /** Whether the administrator put the native library there by hand. */
    boolean hasOtherNativeJar() throws IOException {
        return !names("lib", OTHER_NATIVE_JAR).isEmpty();
    }

    /** Returns the names of backups of broker.xml that installing made, the first one first. */
    List<String> backups() throws IOException {
        return names("etc", BACKUP).stream()
                .sorted(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder()))
                .map(name -> "etc/" + name)
                .toList();
    }

    private List<String> names(String in, Pattern wanted) throws IOException {
        try (Stream<Path> files = Files.list(path(in))) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(wanted.asMatchPredicate())
                    .toList();
        }
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

    /** A folder that is no broker instance, or one that cannot be changed. */
    public static class UnusableInstanceException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnusableInstanceException(String message) {
            super(message);
        }

        static void unless(boolean usable, String message) {
            if (!usable) {
                throw new UnusableInstanceException(message);
            }
        }
    }
}
