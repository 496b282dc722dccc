/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.temporal.ChronoUnit.SECONDS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.params.provider.Arguments;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.NotARecipientException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;

/**
 * The vectors of {@code docs/format.md} and attacks of the tests as JSON, for readers in other languages. {@code main}
 * writes the files, from the top of the module; it is run by hand when the format changes, with a new folder as its
 * argument. Each file is a list of cases, which {@code README.md} beside them describes.
 */
final class VectorFiles {
    static final Path FOLDER = Path.of("src", "test", "resources", "vectors");

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final int LONG_ENVELOPE = 10_000;
    private static final int HOSTILE_LENGTH = 1 << 16;

    private VectorFiles() {}

    public static void main(String[] arguments) throws Exception {
        Path keys = Path.of(arguments[0]);
        FormatDocument document = FormatDocument.read();
        Files.createDirectories(FOLDER);
        write("identities", identities(document));
        write("accepted", accepted(document));
        write("rejected", rejected(document));
        write("attacks", attacks(keys));
        write("headers", headers(keys));
        write("hostile", hostile(keys));
    }

    private static void write(String name, JsonNode cases) throws IOException {
        Files.writeString(FOLDER.resolve(name + ".json"), JSON.writeValueAsString(cases) + "\n");
    }

    static List<ObjectNode> read(String name) throws IOException {
        ArrayNode cases =
                (ArrayNode) JSON.readTree(FOLDER.resolve(name + ".json").toFile());
        return Arrays.asList(JSON.convertValue(cases, ObjectNode[].class));
    }

