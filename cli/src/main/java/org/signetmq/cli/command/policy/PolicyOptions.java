/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.PolicyProblem;
import picocli.CommandLine.Option;

/** The properties of a policy as options. The reader of the policy file judges their values. */
final class PolicyOptions {
    private static final Pattern LISTED = Pattern.compile("(recipients|signers|brokers)\\[([0-9]{1,6})]$");

    @Option(
            names = "--quality",
            required = true,
            paramLabel = "Q",
            description = "none, integrity (sign), privacy (sign and encrypt) or confidentiality (encrypt).")
    private String quality = "";

    @Option(names = "--recipient", paramLabel = "R", description = "Who can read: a name, a DN or ski:HEX. Repeatable.")
    private List<String> recipients = new ArrayList<>();

    @Option(
            names = "--signer",
            paramLabel = "S",
            description = "Who may sign: a name, a DN or ski:HEX; default anyone trusted. Repeatable.")
    private List<String> signers = new ArrayList<>();

    @Option(
            names = "--broker",
            paramLabel = "B",
            description =
                    "Which broker identity vouches for senders: a name, a DN or ski:HEX; default none. Repeatable.")
    private List<String> brokers = new ArrayList<>();

    @Option(
            names = "--key-reuse",
            paramLabel = "N|unlimited",
            description = "Confidentiality: how many messages one data key may serve; default 32.")
    private @Nullable String keyReuse;

    @Option(names = "--max-bytes-per-key", paramLabel = "SIZE", description = "Confidentiality: such as 512MiB.")
    private @Nullable String maxBytesPerKey;

    @Option(names = "--max-key-age", paramLabel = "TIME", description = "Confidentiality: such as 30m; default 1h.")
    private @Nullable String maxKeyAge;

    @Option(
            names = "--signature-algorithm",
            paramLabel = "ALGORITHM",
            description = "SHA-512 (default) or SHA-512-RSA-PSS.")
    private @Nullable String signatureAlgorithm;

    @Option(names = "--encryption-algorithm", paramLabel = "ALGORITHM", description = "AES-256 (default).")
    private @Nullable String encryptionAlgorithm;

    @Option(
            names = "--certificate",
            paramLabel = "included|referenced",
            description = "Whether signed messages carry the signer's certificate (default) or its key id alone.")
    private @Nullable String certificate;

    @Option(
            names = "--tolerate-until",
            paramLabel = "DATE",
            description = "Consumers accept unprotected messages until then: 2026-12-31 or 2026-12-31T18:00:00Z.")
    private @Nullable String tolerateUntil;

    @Option(
            names = "--where",
            paramLabel = "PLACE",
            description = "Where messages are sealed: broker, client or either (default).")
    private @Nullable String where;

    @Option(
            names = "--accept-legacy",
            description = "Also read messages encrypted by RSA PKCS#1 v1.5 or by keys derived with SHA-1.")
    private boolean acceptLegacy;

    /** Returns the policy in the fields of the policy file. */
    Map<String, Object> fields(String pattern) {
        Map<String, Object> fields = new LinkedHashMap<>();
        put(fields, "pattern", pattern);
        put(fields, "quality", quality);
        put(fields, "recipients", recipients);
        put(fields, "signers", signers);
        put(fields, "brokers", brokers);
        put(fields, "key-reuse", number(keyReuse));
        put(fields, "max-bytes-per-key", number(maxBytesPerKey));
        put(fields, "max-key-age", maxKeyAge);
        put(fields, "signature-algorithm", signatureAlgorithm);
        put(fields, "encryption-algorithm", encryptionAlgorithm);
        put(fields, "certificate", certificate);
        put(fields, "where", where);
        put(fields, "toleration", tolerateUntil == null ? null : Map.of("until", instant(tolerateUntil)));
        put(fields, "accept-legacy", acceptLegacy ? true : null);
        return fields;
    }

    private static void put(Map<String, Object> fields, String key, @Nullable Object value) {
        if (value != null && !value.equals(List.of())) {
            fields.put(key, value);
        }
    }

    private static @Nullable Object number(@Nullable String value) {
        return value != null && value.matches("-?[0-9]{1,18}") ? Long.valueOf(value) : value;
    }

    /** Returns a problem in words of the command line: the reader of the file knows keys, and no options. */
    String inWords(PolicyProblem problem) {
        String option = optionOf(problem.path());
        String message = problem.message()
                .replaceAll("write \"([a-z-]+)\": \"([a-z]+)\" or \"([a-z]+)\"", "say --$1 $2 or --$1 $3")
                .replaceAll("write \"([a-z-]+)\": \"([a-z]+)\"", "say --$1 $2")
                .replace("remove them,", "leave " + option + " out,")
                .replace("remove it,", "leave " + option + " out,")
                .replaceAll("\\bwrite \\[.*?\\]", "repeat " + option);
        String listed = listed(problem);
        String repeated = Stream.of(listed.split(",", -1))
                .filter(name -> !name.isBlank())
                .map(name -> " " + option + " " + name.strip())
                .collect(Collectors.joining());
        return option + ": " + message + (listed.isEmpty() ? "" : "; repeat the option:" + repeated);
    }

    /** Returns the value that is wrong if it has commas and is no distinguished name, as no name can be; else empty. */
    private String listed(PolicyProblem problem) {
        Matcher place = LISTED.matcher(problem.path());
        if (!place.find()) {
            return "";
        }
        List<String> values = switch (place.group(1)) {
            case "recipients" -> recipients;
            case "signers" -> signers;
            default -> brokers;
        };
        int index = Integer.parseInt(place.group(2));
        String value = index < values.size() ? values.get(index) : "";
        return value.contains(",") && !value.contains("=") ? value : "";
    }

    /** Returns the option for a path in {@link #fields}. */
    static String optionOf(String path) {
        String key = path.replaceFirst("[.\\[].*$", "");
        return switch (key) {
            case "pattern" -> "ADDRESS";
            case "recipients" -> "--recipient";
            case "signers" -> "--signer";
            case "brokers" -> "--broker";
            case "toleration" -> "--tolerate-until";
            default -> "--" + key;
        };
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
}
