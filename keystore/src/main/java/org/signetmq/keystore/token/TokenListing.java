/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.signetmq.keystore.KeystoreUnusableException;

/**
 * The tokens of a library and their certificates. Immutable.
 *
 * @param lines as {@link TokenLister} prints them
 */
record TokenListing(List<String> lines) {
    private static final int MAX_BYTES = 8 << 20;
    private static final long MAX_SECONDS = 6;

    /**
     * Runs the program and reads what it prints. This takes about half a second.
     *
     * @throws KeystoreUnusableException if it cannot run, or if the library cannot be loaded in it
     */
    static TokenListing of(Path module) {
        try {
            return parse(output(module));
        } catch (IOException e) {
            throw new KeystoreUnusableException(
                    "key-store: module " + module + ": it does not list its tokens; check that it is a PKCS#11 library"
                            + " for this machine and that its own configuration can be read",
                    e);
        }
    }

    private static String output(Path module) throws IOException {
        ProcessBuilder lister = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx64m",
                        TokenLister.EXPORT,
                        "-cp",
                        place().toString(),
                        TokenLister.class.getName(),
                        module.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        // secrets are not for the library of another party
        lister.environment().keySet().removeIf(variable -> variable.startsWith("SIGNET_"));
        Process process = lister.start();
        CompletableFuture.delayedExecutor(MAX_SECONDS, TimeUnit.SECONDS).execute(process::destroyForcibly);
        process.getOutputStream().close(); // a library that asks for input gets none
        try (InputStream in = process.getInputStream()) {
            return new String(in.readNBytes(MAX_BYTES), StandardCharsets.US_ASCII);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Returns the archive or folder of the program's class. */
    private static Path place() throws IOException {
        try {
            Path place = Path.of(TokenLister.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            if (Files.exists(place)) {
                return place;
            }
        } catch (URISyntaxException | RuntimeException e) {
            throw new IOException("Signet is not in an archive of its own", e);
        }
        throw new IOException("Signet is not in an archive of its own");
    }

    /** Reads the lines of the program. Without its last line the list is not whole. */
    static TokenListing parse(String output) throws IOException {
        List<String> lines = output.lines().toList();
        if (lines.isEmpty() || !lines.get(lines.size() - 1).equals(TokenLister.END)) {
            throw new IOException("the list has no end");
        }
        return new TokenListing(lines);
    }

    /**
     * Returns the slot of the token with a label.
     *
     * @param known the slot, if it is known
     * @throws KeystoreUnusableException if no token has the label, another one than in the slot, or several
     */
    int slotOf(String label, OptionalInt known) {
        String end = " " + HexFormat.of().formatHex(label.getBytes(StandardCharsets.UTF_8));
        List<Long> slots = lines.stream()
                .filter(line -> line.startsWith("T ") && line.endsWith(end))
                .map(line -> Long.parseLong(line.substring(2, line.indexOf(' ', 2))))
                .filter(slot -> slot <= Integer.MAX_VALUE) // SunPKCS11 takes no other numbers
                .toList();
        if (known.isPresent() && !slots.contains((long) known.getAsInt())) {
            throw new KeystoreUnusableException("token '" + label + "': not in slot " + known.getAsInt());
        }
        if (slots.isEmpty()) {
            throw new KeystoreUnusableException("token '" + label + "': not there; plug it in, or check its label");
        }
        if (known.isEmpty() && slots.size() > 1) {
            throw new KeystoreUnusableException("token '" + label + "': " + slots.size()
                    + " tokens have this label; name one by slot-id instead of token");
        }
        return known.orElse(slots.get(0).intValue());
    }

    /** Returns the ids of a certificate of a token in hexadecimal; one may be empty. */
    List<String> idsOf(int slot, X509Certificate certificate) {
        String start;
        try {
            start = "C " + slot + " " + HexFormat.of().formatHex(certificate.getEncoded()) + " ";
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("certificate: cannot be encoded", e);
        }
        return lines.stream()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .toList();
    }
}