    /** The bytes to open: in hexadecimal, or zlib data in base64 if they are long. */
    static byte[] envelope(ObjectNode from) throws IOException {
        if (from.has("envelope")) {
            return HexFormat.of().parseHex(from.get("envelope").textValue());
        }
        byte[] deflated = Base64.getDecoder().decode(from.get("envelope-zlib").textValue());
        try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(deflated))) {
            return in.readAllBytes();
        }
    }

    static ArrayNode identities(FormatDocument document) {
        ArrayNode all = JSON.createArrayNode();
        for (FormatDocument.Block key : document.blocks("pem")) {
            if (key.name().endsWith(".key")) {
                String name = key.name().substring(0, key.name().length() - ".key".length());
                boolean isAlone = FixedParties.NAMES.contains(name);
                all.addObject()
                        .put("name", name)
                        .put("party", isAlone ? name : FixedParties.NAMES.get(0) + ".pq")
                        .put("key", key.text())
                        .put("certificate", document.block("pem", name + ".pem").text());
            }
        }
        return all;
    }

    static ArrayNode accepted(FormatDocument document) {
        ArrayNode all = JSON.createArrayNode();
        for (FormatDocument.Block vector : document.blocks("vector")) {
            ObjectNode one = all.addObject().put("name", vector.name());
            vector.fields().forEach(one::put);
        }
        document.largeMessages().forEach((name, segments) -> {
            StringBuilder payload = new StringBuilder();
            StringBuilder envelope = new StringBuilder();
            for (FormatDocument.Block segment : segments) {
                payload.append(segment.fields().get("payload"));
                envelope.append(segment.fields().get("envelope"));
            }
            Map<String, String> fields = segments.get(0).fields();
            all.addObject()
                    .put("name", name)
                    .put("quality", fields.get("quality"))
                    .put("identity", fields.get("identity"))
                    .put("payload", payload.toString())
                    .put("envelope", envelope.toString());
        });
        return all;
    }

    static ArrayNode rejected(FormatDocument document) {
        ArrayNode all = JSON.createArrayNode();
        for (FormatDocument.Block rejection : document.blocks("rejected")) {
            Map<String, String> fields = new LinkedHashMap<>();
            if (rejection.fields().containsKey("from")) {
                Map<String, String> base = document.block(
                                "vector", rejection.fields().getOrDefault("from", ""))
                        .fields();
                for (String name : List.of("quality", "require", "identity", "envelope")) {
                    if (base.containsKey(name)) {
                        fields.put(name, base.getOrDefault(name, ""));
                    }
                }
            }
            fields.putAll(rejection.fields());
            ObjectNode one = all.addObject().put("name", rejection.name());
            for (String name : List.of("quality", "require", "identity", "opener", "signers", "address", "now")) {
                if (fields.containsKey(name)) {
                    one.put(name, fields.get(name));
                }
            }
            one.put("envelope", HexFormat.of().formatHex(FormatDocumentTest.changed(fields)))
                    .put("expect", fields.get("expect"));
        }
        for (FormatDocument.Block row : document.blocks("rejected-row")) {
            StringBuilder envelope = new StringBuilder();
            Map<String, String> first = Map.of();
            for (String name : row.fields().getOrDefault("segments", "").split(" ", -1)) {
                Map<String, String> segment =
                        document.block("segment", name.replace('/', ' ')).fields();
                first = first.isEmpty() ? segment : first;
                envelope.append(segment.get("envelope"));
            }
            all.addObject()
                    .put("name", row.name())
                    .put("quality", first.get("quality"))
                    .put("identity", first.get("identity"))
                    .put("envelope", envelope.toString())
                    .put("expect", row.fields().get("expect"));
        }
        return all;
    }

    private static ArrayNode attacks(Path folder) throws Exception {
        ArrayNode all = JSON.createArrayNode();
        for (CmsAttackTest.Attack attack : CmsAttackTest.all(folder)) {
            ObjectNode one = all.addObject()
                    .put("name", attack.name())
                    .put("quality", attack.from().quality())
                    .put("identity", attack.from().identity());
            putEnvelope(one, attack.envelope());
            one.put("expect", attack.rejection().getSimpleName());
        }
        try (Parties parties = SharedSignatureAttackTest.parties) {
            String certificate = pem(parties.identity("alice").certificate());
            for (Arguments each : SharedSignatureAttackTest.malformed().toList()) {
                ObjectNode one = all.addObject()
                        .put("name", "shared signature: " + each.get()[0])
                        .put("quality", "integrity")
                        .put("trusted", certificate)
                        .put(
                                "now",
                                Instant.now()
                                        .plusSeconds(600)
                                        .truncatedTo(SECONDS)
                                        .toString());
                putEnvelope(one, (byte[]) each.get()[1]);
                one.put("expect", "MalformedEnvelopeException");
            }
        }
        return all;
    }

    private static String pem(X509Certificate certificate) throws CertificateEncodingException {
        return "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded())
                + "\n-----END CERTIFICATE-----\n";
    }

    private static ArrayNode headers(Path folder) throws Exception {
        ArrayNode all = JSON.createArrayNode();
        EnvelopeForge forge = new EnvelopeForge(folder);
        for (FormatDocument.Block header : FormatDocument.read().blocks("header")) {
            putHeader(all, forge, header).put("payload", HexFormat.of().formatHex("payload".getBytes(UTF_8)));
        }
        for (FormatDocument.Block header : FormatDocument.read().blocks("rejected-header")) {
            putHeader(all, forge, header).put("expect", "MalformedEnvelopeException");
        }
        return all;
    }

    private static ObjectNode putHeader(ArrayNode all, EnvelopeForge forge, FormatDocument.Block header)
            throws IOException {
        ObjectNode one = all.addObject()
                .put("name", header.name())
                .put("quality", "confidentiality")
                .put("identity", "test-rsa2048");
        String entity = String.join("\r\n", header.lines()) + "\r\n\r\npayload";
        putEnvelope(one, forge.encrypted(forge.template("confidentiality", "test-rsa2048"), entity.getBytes(US_ASCII)));
        return one;
    }

    private static ArrayNode hostile(Path folder) throws Exception {
        ArrayNode all = JSON.createArrayNode();
        EnvelopeForge forge = new EnvelopeForge(folder);
        for (HostileEnvelopes.Attack attack : new HostileEnvelopes(forge).all()) {
            ObjectNode one = all.addObject().put("name", attack.name());
            byte[] envelope = attack.ofLength(HOSTILE_LENGTH);
            putEnvelope(one, envelope);
            putEnd(one, forge.parties(), envelope);
        }
        return all;
    }

    /** Puts the identity and quality by which an envelope opens, or the most telling rejection. */
    private static void putEnd(ObjectNode one, FixedParties parties, byte[] envelope) throws Exception {
        for (String identity : FixedParties.NAMES) {
            for (String name : List.of("integrity", "privacy", "confidentiality")) {
                QualityOfProtection quality = QualityOfProtection.named(name).orElseThrow();
                PolicySet policies = FixedParties.policies(quality, identity, List.of());
                try (Opener opener = parties.opener(identity, policies, FixedParties.NOW)) {
                    opener.open(envelope, FixedParties.ADDRESS);
                    one.remove("expect");
                    one.put("quality", name).put("identity", identity);
                    return;
                } catch (NotARecipientException | PolicyViolationException other) {
                    putRejection(one, name, identity, other, !one.has("expect"));
                } catch (EnvelopeException rejected) {
                    putRejection(one, name, identity, rejected, true);
                }
            }
        }
    }

    private static void putRejection(
            ObjectNode one, String quality, String identity, EnvelopeException rejection, boolean tellsMore) {
        if (tellsMore) {
            one.put("quality", quality).put("identity", identity);
            one.put("expect", rejection.getClass().getSimpleName());
        }
    }

    private static void putEnvelope(ObjectNode into, byte[] envelope) throws IOException {
        if (envelope.length < LONG_ENVELOPE) {
            into.put("envelope", HexFormat.of().formatHex(envelope));
            return;
        }
        ByteArrayOutputStream deflated = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(deflated, new Deflater(9))) {
            out.write(envelope);
        }
        into.put("envelope-zlib", new String(Base64.getEncoder().encode(deflated.toByteArray()), UTF_8));
    }
}
