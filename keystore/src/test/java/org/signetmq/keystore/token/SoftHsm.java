/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;

/**
 * A token of the real SoftHSM 2, with keys that pkcs11-tool generates in it. The library sees the tokens that are there
 * when it is loaded, so all tokens of this process are made first.
 */
final class SoftHsm {
    static final String PIN = "1234-right";
    static final Path MODULE = Stream.of(
                    "/usr/lib/softhsm/libsofthsm2.so",
                    "/usr/lib64/pkcs11/libsofthsm2.so",
                    "/usr/lib64/softhsm/libsofthsm2.so",
                    "/usr/local/lib/softhsm/libsofthsm2.so")
            .map(Path::of)
            .filter(Files::exists)
            .findFirst()
            .orElse(Path.of("/absent"));
    static final Party AUTHORITY =
            CertificateForge.of("CN=token authority").authority().make();

    private static final List<SoftHsm> TOKENS = new ArrayList<>();
    private static boolean begun;

    private final String label;
    private final Path folder;

    private SoftHsm(String label, Path folder) {
        this.label = label;
        this.folder = folder;
    }

    /** Returns a token of its own for a test class; skips the test where SoftHSM is not installed. */
    static synchronized SoftHsm token() throws IOException {
        assumeTrue(
                Files.exists(MODULE) && isProgram("softhsm2-util") && isProgram("pkcs11-tool"),
                "no softhsm2-util or pkcs11-tool: install softhsm2 and opensc to run the tests of tokens");
        if (!begun) {
            begun = true;
            initialize();
        }
        return TOKENS.remove(0);
    }

    private static boolean isProgram(String name) {
        return Stream.of(String.valueOf(System.getenv("PATH")).split(":", -1))
                .anyMatch(folder -> Files.exists(Path.of(folder, name)));
    }

    private static void initialize() throws IOException {
        Path configuration = Path.of(System.getenv("SOFTHSM2_CONF"));
        Path tokens = Files.createDirectories(configuration.resolveSibling("softhsm-tokens"));
        Files.writeString(
                configuration,
                "directories.tokendir = " + tokens.toAbsolutePath()
                        + "\nobjectstore.backend = file\nlog.level = ERROR\n");
        for (int i = 0; i < 6; i++) {
            String label = "signet " + ProcessHandle.current().pid() + "." + i;
            Set<Path> before = folders(tokens);
            execute("softhsm2-util", "--init-token", "--free", "--label", label, "--pin", PIN, "--so-pin", "so-" + PIN);
            Set<Path> now = folders(tokens);
            now.removeAll(before);
            TOKENS.add(new SoftHsm(label, now.iterator().next()));
        }
    }

    private static Set<Path> folders(Path tokens) throws IOException {
        try (Stream<Path> found = Files.list(tokens)) {
            return new TreeSet<>(found.toList());
        }
    }

    String label() {
        return label;
    }

    /** Returns the folder with the objects of the token. */
    Path folder() {
        return folder;
    }

    /** Returns a URI of this token with attributes of a key such as {@code object=x}. */
    TokenUri uri(String key) {
        return TokenUri.parse("pkcs11:token=" + label.replace(" ", "%20") + (key.isEmpty() ? "" : ";" + key)
                + "?module-path=" + MODULE);
    }

    /**
     * Generates a key that the token does not export.
     *
     * @param type such as {@code EC:prime256v1} or {@code rsa:2048}
     * @param id the id in hexadecimal
     * @param usage such as {@code --usage-sign}
     */
    PublicKey generate(String type, String id, String... usage) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("--keypairgen", "--key-type", type, "--id", id, "--label", "key " + id));
        arguments.addAll(List.of(usage));
        String made = tool(arguments.toArray(String[]::new));
        try {
            return type.startsWith("EC:") ? elliptic(type.substring(3), made) : rsa(id);
        } catch (GeneralSecurityException e) {
            throw new IOException(made, e);
        }
    }

    private PublicKey rsa(String id) throws IOException, GeneralSecurityException {
        Path file = Files.createTempFile("public", ".der");
        tool("--read-object", "--type", "pubkey", "--id", id, "--output-file", file.toString());
        byte[] encoded = Files.readAllBytes(file);
        Files.delete(file);
        return KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(encoded));
    }

    /** OpenSC 0.23 reads no other curve than P-256, but it prints the point of each. */
    private static PublicKey elliptic(String curve, String made) throws GeneralSecurityException {
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(new ECGenParameterSpec(curve.equals("prime256v1") ? "secp256r1" : curve));
        Matcher point = Pattern.compile("EC_POINT: *04[0-9a-f]{2}04([0-9a-f]+)").matcher(made);
        if (!point.find()) {
            throw new InvalidKeySpecException("no point");
        }
        String x = point.group(1).substring(0, point.group(1).length() / 2);
        String y = point.group(1).substring(x.length());
        return KeyFactory.getInstance("EC")
                .generatePublic(new ECPublicKeySpec(
                        new ECPoint(new BigInteger(x, 16), new BigInteger(y, 16)),
                        parameters.getParameterSpec(ECParameterSpec.class)));
    }

    /** Writes a certificate for a key, and returns it. */
    X509Certificate certify(PublicKey key, String id, String object) throws IOException {
        KeyPair pair = new KeyPair(key, TestCertificates.ec().getPrivate());
        X509Certificate certificate =
                CertificateForge.of("CN=" + object, pair).by(AUTHORITY).make().certificate();
        write(certificate, id, object);
        return certificate;
    }

    void write(X509Certificate certificate, String id, String object) throws IOException {
        Path file = Files.createTempFile("certificate", ".der");
        try {
            Files.write(file, certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IOException(e);
        }
        tool("--write-object", file.toString(), "--type", "cert", "--id", id, "--label", object);
        Files.delete(file);
    }

    String tool(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of("pkcs11-tool", "--module", MODULE.toString(), "--token-label", label, "--login", "--pin", PIN));
        command.addAll(List.of(arguments));
        return execute(command.toArray(String[]::new));
    }

    static String execute(String... command) throws IOException {
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
