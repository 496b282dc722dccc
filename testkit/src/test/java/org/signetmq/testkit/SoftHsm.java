/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A token of the real SoftHSM 2. Its configuration is the file that the variable SOFTHSM2_CONF of this process names.
 * The library sees the tokens that are there when it is loaded, so a process makes all its tokens before.
 */
public final class SoftHsm {
    /** The PIN of each token. */
    public static final String PIN = "1234-right";

    /** The file of the library. It does not exist where SoftHSM is not installed. */
    public static final Path MODULE = Stream.of(
                    "/usr/lib/softhsm/libsofthsm2.so",
                    "/usr/lib64/pkcs11/libsofthsm2.so",
                    "/usr/lib64/softhsm/libsofthsm2.so",
                    "/usr/local/lib/softhsm/libsofthsm2.so")
            .map(Path::of)
            .filter(Files::exists)
            .findFirst()
            .orElse(Path.of("/absent"));

    private static final List<String> USUAL =
            List.of("CKA_DERIVE = true", "CKA_SIGN = true", "CKA_SENSITIVE = true", "CKA_EXTRACTABLE = false");

    private final String label;
    private final String slot;
    private final Path folder;

    private SoftHsm(String label, String slot, Path folder) {
        this.label = label;
        this.slot = slot;
        this.folder = folder;
    }

    /** Makes a token below a folder of tokens; skips the test where SoftHSM is not installed. */
    public static SoftHsm make(Path tokens, String label) throws IOException {
        assumeTrue(
                Files.exists(MODULE) && Run.isInstalled("softhsm2-util") && Run.isInstalled("pkcs11-tool"),
                "no softhsm2-util or pkcs11-tool: install softhsm2 and opensc to run the tests of tokens");
        Files.createDirectories(tokens);
        Files.writeString(
                Path.of(System.getenv("SOFTHSM2_CONF")),
                "directories.tokendir = " + tokens.toAbsolutePath()
                        + "\nobjectstore.backend = file\nlog.level = ERROR\n");
        Set<Path> before = folders(tokens);
        String made = Run.of(
                        "softhsm2-util",
                        "--init-token",
                        "--free",
                        "--label",
                        label,
                        "--pin",
                        PIN,
                        "--so-pin",
                        "so-" + PIN)
                .ok()
                .text();
        Matcher slot = Pattern.compile("slot ([0-9]{2,})").matcher(made);
        Set<Path> now = folders(tokens);
        now.removeAll(before);
        if (!slot.find() || now.size() != 1) {
            throw new IOException(made);
        }
        return new SoftHsm(label, slot.group(1), now.iterator().next());
    }

    private static Set<Path> folders(Path tokens) throws IOException {
        try (Stream<Path> found = Files.list(tokens)) {
            return new TreeSet<>(found.toList());
        }
    }

    /** Returns the label of the token. */
    public String label() {
        return label;
    }

    /** Returns the URI of this token. */
    public String uri() {
        return uri("");
    }

    /** Returns a URI of this token with attributes of a key such as {@code object=x}, or none if they are empty. */
    public String uri(String key) {
        return "pkcs11:token=" + label.replace(" ", "%20") + (key.isEmpty() ? "" : ";" + key) + "?module-path="
                + MODULE;
    }

    /** Makes a P-256 key with a self-signed certificate, and writes the certificate to files. */
    public void generate(String name, Path... certificates) throws IOException {
        generate(name, name, List.of(), certificates);
    }

    /**
     * Makes a P-256 key of a name under another label.
     *
     * @param options of keytool
     */
    public void generate(String object, String name, List<String> options, Path... certificates) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "-genkeypair", "-alias", object, "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=" + name));
        command.addAll(options);
        keytool(command.toArray(String[]::new));
        if (certificates.length > 0) {
            keytool("-exportcert", "-rfc", "-alias", object, "-file", certificates[0].toString());
        }
        for (int i = 1; i < certificates.length; i++) {
            Files.copy(certificates[0], certificates[i], StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Runs keytool on this token. A new key may sign and derive. */
    public void keytool(String... arguments) throws IOException {
        keytool(USUAL, arguments);
    }

    /**
     * Runs keytool on this token.
     *
     * @param attributes of a new private key
     */
    public void keytool(List<String> attributes, String... arguments) throws IOException {
        Path configuration = Files.createTempFile("signet-p11-", ".cfg");
        try {
            Files.writeString(
                    configuration,
                    "name = test\nlibrary = " + MODULE + "\nslot = " + slot
                            + "\nattributes(*, CKO_PRIVATE_KEY, *) = {\n  " + String.join("\n  ", attributes)
                            + "\n}\n");
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-J-XX:TieredStopAtLevel=1"));
            command.addAll(List.of(arguments));
            command.addAll(List.of("-keystore", "NONE", "-storetype", "PKCS11", "-storepass", PIN));
            command.addAll(List.of("-addprovider", "SunPKCS11", "-providerarg", configuration.toString()));
            Run.of(command.toArray(String[]::new)).ok();
        } finally {
            Files.delete(configuration);
        }
    }

    /** Runs pkcs11-tool on this token, and returns its output. */
    public String tool(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of("pkcs11-tool", "--module", MODULE.toString(), "--token-label", label, "--login", "--pin", PIN));
        command.addAll(List.of(arguments));
        return Run.of(command.toArray(String[]::new)).ok().text();
    }

    /** Moves the keys and certificates of the token to a folder. */
    public void moveAway(Path to) throws IOException {
        move(folder, to);
    }

    /** Moves them back. */
    public void moveBack(Path from) throws IOException {
        move(from, folder);
    }

    private void move(Path from, Path to) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(from, "*.object")) {
            for (Path file : files) {
                if (!file.endsWith("token.object")) {
                    Files.move(file, to.resolve(file.getFileName()));
                }
            }
        }
        // SoftHSM looks again for objects when another process has changed some
        Path note = Files.writeString(Files.createTempFile("signet-note-", ""), "x");
        tool("--write-object", note.toString(), "--type", "data", "--label", "note");
        Files.delete(note);
    }
}
