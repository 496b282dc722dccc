/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The options of {@code signet policy set}, one for each field of the policy file except the pattern. */
enum PolicyOption {
    QUALITY("--quality", "Q", "none, integrity (sign), privacy (sign and encrypt) or confidentiality (encrypt)."),
    RECIPIENTS("--recipient", "R", "Who can read: a name, a DN or ski:HEX. Repeatable."),
    SIGNERS("--signer", "S", "Who may sign: a name, a DN or ski:HEX; default anyone trusted. Repeatable."),
    BROKERS(
            "--vouching-broker",
            "B",
            "Which broker identity vouches for senders: a name, a DN or ski:HEX; default none. Repeatable."),
    KEY_REUSE("--key-reuse", "N|unlimited", "Confidentiality: how many messages one data key may serve; default 32."),
    MAX_BYTES_PER_KEY("--max-bytes-per-key", "SIZE", "Confidentiality: such as 512MiB."),
    MAX_KEY_AGE("--max-key-age", "TIME", "Confidentiality: such as 30m; default 1h."),
    SIGNATURE_ALGORITHM("--signature-algorithm", "ALGORITHM", "SHA-512 (default) or SHA-512-RSA-PSS."),
    ENCRYPTION_ALGORITHM("--encryption-algorithm", "ALGORITHM", "AES-256 (default)."),
    CERTIFICATE(
            "--certificate",
            "included|referenced",
            "Whether signed messages carry the signer's certificate (default) or its key id alone."),
    TOLERATION(
            "--tolerate-until",
            "DATE",
            "Consumers accept unprotected messages until then: 2026-12-31 or 2026-12-31T18:00:00Z."),
    WHERE("--where", "PLACE", "Where messages are sealed: broker, client or either (default)."),
    ACCEPT_LEGACY(
            "--accept-legacy",
            "",
            "Also read messages encrypted by RSA PKCS#1 v1.5, or with SHA-1 in OAEP or key derivation."),
    AUDIT("--audit", "each", "The broker writes an audit line for each message that it seals; default none.");

    private final String option;
    private final String label;
    private final String description;

    PolicyOption(String option, String label, String description) {
        this.option = option;
        this.label = label;
        this.description = description;
    }

    /** Returns all options for a command line. */
    static CommandSpec all() {
        CommandSpec all = CommandSpec.create();
        for (PolicyOption each : values()) {
            Class<?> type = switch (each) {
                case RECIPIENTS, SIGNERS, BROKERS -> List.class;
                case ACCEPT_LEGACY -> boolean.class;
                default -> String.class;
            };
            all.addOption(OptionSpec.builder(each.option)
                    .paramLabel(each.label)
                    .description(each.description)
                    .type(type)
                    .required(each == QUALITY)
                    .build());
        }
        return all;
    }

    /** Returns the policy in the fields of the policy file. Its reader judges the values. */
    static Map<String, Object> fields(String pattern, CommandSpec parsed) {
        Map<String, Object> fields = new LinkedHashMap<>(Map.of("pattern", pattern));
        for (PolicyOption each : values()) {
            Object value = parsed.findOption(each.option).getValue();
            if (value != null) {
                fields.put(each.key(), each.inFile(value));
            }
        }
        return fields;
    }

    private String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private Object inFile(Object value) {
        String text = value.toString();
        return switch (this) {
            case KEY_REUSE, MAX_BYTES_PER_KEY -> text.matches("-?[0-9]{1,18}") ? Long.valueOf(text) : text;
            case TOLERATION -> Map.of("until", instant(text));
            default -> value;
        };
    }

    /** Returns the instant that a text names, as a date alone or in full; empty if it names none. */
    static Optional<Instant> until(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(instant(text)).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Returns the first instant of a date, or the text itself if it is no date alone. */
    private static String instant(String date) {
        try {
            return LocalDate.parse(date)
                    .atStartOfDay(ZoneOffset.UTC)
                    .toInstant()
                    .toString();
        } catch (DateTimeParseException e) {
            return date; // a full instant, or for the reader to reject
        }
    }

    /** Returns the argument that gives the value at a path in {@link #fields}. */
    static String at(String path) {
        String key = path.replaceFirst("[.\\[].*$", "");
        return Stream.of(values())
                .filter(each -> each.key().equals(key))
                .map(each -> each.option)
                .findFirst()
                .orElse("ADDRESS");
    }
}
