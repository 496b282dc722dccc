/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy;

import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.cli.command.policy.PolicyTarget.Applied;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.file.PolicyDifference;
import org.signetmq.policy.file.PolicyFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;

/** The command {@code signet policy set}. */
@Command(
        name = "set",
        description =
                "Sets the policy of an address or pattern, in place of the whole one it may have, and shows what differs.",
        footer = {
            "  signet policy set orders.# --quality privacy --recipient alice --recipient bob",
            "  signet policy set prices.eu --quality integrity --signer feed",
            "  signet policy set cards.* --quality confidentiality --recipient vault --key-reuse 64",
            "  signet policy set orders.# --quality integrity --broker tcp://localhost:61616 --user admin",
            "  signet policy set orders.# --quality integrity --broker tcp://localhost:61616 --user admin --dry-run",
        })
public final class PolicySetCommand extends ChangingCommand {
    /** The path of a value of a list. */
    private static final Pattern ENTRY = Pattern.compile("([a-z]+)\\[([0-9]{1,6})]");

    @Parameters(
            paramLabel = "ADDRESS",
            description = "An address, or a pattern with * (one word) and # (any words),\n"
                    + "or with the characters of signet policy wildcards.")
    private String address = "";

    @Mixin
    private final CommandSpec options = PolicyOption.all();

    @Override
    public Integer call() throws IOException {
        Map<String, Object> fields = PolicyOption.fields(address, options);
        change(
                targets.any(context),
                "policy for '" + address + "'",
                (before, known) -> set(fields, before, known),
                (prefix, applied) -> {
                    show(prefix, address + ": " + fields.get("quality"), applied, difference(applied));
                    MeantAddress.of(address, applied.after().wildcards())
                            .ifPresent(meant -> context.warn(prefix + meant.warning(address)));
                });
        return ExitCode.OK;
    }

    /** Returns what differs in the policy if it replaces one; else no difference. */
    private PolicyDifference difference(Applied applied) {
        PolicySet before = applied.before();
        return PolicyDifference.between(before.named(address).isPresent() ? before : applied.after(), applied.after());
    }

    private PolicySet set(Map<String, Object> fields, PolicySet before, PartyValidator known) {
        List<PolicyProblem> problems = new ArrayList<>();
        PolicySet after = before;
        try {
            after = PolicyFile.parsePolicy(fields, before, known);
        } catch (InvalidPolicyException e) {
            problems.addAll(e.problems());
        }
        if (!targets.isBroker(context) || !problems.isEmpty()) { // a broker that is asked finds it, too
            endInThePast(fields).ifPresent(problems::add);
        }
        if (!problems.isEmpty()) {
            throw new InvalidPolicyException(problems);
        }
        return after;
    }

    /** Returns the problem of an end of toleration that has passed. */
    private Optional<PolicyProblem> endInThePast(Map<String, Object> fields) {
        if (!(fields.get("toleration") instanceof Map<?, ?> toleration)) {
            return Optional.empty();
        }
        return PolicyOption.until(String.valueOf(toleration.get("until"))) // the reader of the policy rejects others
                .filter(until -> !until.isAfter(context.shell().clock().instant()))
                .map(until -> new PolicyProblem(
                        "toleration.until",
                        "in the past, found " + until
                                + "; name a later date, or leave it out to accept no unprotected messages"));
    }

    @Override
    protected List<String> problems(InvalidPolicyException rejection) {
        Map<String, Object> fields = PolicyOption.fields(address, options);
        return rejection.problems().stream()
                .map(problem -> inWords(problem, fields))
                .toList();
    }

    /** Returns a problem in words of the command line: the reader of the file knows keys, and no options. */
    static String inWords(PolicyProblem problem, Map<String, Object> fields) {
        String path = problem.path().replaceFirst(NUMBER, "");
        String option = PolicyOption.at(path);
        String message = problem.message()
                .replaceAll(
                        "write \"([a-z-]+)\": \"([a-z]+)\", \"([a-z]+)\" or \"([a-z]+)\"",
                        "say --$1 $2, --$1 $3 or --$1 $4")
                .replaceAll("write \"([a-z-]+)\": \"([a-z]+)\" or \"([a-z]+)\"", "say --$1 $2 or --$1 $3")
                .replaceAll("write \"([a-z-]+)\": \"([a-z]+)\"", "say --$1 $2")
                .replaceAll("remove (them|it),", "leave " + option + " out,")
                .replaceAll("\\bwrite \\[.*?\\]", "repeat " + option);
        String repeated = Stream.of(listed(path, fields).split(","))
                .filter(name -> !name.isBlank())
                .map(name -> " " + option + " " + name.strip())
                .collect(Collectors.joining());
        return option + ": " + message + (repeated.isEmpty() ? "" : "; repeat the option:" + repeated);
    }

    /** Returns the value at a path if it has commas and is no distinguished name, as no name can be; else empty. */
    private static String listed(String path, Map<String, Object> fields) {
        Matcher place = ENTRY.matcher(path);
        if (!place.matches() || !(fields.get(place.group(1)) instanceof List<?> values)) {
            return "";
        }
        int index = Integer.parseInt(place.group(2));
        String value = index < values.size() ? String.valueOf(values.get(index)) : "";
        return value.contains(",") && !value.contains("=") ? value : "";
    }

