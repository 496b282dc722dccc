/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.store.PolicyJournal.DamagedPoliciesException;
import org.signetmq.interceptor.internal.store.PolicyJournal.StoredPolicies;
import org.signetmq.keystore.keys.CryptoProviders;

/**
 * The last record of a generation. The records before it hold the document in UTF-8, compressed by gzip, whose checksum
 * shows damage, in Base64.
 *
 * @param content the content of the record without its digest
 * @param version the version of the policies
 * @param records the number of records
 * @param origin the origin of the change
 * @param digest the SHA-256 digest of the content and the document; null if an earlier version of Signet wrote it
 */
record GenerationSeal(
        String content,
        long version,
        int records,
        ChangeOrigin origin,
        @Nullable String digest) {
    /** The longest document that is read, in bytes; a longer one than a policy file may have. */
    private static final int LONGEST = 64 << 20;

    private static final int FORMAT = 1;
    private static final String DIGEST = "sha256";
    private static final List<String> KEYS = List.of("format", "version", "records", "by", "from", "at");
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** A seal as text, and the records before it. */
    record Sealed(List<String> records, String seal) {
        Sealed {
            records = List.copyOf(records);
        }
    }

    /** Returns the value of a record. */
    @FunctionalInterface
    interface Records {
        String at(int index) throws IOException;
    }

    /** Packs a document into records. */
    static Sealed close(StoredPolicies policies) throws IOException {
        byte[] document = policies.text().getBytes(StandardCharsets.UTF_8);
        String packed = Base64.getEncoder().encodeToString(compress(document));
        List<String> records = new ArrayList<>();
        for (int from = 0; from < packed.length(); from += PolicyJournal.LONGEST_RECORD) {
            records.add(packed.substring(from, Math.min(packed.length(), from + PolicyJournal.LONGEST_RECORD)));
        }
        ChangeOrigin origin = policies.origin();
        ObjectNode seal = MAPPER.createObjectNode();
        seal.put("format", FORMAT);
        seal.put("version", policies.version());
        seal.put("records", records.size());
        seal.put("by", origin.by());
        seal.put("from", origin.from());
        seal.put("at", origin.at().toString());
        seal.put(DIGEST, digest(seal.toString(), document));
        return new Sealed(records, seal.toString());
    }

    private static String digest(String content, byte[] document) {
        MessageDigest digest = CryptoProviders.digest("SHA-256");
        digest.update((content + "\n").getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest.digest(document));
    }

    static GenerationSeal parse(String text) throws DamagedPoliciesException {
        try {
            if (!(MAPPER.readTree(text) instanceof ObjectNode seal)) {
                throw new DamagedPoliciesException("the seal cannot be read");
            }
            if (seal.path("format").asInt() != FORMAT) {
                throw new DamagedPoliciesException("written by a later version of Signet");
            }
            JsonNode digest = seal.remove(DIGEST);
            List<String> keys = new ArrayList<>();
            seal.fieldNames().forEachRemaining(keys::add);
            if (!keys.equals(KEYS) || !seal.path("version").isIntegralNumber()) {
                throw new DamagedPoliciesException("the seal cannot be read");
            }
            JsonNode by = seal.path("by");
            return new GenerationSeal(
                    seal.toString(),
                    seal.path("version").asLong(),
                    seal.path("records").asInt(),
                    new ChangeOrigin(
                            by.isTextual() ? by.textValue() : null,
                            seal.path("from").asText(),
                            Instant.parse(seal.path("at").asText())),
                    digest == null ? null : digest.asText());
        } catch (JsonProcessingException | DateTimeException e) {
            throw new DamagedPoliciesException("the seal cannot be read");
        }
    }

    /** Returns the document of these records. */
    StoredPolicies open(Records texts) throws IOException {
        if (records < 1 || records > PolicyJournal.MOST_RECORDS) {
            throw new DamagedPoliciesException("the seal says " + records + " records");
        }
        StringBuilder packed = new StringBuilder();
        for (int i = 0; i < records; i++) {
            packed.append(texts.at(i));
        }
        byte[] document = expand(packed.toString());
        if (digest != null && !digest.equals(digest(content, document))) {
            throw new DamagedPoliciesException("they are not those that the seal names");
        }
        return new StoredPolicies(version, new String(document, StandardCharsets.UTF_8), origin);
    }

    private static byte[] compress(byte[] document) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(document);
        }
        return bytes.toByteArray();
    }

    private static byte[] expand(String packed) throws DamagedPoliciesException {
        try (GZIPInputStream gzip =
                new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(packed)))) {
            byte[] document = gzip.readNBytes(LONGEST + 1);
            if (document.length > LONGEST) {
                throw new DamagedPoliciesException("longer than " + LONGEST + " bytes");
            }
            return document;
        } catch (DamagedPoliciesException e) {
            throw e;
        } catch (IOException | IllegalArgumentException e) {
            throw new DamagedPoliciesException("the records cannot be unpacked");
        }
    }
}
