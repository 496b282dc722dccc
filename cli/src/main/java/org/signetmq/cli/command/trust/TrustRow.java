/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.trust;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.certificate.CertificateView;
import org.signetmq.cli.console.Failures;
import org.signetmq.cli.console.TextTable;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Pem;

/**
 * A trusted certificate in the answer of {@code signet trust list}.
 *
 * @param kind {@code root}, {@code issuer} below a root, or {@code party}
 */
record TrustRow(String name, String kind, CertificateView certificate) {
    /**
     * A revocation list in the answer.
     *
     * @param nextUpdate null if it has none
     */
    record ListRow(
            String name,
            String issuer,
            String thisUpdate,
            @Nullable String nextUpdate,
            int revoked) {}

    /** The whole answer. */
    record Answer(List<TrustRow> certificates, List<ListRow> revocationLists) {
        List<String> lines() {
            TextTable table = TextTable.of("NAME", "KIND", "DN", "NOT AFTER", "SHA-256");
            certificates.forEach(row -> table.row(
                    row.name(),
                    row.kind(),
                    row.certificate().dn(),
                    row.certificate().notAfter(),
                    row.certificate().sha256()));
            List<String> lines = new ArrayList<>(table.lines());
            if (!revocationLists.isEmpty()) {
                TextTable lists = TextTable.of("REVOCATION LIST", "ISSUER", "THIS UPDATE", "NEXT UPDATE", "REVOKED");
                revocationLists.forEach(row -> lists.row(
                        row.name(),
                        row.issuer(),
                        row.thisUpdate(),
                        row.nextUpdate() == null ? "-" : row.nextUpdate(),
                        Integer.toString(row.revoked())));
                lines.add("");
                lines.addAll(lists.lines());
            }
            return lines;
        }
    }

    static Answer all(Home home) throws IOException {
        List<TrustRow> certificates = home.certificateTrust().trusted().stream()
                .map(entry ->
                        new TrustRow(entry.name(), kind(entry.certificate()), CertificateView.of(entry.certificate())))
                .toList();
        return new Answer(certificates, lists(home));
    }

    private static String kind(X509Certificate certificate) {
        if (certificate.getBasicConstraints() < 0) {
            return "party";
        }
        return certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal()) ? "root" : "issuer";
    }

    private static List<ListRow> lists(Home home) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.list(home.crl())) {
            files = found.filter(file -> String.valueOf(file.getFileName()).matches("[^.].*\\.(pem|crl|der|crt|cer)"))
                    .sorted()
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
        List<ListRow> rows = new ArrayList<>();
        for (Path file : files) {
            String name = String.valueOf(file.getFileName());
            for (X509CRL list : Pem.readCrls(file)) {
                rows.add(new ListRow(
                        name.substring(0, name.lastIndexOf('.')),
                        Failures.oneLine(DistinguishedName.shown(list.getIssuerX500Principal())),
                        list.getThisUpdate().toInstant().toString(),
                        list.getNextUpdate() == null
                                ? null
                                : list.getNextUpdate().toInstant().toString(),
                        count(list)));
            }
        }
        return rows;
    }

    /** Returns the number of certificates that a list revokes. */
    static int count(X509CRL list) {
        return list.getRevokedCertificates() == null
                ? 0
                : list.getRevokedCertificates().size();
    }
}
