/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trustfile;

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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.file.BoundedFile;
import org.signetmq.keystore.internal.x509.KeyPolicy;
import org.signetmq.keystore.internal.x509.KeyRules;
import org.signetmq.keystore.trust.RevocationSettings;
import org.signetmq.keystore.trust.RevocationSettings.Failure;
import org.signetmq.keystore.trust.RevocationSettings.Source;
import org.signetmq.keystore.trust.RevocationSettings.WithoutSource;

/** Reads {@code trust.json}, as {@code docs/trust.schema.json} describes it. */
public final class TrustFile {
    static final int SCHEMA_VERSION = 1;
    static final int LONGEST = 64 << 10;
    static final int MOST_HOSTS = 100;
    static final int MOST_SECONDS = 60;
    private static final int DEEPEST = 4;

    private static final String SCHEMA = "schema";
    private static final String LEAST_RSA_BITS = "least-rsa-bits";
    private static final String CURVES = "curves";
    private static final String SIGNATURES = "signature-algorithms";
    private static final String REVOCATION = "revocation";
    private static final String CRL = "crl";
    private static final String OCSP = "ocsp";
    private static final String FAIL = "fail";
    private static final String WITHOUT_SOURCE = "without-source";
    private static final String HOSTS = "hosts";
    private static final String TIMEOUT = "timeout-seconds";

    private static final List<String> KEYS = List.of(SCHEMA, LEAST_RSA_BITS, CURVES, SIGNATURES, REVOCATION);
    private static final List<String> OF_REVOCATION = List.of(CRL, OCSP, FAIL, WITHOUT_SOURCE, HOSTS, TIMEOUT);

    /** The name or address of a host, in lower case, without a port. */
    private static final Pattern HOST = Pattern.compile("[a-z0-9][a-z0-9.-]{0,252}|\\[[0-9a-f:.]{2,45}]");

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .maxNumberLength(20)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private TrustFile() {}

    /**
     * Reads the file.
     *
     * @throws KeystoreUnusableException with the first problem, if there is one
     */
    public static TrustSettings read(Path file) {
        return parse(BoundedFile.read(file, LONGEST));
    }

    static TrustSettings parse(byte[] bytes) {
        TrustJson json = TrustJson.of(tree(bytes), "", KEYS);
        JsonNode schema = json.field(SCHEMA);
        if (schema == null || json.number(SCHEMA, SCHEMA_VERSION, SCHEMA_VERSION, 0) != SCHEMA_VERSION) {
            throw json.problemWith(SCHEMA, "missing; write \"schema\": " + SCHEMA_VERSION);
        }
        KeyPolicy keys = new KeyPolicy(
                json.number(LEAST_RSA_BITS, KeyRules.MIN_RSA_BITS, KeyRules.MAX_RSA_BITS, KeyRules.MIN_RSA_BITS),
                json.words(CURVES, KeyRules.curveNames(), KeyRules.curveNames()),
                json.words(SIGNATURES, KeyRules.signatureNames(), KeyRules.signatureNames()));
        JsonNode revocation = json.field(REVOCATION);
        return new TrustSettings(keys, revocation == null ? RevocationSettings.DEFAULT : revocation(revocation));
    }

    private static RevocationSettings revocation(JsonNode node) {
        TrustJson json = TrustJson.of(node, REVOCATION, OF_REVOCATION);
        Failure failure = choice(json, FAIL, List.of(Failure.HARD, Failure.SOFT), Failure.HARD);
        RevocationSettings settings = new RevocationSettings(
                choice(json, CRL, List.of(Source.values()), Source.FILES),
                choice(json, OCSP, List.of(Source.values()), Source.OFF),
                failure,
                choice(json, WITHOUT_SOURCE, List.of(WithoutSource.values()), WithoutSource.REFUSE),
                hosts(json),
                Duration.ofSeconds(
                        json.number(TIMEOUT, 1, MOST_SECONDS, (int) RevocationSettings.DEFAULT_TIMEOUT.toSeconds())));
        if (settings.crl() == Source.OFF && settings.ocsp() == Source.OFF) {
            // nothing could be known, and nothing would be revoked either
            throw json.problemWith(CRL, "off, and " + OCSP + " is off too; set one of them, or remove " + REVOCATION);
        }
        return settings;
    }

    private static Set<String> hosts(TrustJson json) {
        Set<String> hosts = new HashSet<>();
        for (String host : json.texts(HOSTS, MOST_HOSTS)) {
            String lower = host.toLowerCase(Locale.ROOT);
            if (!HOST.matcher(lower).matches()) {
                throw json.problemWith(HOSTS, "the name of a host alone is expected, without http:// and port");
            }
            hosts.add(lower);
        }
        return hosts;
    }

    private static <E extends Enum<E>> E choice(TrustJson json, String key, List<E> choices, E absent) {
        List<String> labels = choices.stream().map(TrustFile::label).toList();
        @Nullable String written = json.word(key, labels);
        return written == null ? absent : choices.get(labels.indexOf(written));
    }

    /** Returns the word for a choice in the file. */
    public static String label(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT);
    }

    private static JsonNode tree(byte[] bytes) {
        try {
            JsonNode node = MAPPER.readTree(bytes);
            return Objects.requireNonNullElseGet(node, MAPPER::missingNode);
        } catch (JsonProcessingException e) {
            String first = String.valueOf(e.getOriginalMessage())
                    .lines()
                    .findFirst()
                    .orElse("")
                    .replaceAll("[^\\x20-\\x7e]", "?");
            String place =
                    e.getLocation() == null ? "" : " at line " + e.getLocation().getLineNr();
            throw new KeystoreUnusableException(
                    "trust.json: no JSON" + place + ": " + first.substring(0, Math.min(first.length(), 200)), e);
        } catch (IOException e) {
            throw new KeystoreUnusableException("trust.json: cannot be read", e);
        }
    }
}
