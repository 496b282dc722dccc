/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.certificate;

import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.console.TextTable;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IssuedCertificates;

/**
 * A certificate that an issuing identity of the home issued.
 *
 * @param serialNumber in hex, as {@code openssl x509 -serial} prints it
 * @param hasEnded whether its time is over
 * @param issuerKeyId the key id of the issuer's key in hex, by which keys of the same name differ; null if the
 *     certificate does not name it
 */
record IssuedRow(
        String serialNumber, boolean hasEnded, @Nullable String issuerKeyId, CertificateView certificate) {
    /** Returns the certificates that a home has issued, sorted by name and end. */
    static List<IssuedRow> all(Home home, Clock clock) {
        IssuedCertificates record = new IssuedCertificates(home, clock);
        return record.all().stream()
                .map(made -> new IssuedRow(
                        made.getSerialNumber().toString(16),
                        record.hasEnded(made),
                        KeyIdentifier.ofIssuer(made)
                                .map(KeyIdentifier::toString)
                                .orElse(null),
                        CertificateView.of(made)))
                .sorted(Comparator.comparing(
                                (IssuedRow row) -> row.certificate().dn())
                        .thenComparing(row -> row.certificate().notAfter())
                        .thenComparing(IssuedRow::serialNumber))
                .toList();
    }

    static List<String> lines(List<IssuedRow> rows) {
        TextTable table =
                TextTable.of("SERIAL NUMBER", "DN", "ISSUER", "ISSUER KEY ID", "KEY ID", "NOT AFTER", "ENDED");
        rows.forEach(row -> table.row(
                row.serialNumber(),
                row.certificate().dn(),
                row.certificate().issuer(),
                Objects.requireNonNullElse(row.issuerKeyId(), ""),
                row.certificate().keyId(),
                row.certificate().notAfter(),
                row.hasEnded() ? "yes" : "no"));
        return table.lines();
    }
}
