/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.internal.file.BoundedFile;
import org.signetmq.keystore.internal.x509.KeyRules;
import org.signetmq.keystore.internal.x509.KeyRules.KeyPolicy;
import org.signetmq.keystore.trust.RevocationSettings;
import org.signetmq.keystore.trust.RevocationSettings.Failure;
import org.signetmq.keystore.trust.RevocationSettings.Source;
import org.signetmq.keystore.trust.RevocationSettings.WithoutSource;
import org.signetmq.policy.text.NearestWord;

/**
 * The content of {@code trust.json}, as {@code docs/trust.schema.json} describes it.
 *
 * @param keys the accepted keys and signatures of certificates
 * @param revocation the sources of revocations
 * @param uncommittedUntil the time until which encrypted messages that do not commit to one key are opened
 */
record TrustFile(KeyPolicy keys, RevocationSettings revocation, Instant uncommittedUntil) {
    /** The settings of a home without the file. */
    static final TrustFile DEFAULT = new TrustFile(KeyPolicy.DEFAULT, RevocationSettings.DEFAULT, Instant.MIN);

    private static final int LONGEST = 64 << 10;
    private static final int MOST_HOSTS = 100;
    private static final int MOST_SHOWN = 40;

    /** The name or address of a host, in lower case, without a port. */
    private static final Pattern HOST = Pattern.compile("[a-z0-9][a-z0-9.-]{0,252}|\\[[0-9a-f:.]{2,45}]");

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(4)
                            .maxNumberLength(20)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /**
     * Reads the file.
     *
     * @throws KeystoreUnusableException with the first problem, if there is one
     */
    static TrustFile read(Path file) {
        return parse(BoundedFile.read(file, LONGEST));
    }

    static TrustFile parse(byte[] bytes) {
        Fields file = Fields.of(
                tree(bytes),
                "",
                "schema",
                "least-rsa-bits",
                "curves",
                "signature-algorithms",
                "revocation",
                "uncommitted-until");
        if (!file.has("schema")) {
            throw file.problem("schema", "missing; write \"schema\": 1");
        }
        file.number("schema", 1, 1, 1);
        KeyPolicy keys = new KeyPolicy(
                file.number("least-rsa-bits", KeyRules.MIN_RSA_BITS, KeyRules.MAX_RSA_BITS, KeyRules.MIN_RSA_BITS),
                file.words("curves", KeyRules.curveNames()),
                file.words("signature-algorithms", KeyRules.signatureNames()));
        return new TrustFile(
                keys,
                file.has("revocation") ? revocation(file.node().get("revocation")) : RevocationSettings.DEFAULT,
                file.instant("uncommitted-until", Instant.MIN));
    }

    private static RevocationSettings revocation(JsonNode node) {
        Fields fields =
                Fields.of(node, "revocation", "crl", "ocsp", "fail", "without-source", "hosts", "timeout-seconds");
        RevocationSettings settings = new RevocationSettings(
                fields.choice("crl", EnumSet.allOf(Source.class), Source.FILES),
                fields.choice("ocsp", EnumSet.allOf(Source.class), Source.OFF),
                fields.choice("fail", EnumSet.of(Failure.HARD, Failure.SOFT), Failure.HARD),
                fields.choice("without-source", EnumSet.allOf(WithoutSource.class), WithoutSource.REFUSE),
                hosts(fields),
                Duration.ofSeconds(
                        fields.number("timeout-seconds", 1, 60, (int) RevocationSettings.DEFAULT_TIMEOUT.toSeconds())));
        if (settings.crl() == Source.OFF && settings.ocsp() == Source.OFF) {
            // nothing could be known, and nothing would be revoked either
            throw fields.problem("crl", "off, and ocsp is off too; set one of them, or remove revocation");
        }
        return settings;
    }

    private static Set<String> hosts(Fields fields) {
        Set<String> hosts = new TreeSet<>();
        for (JsonNode host : fields.list("hosts", MOST_HOSTS)) {
            String lower = host.asText().toLowerCase(Locale.ROOT);
            if (!host.isTextual() || !HOST.matcher(lower).matches()) {
                throw fields.problem(
                        "hosts",
                        "the name of a host alone is expected, without http:// and port, found " + shown(host));
            }
            if (!hosts.add(lower)) {
                throw fields.problem("hosts", "named twice, found " + shown(host));
            }
        }
        return hosts;
    }

