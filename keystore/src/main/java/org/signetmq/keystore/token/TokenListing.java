/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.signetmq.keystore.KeystoreUnusableException;

/**
 * The tokens of a library and their certificates, as {@link TokenLister} prints them. Immutable.
 *
 * @param tokens the tokens in the order of their slots
 * @param certificates the certificates of all tokens
 */
record TokenListing(List<ListedToken> tokens, List<ListedCertificate> certificates) {
    private static final int MAX_BYTES = 8 << 20;
    private static final long MAX_SECONDS = 6;

    /** A token by its slot and label. */
    record ListedToken(int slot, String label) {}

    /** A certificate by the slot of its token and the id of its key. */
    record ListedCertificate(int slot, byte[] id, byte[] encoded) {}

    /**
     * Runs the program and reads what it prints. This takes about half a second.
     *
     * @throws KeystoreUnusableException if it cannot run, or if the library cannot be loaded in it
     */
    static TokenListing of(Path module) {
        try {
            return parse(output(module));
        } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw unlisted(module, e);
        }
    }

    private static KeystoreUnusableException unlisted(Path module, Throwable cause) {
        return new KeystoreUnusableException(
                "key-store: module " + module + ": it does not list its tokens; check that it is a PKCS#11 library for"
                        + " this machine and that its own configuration can be read",
                cause);
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
            byte[] bytes = in.readNBytes(MAX_BYTES);
            return new String(bytes, StandardCharsets.US_ASCII);
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
        } catch (URISyntaxException | FileSystemNotFoundException | IllegalArgumentException e) {
            throw new IOException("Signet is not in an archive of its own", e);
        }
        throw new IOException("Signet is not in an archive of its own");
    }

    /** Reads the lines of the program. Without its last line the list is not whole. */
    static TokenListing parse(String output) throws IOException {
        List<ListedToken> tokens = new ArrayList<>();
        List<ListedCertificate> certificates = new ArrayList<>();
        for (String line : output.lines().toList()) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("T") && words.length == 3 && isSlot(words[1])) {
                tokens.add(new ListedToken(
                        Integer.parseInt(words[1]), new String(decoded(words[2]), StandardCharsets.UTF_8)));
            } else if (words[0].equals("C") && words.length == 4 && isSlot(words[1])) {
                certificates.add(
                        new ListedCertificate(Integer.parseInt(words[1]), decoded(words[2]), decoded(words[3])));
            } else if (line.equals(TokenLister.END)) {
                return new TokenListing(List.copyOf(tokens), List.copyOf(certificates));
            }
        }
        throw new IOException("the list has no end");
    }

    /** SunPKCS11 takes no other numbers. */
    private static boolean isSlot(String word) {
        return word.length() <= 10 && Long.parseLong(word) <= Integer.MAX_VALUE;
    }

    private static byte[] decoded(String word) {
        return Base64.getDecoder().decode(word.substring(1));
    }

    /**
     * Returns the slot of the token with this label.
     *
     * @throws KeystoreUnusableException if no token has it, or several have it
     */
    int slotOf(String label) {
        List<Integer> slots = tokens.stream()
                .filter(token -> token.label().equals(label))
                .map(ListedToken::slot)
                .toList();
        if (slots.isEmpty()) {
            throw new KeystoreUnusableException("token '" + label + "': not there; plug it in, or check its label");
        }
        if (slots.size() > 1) {
            throw new KeystoreUnusableException("token '" + label + "': " + slots.size()
                    + " tokens have this label; name one by slot-id instead of token");
        }
        return slots.get(0);
    }

    /** Returns the encoded certificates of a token with this id. */
    List<byte[]> withId(int slot, byte[] id) {
        return certificates.stream()
                .filter(certificate -> certificate.slot() == slot && Arrays.equals(certificate.id(), id))
                .map(ListedCertificate::encoded)
                .toList();
    }

    /** Returns whether a token has this encoded certificate. */
    boolean has(int slot, byte[] encoded) {
        return certificates.stream()
                .anyMatch(certificate -> certificate.slot() == slot && Arrays.equals(certificate.encoded(), encoded));
    }

    /** Returns the id of a certificate of a token, for messages; empty if it has none. */
    byte[] idOf(int slot, byte[] encoded) {
        return certificates.stream()
                .filter(certificate -> certificate.slot() == slot && Arrays.equals(certificate.encoded(), encoded))
                .map(ListedCertificate::id)
                .findFirst()
                .orElse(new byte[0]);
    }
}