    /** The options of {@code signet policy set}, one for each field of the policy file except the pattern. */
    enum PolicyOption {
        QUALITY(
                "--quality",
                "Q",
                "none, integrity (sign), privacy (sign and encrypt), confidentiality (encrypt) or authenticity (encrypt"
                        + " with the sender's key)."),
        RECIPIENTS("--recipient", "R", "Who can read: a name, a DN or ski:HEX. Repeatable."),
        SIGNERS("--signer", "S", "Who may sign: a name, a DN or ski:HEX; default anyone trusted. Repeatable."),
        BROKERS(
                "--vouching-broker",
                "B",
                "Which broker identity vouches for senders: a name, a DN or ski:HEX; default none. Repeatable."),
        KEY_REUSE(
                "--key-reuse",
                "N|unlimited",
                "Confidentiality and authenticity: how many messages one data key may serve; default 32."),
        MAX_BYTES_PER_KEY("--max-bytes-per-key", "SIZE", "Confidentiality and authenticity: such as 512MiB."),
        MAX_KEY_AGE("--max-key-age", "TIME", "Confidentiality and authenticity: such as 30m; default 1h."),
        MUTUAL_TRUST(
                "--mutual-trust",
                "accepted",
                "Authenticity: several recipients, each of which can write to the others in the sender's name."),
        SIGNATURE_ALGORITHM("--signature-algorithm", "ALGORITHM", "SHA-512 (default) or SHA-512-RSA-PSS."),
        SIGNATURE(
                "--signature",
                "single|shared",
                "Whether messages that are sealed at the same time may share one signature; default single."),
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
        AUDIT("--audit", "each", "The broker writes an audit line for each message that it seals; default none."),
        VERIFY(
                "--verify",
                "signature|structure",
                "Integrity: whether the broker verifies the signature of a message (default) or all but that."),
        BIND_USER(
                "--bind-user",
                "certificate",
                "Integrity and authenticity: the signer must belong to the user of the session; default any signer."),
        EXTRA_RECIPIENTS(
                "--extra-recipients", "refuse|allow", "Whether producers may encrypt for others too; default refuse."),
        REPLAY_WINDOW(
                "--replay-window",
                "TIME",
                "Take each message once, and at most this long after its signature, such as 10m; default any."),
        REQUIRE(
                "--require",
                "either|both",
                "Both: each NAME means NAME and NAME.pq, with classical and post-quantum keys; default either."),
        HIDE("--hide", "PROPERTY", "A property that travels inside the envelope alone. Repeatable."),
        ON_FAILURE(
                "--on-failure",
                "ACTION",
                "What consumers do with a message that does not open: quarantine, reject or skip; default quarantine"
                        + " in listeners, else reject."),
        QUARANTINE("--quarantine", "ADDRESS", "Where such messages go; default SIGNET.QUARANTINE.");

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
                    case RECIPIENTS, SIGNERS, BROKERS, HIDE -> List.class;
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

    /**
     * The address of Artemis that a name probably means, which is written as clients of some protocol write it.
     *
     * @param address how Artemis writes it
     * @param why the syntax that addresses of Artemis do not have
     */
    private record MeantAddress(String address, String why) {
        /** Names of queues and topics begin so in clients, in configurations and in Artemis before version 2. */
        private static final Pattern PREFIX = Pattern.compile(
                "(?s)((?:temp-)?(?:queue|topic)://|jms\\.(?:temp)?(?:queue|topic)\\.|/(?:queue|topic)/)(.+)");

        /** Returns the probable address; empty if the name is written as Artemis writes addresses and patterns. */
        static Optional<MeantAddress> of(String name, WildcardSyntax syntax) {
            Matcher prefixed = PREFIX.matcher(name);
            if (prefixed.matches()) {
                String bare = prefixed.group(2);
                String address = of(bare, syntax).map(MeantAddress::address).orElse(bare);
                return Optional.of(new MeantAddress(address, "'" + prefixed.group(1) + "' is no part of an address"));
            }
            char delimiter = syntax.delimiter();
            if (name.indexOf('/') >= 0 && delimiter != '/') {
                // the address that the broker makes of a topic
                String topic = name.replace(String.valueOf(delimiter), "\\" + delimiter)
                        .replaceAll("^/+", "")
                        .replace('/', delimiter);
                return Optional.of(new MeantAddress(
                        words(topic, syntax), "in the address of an MQTT topic '/' is '" + delimiter + "'"));
            }
            return Optional.of(words(name, syntax))
                    .filter(words -> !words.equals(name))
                    .map(words -> new MeantAddress(words, "the wildcards of these policies are " + syntax.describe()));
        }

        /** Puts the wildcards of the policies in place of those that other brokers and protocols have. */
        private static String words(String name, WildcardSyntax syntax) {
            String delimiter = String.valueOf(syntax.delimiter());
            String own = "" + syntax.anyWords() + syntax.singleWord();
            return Stream.of(name.split(Pattern.quote(delimiter), -1))
                    .map(word -> switch (word) {
                        case ">", "#" -> own.contains(word) ? word : own.substring(0, 1);
                        case "+", "*" -> own.contains(word) ? word : own.substring(1);
                        default -> word;
                    })
                    .collect(Collectors.joining(delimiter));
        }

        String warning(String name) {
            return "the policy matches no address but '" + name + "', which is probably not what is meant: " + why
                    + "; set '" + address + "' instead, and run: signet policy remove '" + name + "'";
        }
    }
}
