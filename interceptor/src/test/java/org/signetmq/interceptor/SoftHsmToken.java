/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A token of the real SoftHSM 2 with a key that keytool imports. Its configuration is the file that the variable
 * SOFTHSM2_CONF of this process names. The library must not have been loaded before.
 */
final class SoftHsmToken {
    static final String PIN = "1234-right";
    static final String LABEL = "signet";
    private static final Path MODULE = Stream.of(
                    "/usr/lib/softhsm/libsofthsm2.so",
                    "/usr/lib64/pkcs11/libsofthsm2.so",
                    "/usr/lib64/softhsm/libsofthsm2.so",
                    "/usr/local/lib/softhsm/libsofthsm2.so")
            .map(Path::of)
            .filter(Files::exists)
            .findFirst()
            .orElse(Path.of("/absent"));

    private final Path folder;
    private final Path configuration;

    private SoftHsmToken(Path folder, Path configuration) {
        this.folder = folder;
        this.configuration = configuration;
    }

    /** Makes the token; skips the test where SoftHSM is not installed. */
    static SoftHsmToken make(Path folder) throws IOException {
        assumeTrue(
                Files.exists(MODULE) && isProgram("softhsm2-util") && isProgram("pkcs11-tool"),
                "no softhsm2-util or pkcs11-tool: install softhsm2 and opensc to run the tests of tokens");
        Path tokens = Files.createDirectory(folder.resolve("tokens"));
        Files.writeString(
                Path.of(System.getenv("SOFTHSM2_CONF")),
                "directories.tokendir = " + tokens + "\nobjectstore.backend = file\nlog.level = ERROR\n");
        String made = execute(
                "softhsm2-util", "--init-token", "--free", "--label", LABEL, "--pin", PIN, "--so-pin", "so-" + PIN);
        Matcher slot = Pattern.compile("slot ([0-9]{2,})").matcher(made);
        if (!slot.find()) {
            throw new IOException(made);
        }
        Path configuration = Files.writeString(
                folder.resolve("p11.cfg"),
                "name = test\nlibrary = " + MODULE + "\nslot = " + slot.group(1)
                        + "\nattributes(*, CKO_PRIVATE_KEY, *) = {\n  CKA_DERIVE = true\n  CKA_SIGN = true\n"
                        + "  CKA_SENSITIVE = true\n  CKA_EXTRACTABLE = false\n}\n");
        try (Stream<Path> folders = Files.list(tokens)) {
            return new SoftHsmToken(folders.findFirst().orElseThrow(), configuration);
        }
    }

    private static boolean isProgram(String name) {
        return Stream.of(String.valueOf(System.getenv("PATH")).split(":", -1))
                .anyMatch(folder -> Files.exists(Path.of(folder, name)));
    }

    String uri() {
        return "pkcs11:token=" + LABEL + "?module-path=" + MODULE;
    }

    /** Makes a P-256 key with a self-signed certificate, imports it, and writes the certificate to files. */
    void generate(String name, Path... certificates) throws IOException {
        generateAs(name, name, certificates);
    }

    /** Makes a P-256 key of a name under another label. */
    void generateAs(String label, String name, Path... certificates) throws IOException {
        keytool("-genkeypair", "-alias", label, "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=" + name);
        for (Path file : certificates) {
            keytool("-exportcert", "-rfc", "-alias", label, "-file", file.toString());
        }
    }

    private void keytool(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keystore", "NONE", "-storetype", "PKCS11", "-storepass", PIN));
        command.addAll(List.of("-addprovider", "SunPKCS11", "-providerarg", configuration.toString()));
        execute(command.toArray(String[]::new));
    }

    /** Moves the keys and certificates of the token to a folder. */
    void moveAway(Path to) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.object")) {
            for (Path file : files) {
                if (!file.endsWith("token.object")) {
                    Files.move(file, to.resolve(file.getFileName()));
                }
            }
        }
        note();
    }

    /** Moves them back. */
    void moveBack(Path from) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(from, "*.object")) {
            for (Path file : files) {
                Files.move(file, folder.resolve(file.getFileName()));
            }
        }
        note();
    }

    /** SoftHSM looks again for objects when another process has changed some. */
    private void note() throws IOException {
        String[] login = {"pkcs11-tool", "--module", MODULE.toString(), "--token-label", LABEL, "--login", "--pin", PIN
        };
        List<String> command = new ArrayList<>(List.of(login));
        command.addAll(List.of("--write-object", configuration.toString(), "--type", "data", "--label", "note"));
        execute(command.toArray(String[]::new));
    }

    private static String execute(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + ": " + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        return output;
    }
}