    private static JsonNode tree(byte[] bytes) {
        try {
            return MAPPER.readTree(bytes);
        } catch (JsonProcessingException e) {
            String first = PrintableText.of(
                    String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse(""), PrintableText.LONGEST_NAME);
            String place =
                    e.getLocation() == null ? "" : " at line " + e.getLocation().getLineNr();
            throw new KeystoreUnusableException("trust.json: no JSON" + place + ": " + first, e);
        } catch (IOException e) {
            throw new KeystoreUnusableException("trust.json: cannot be read", e);
        }
    }

    /** Returns the start of a value. */
    private static String shown(JsonNode value) {
        if (value.isContainerNode()) {
            return value.isArray() ? "a list" : "an object";
        }
        return "'" + PrintableText.of(value.asText(), MOST_SHOWN) + "'";
    }

    /** The values of one JSON object. The first problem throws. The path of the whole document is empty. */
    private record Fields(JsonNode node, String path) {
        /** Takes an object that has no other keys than these. */
        static Fields of(JsonNode node, String path, String... known) {
            Fields fields = new Fields(node, path);
            if (!node.isObject()) {
                throw new KeystoreUnusableException("trust.json: " + (path.isEmpty() ? "document" : path)
                        + ": not an object, found " + shown(node));
            }
            node.fieldNames().forEachRemaining(key -> {
                if (!List.of(known).contains(key)) {
                    throw fields.problem(PrintableText.of(key, MOST_SHOWN), "unknown key" + hint(key, List.of(known)));
                }
            });
            return fields;
        }

        private static String hint(String written, Collection<String> known) {
            return written.length() > MOST_SHOWN ? "" : NearestWord.nameHint(PrintableText.of(written), known);
        }

        KeystoreUnusableException problem(String key, String problem) {
            return new KeystoreUnusableException(
                    "trust.json: " + (path.isEmpty() ? key : path + "." + key) + ": " + problem);
        }

        boolean has(String key) {
            return node.has(key);
        }

        int number(String key, int least, int most, int absent) {
            JsonNode value = node.get(key);
            if (value == null) {
                return absent;
            }
            if (!value.isIntegralNumber()
                    || !value.canConvertToInt()
                    || value.intValue() < least
                    || value.intValue() > most) {
                throw problem(key, "not a whole number from " + least + " to " + most + ", found " + shown(value));
            }
            return value.intValue();
        }

        Instant instant(String key, Instant absent) {
            JsonNode value = node.get(key);
            if (value == null) {
                return absent;
            }
            try {
                return Instant.parse(value.isTextual() ? value.textValue() : "");
            } catch (DateTimeParseException other) {
                throw problem(key, "not a time such as 2027-01-31T00:00:00Z, found " + shown(value));
            }
        }

        private String word(String key, JsonNode value, Collection<String> known) {
            if (!value.isTextual() || !known.contains(value.textValue())) {
                throw problem(
                        key,
                        "not one of " + String.join(", ", known) + ", found " + shown(value)
                                + (value.isTextual() ? hint(value.textValue(), known) : ""));
            }
            return value.textValue();
        }

        <E extends Enum<E>> E choice(String key, Set<E> choices, E absent) {
            if (!has(key)) {
                return absent;
            }
            List<String> labels = choices.stream()
                    .map(each -> each.name().toLowerCase(Locale.ROOT))
                    .toList();
            String written = word(key, node.get(key), labels);
            return Enum.valueOf(absent.getDeclaringClass(), written.toUpperCase(Locale.ROOT));
        }

        /** Returns different words, at least one of the known ones; all known ones if the key is absent. */
        Set<String> words(String key, Set<String> known) {
            Set<String> words = new TreeSet<>();
            for (JsonNode value : list(key, known.size())) {
                if (!words.add(word(key, value, known))) {
                    throw problem(key, "named twice, found " + shown(value));
                }
            }
            if (words.isEmpty() && has(key)) {
                throw problem(key, "an empty list accepts nothing; name at least one, or remove the key");
            }
            return has(key) ? words : known;
        }

        /** Returns the values of a list; none if the key is absent. */
        Iterable<JsonNode> list(String key, int most) {
            JsonNode list = node.get(key);
            if (list == null) {
                return List.of();
            }
            if (!list.isArray() || list.size() > most) {
                throw problem(key, "not a list of at most " + most + ", found " + shown(list));
            }
            return list;
        }
    }
}
