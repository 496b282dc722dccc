/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tests of NIST's path validation suite, and the answers of Signet that differ from the suite's. */
public final class Pkits {
    private static final String LONG_PATH = "no valid path of at most 4 issuers";
    private static final String UNPROVED = "no valid list or OCSP answer is known";
    private static final String BUDGET = "costs too many verifications";

    /** A text of the rejection, the tests that are valid for the suite but rejected here, and the reason. */
    private static final List<List<String>> REJECTED = List.of(
            List.of("unsupported kind 1.2.840.10040.4.1", "4.1.4 4.1.5", "DSA is no algorithm of Signet"),
            List.of(
                    LONG_PATH,
                    "4.6.13 4.6.14 4.6.17 4.9.1 4.9.2 4.9.4 4.12.9",
                    "a path has at most four issuers, the trusted one included"),
            List.of(
                    BUDGET,
                    "4.5.3 4.8.6/1 4.8.6/2 4.12.7",
                    "a message may cost five verifications for certificates and lists together"),
            List.of(
                    "the path from its issuer to a trusted certificate is not valid",
                    "4.10.1.1/1 4.10.3/2 4.10.5/1 4.10.6/1 4.10.11 4.11.2 4.11.4 4.11.7",
                    "policies are never mapped, because mappings make a tree of policies"),
            List.of(
                    UNPROVED,
                    "4.4.19 4.5.1 4.5.4 4.5.6 4.6.15 4.9.6 4.13.19",
                    "a list counts by the key that signed the certificate, not by another key of its name"),
            List.of(
                    UNPROVED,
                    "4.14.1 4.14.4 4.14.5 4.14.7",
                    "a part of a list counts for a certificate that names it by an address, not by a directory's name"),
            List.of(UNPROVED, "4.14.18 4.14.19", "lists of some reasons are not added up to all reasons"),
            List.of(
                    UNPROVED,
                    "4.14.22 4.14.24 4.14.25 4.14.28 4.14.29 4.14.30 4.14.33",
                    "an indirect list, or one of another issuer, proves nothing"),
            List.of("revoked on 2010-01-01", "4.15.5", "a delta list never takes a revocation back"));

    /** The tests that are invalid for the suite by inputs alone that Signet does not have, and accepted here. */
    private static final List<String> ACCEPTED = List.of(
            "4.8.1/3", "4.8.2/2", "4.8.3/2", "4.8.3/3", "4.8.14/2", "4.10.13/3", "4.12.3/2"); // initial policies

    private static final Map<String, String> TEXTS = REJECTED.stream()
            .flatMap(row -> Arrays.stream(row.get(1).split(" ")).map(id -> Map.entry(id, row.get(0))))
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    private Pkits() {}

    /**
     * One test of the suite.
     *
     * @param id its section, with the number of the part behind a slash
     * @param name its name without blanks and signs, in lower case
     * @param valid whether the suite accepts the path
     * @param certificates the files from the trusted certificate to the last one
     * @param lists the files of the revocation lists
     * @param hasInputs whether the suite sets initial policies or switches, which Signet does not have
     */
    public record Test(
            String id, String name, boolean valid, List<Path> certificates, List<Path> lists, boolean hasInputs) {
        /** Tells whether Signet accepts the path. */
        public boolean isAccepted() {
            return valid ? !TEXTS.containsKey(id) : ACCEPTED.contains(id);
        }

        /** Returns a text that the rejection has. Empty if the suite rejects the path, too. */
        public String rejection() {
            return TEXTS.getOrDefault(id, "");
        }

        /** Returns the certificates between the trusted and the last one, in the order of a message. */
        public List<Path> issuers() {
            List<Path> issuers = new ArrayList<>(certificates.subList(1, certificates.size() - 1));
            Collections.reverse(issuers);
            return issuers;
        }
    }

    /** Returns all tests. */
    public static List<Test> tests() throws IOException {
        Path folder = Vectors.path("pkits");
        return Files.readAllLines(folder.resolve("expected.tsv")).stream()
                .skip(1)
                .map(line -> test(folder, line.split("\t", -1)))
                .toList();
    }

    private static Test test(Path folder, String[] row) {
        String[] parts = row[1].split(" \\(Subpart ", 2);
        return new Test(
                parts.length == 1 ? row[0] : row[0] + "/" + parts[1].replace(")", ""),
                plain(parts[0]),
                row[2].equals("true"),
                files(folder.resolve("certs"), row[3], ".crt"),
                files(folder.resolve("crls"), row[4], ".crl"),
                Arrays.stream(row).skip(5).anyMatch(input -> !input.isEmpty()));
    }

    private static List<Path> files(Path folder, String names, String ending) {
        return Arrays.stream(names.split(" "))
                .map(name -> folder.resolve(name + ending))
                .toList();
    }

    /** Returns a name as {@link Test#name} has it. */
    public static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    /** Returns all identifiers with another answer of Signet. */
    public static List<String> deviations() {
        return Stream.concat(TEXTS.keySet().stream(), ACCEPTED.stream())
                .sorted()
                .toList();
    }
}
