/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Security;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.cms.CMSAlgorithm;
import org.bouncycastle.cms.CMSAuthEnvelopedDataGenerator;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.jcajce.JceCMSContentEncryptorBuilder;
import org.bouncycastle.cms.jcajce.JceKeyTransRecipientInfoGenerator;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.OutputAEADEncryptor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;

/** Checks the vectors and the commands in {@code docs/format.md}. */
final class FormatDocumentTest {
    private static final HexFormat HEX = HexFormat.of();

    @TempDir
    static Path folder;

    private static FormatDocument document;
    private static FixedParties parties;

    @BeforeAll
    static void readDocument() throws IOException {
        document = FormatDocument.read();
        for (FormatDocument.Block pem : document.blocks("pem")) {
            Files.writeString(folder.resolve(pem.name()), pem.text());
        }
        for (FormatDocument.Block vector : document.blocks("vector")) {
            Files.write(folder.resolve(vector.name() + ".der"), hex(vector.fields(), "envelope"));
        }
        for (Map.Entry<String, List<FormatDocument.Block>> message :
                document.largeMessages().entrySet()) {
            Files.write(folder.resolve(message.getKey() + ".der"), row(message.getValue()));
        }
        parties = new FixedParties(folder);
    }

    private static byte[] row(List<FormatDocument.Block> segments) {
        ByteArrayOutputStream row = new ByteArrayOutputStream();
        segments.forEach(segment -> row.writeBytes(hex(segment.fields(), "envelope")));
        return row.toByteArray();
    }

    private static byte[] hex(Map<String, String> fields, String name) {
        return HEX.parseHex(field(fields, name));
    }

    private static String field(Map<String, String> fields, String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalStateException("docs/format.md: a vector without " + name);
        }
        return value;
    }

    private static QualityOfProtection quality(Map<String, String> fields) {
        return QualityOfProtection.named(field(fields, "quality")).orElseThrow();
    }

    private static RequiredKeys required(Map<String, String> fields) {
        return RequiredKeys.valueOf(fields.getOrDefault("require", "either").toUpperCase(Locale.ROOT));
    }

    static Stream<FormatDocument.Block> vectors() throws IOException {
        return FormatDocument.read().blocks("vector").stream();
    }

    static Stream<Map.Entry<String, List<FormatDocument.Block>>> largeMessages() throws IOException {
        return FormatDocument.read().largeMessages().entrySet().stream();
    }

    static Stream<FormatDocument.Block> segments() throws IOException {
        return FormatDocument.read().blocks("segment").stream();
    }

    static Stream<FormatDocument.Block> rejectedRows() throws IOException {
        return FormatDocument.read().blocks("rejected-row").stream();
    }

    static Stream<FormatDocument.Block> rejections() throws IOException {
        return FormatDocument.read().blocks("rejected").stream();
    }

    static Stream<FormatDocument.Block> rejectedHeaders() throws IOException {
        return FormatDocument.read().blocks("rejected-header").stream();
    }

    static Stream<FormatDocument.Block> commands() throws IOException {
        return FormatDocument.read().blocks("sh").stream();
    }

    @Test
    void document_hasVectorsOfEachQualityAndKey() throws IOException {
        assertThat(vectors().map(FormatDocument.Block::name))
                .containsExactlyInAnyOrder(
                        "integrity-p256",
                        "integrity-rsa2048",
                        "integrity-shared-p256",
                        "integrity-mldsa65",
                        "confidentiality-p256",
                        "confidentiality-rsa2048",
                        "confidentiality-mlkem768",
                        "authenticity-p256",
                        "privacy-p256",
                        "privacy-rsa2048",
                        "privacy-both");
        assertThat(rejections()).hasSizeGreaterThan(20);
        assertThat(rejectedHeaders()).hasSizeGreaterThan(8);
        assertThat(commands()).hasSize(9);
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void vector_opensToItsPayload(FormatDocument.Block vector) throws Exception {
        Map<String, String> fields = vector.fields();
        String identity = field(fields, "identity");
        PolicySet policies = FixedParties.policies(quality(fields), identity, List.of(identity), required(fields));

        try (Opener opener = parties.opener(identity, policies, FixedParties.NOW)) {
            OpenedMessage opened = opener.open(hex(fields, "envelope"), FixedParties.ADDRESS);
            assertThat(opened.payload()).isEqualTo(hex(fields, "payload"));
            assertThat(opened.quality()).isEqualTo(quality(fields));
            assertThat(opened.proof().isPresent()).isEqualTo(quality(fields).provesSender());
            assertThat(Parties.entity(opener, hex(fields, "envelope"), FixedParties.ADDRESS))
                    .isEqualTo(hex(fields, "entity"));
        }
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void vector_intermediateValuesAreThoseOfTheStandards(FormatDocument.Block vector) throws Exception {
        Map<String, String> fields = vector.fields();
        String identity = field(fields, "identity");

        Map<String, byte[]> computed = Intermediates.of(hex(fields, "envelope"), parties, identity);

        Map<String, String> stated = new LinkedHashMap<>(fields);
        stated.keySet().removeAll(List.of("quality", "require", "identity", "payload", "envelope"));
        Map<String, String> expected = new LinkedHashMap<>();
        computed.forEach((name, value) -> expected.put(name, HEX.formatHex(value)));
        assertThat(stated).isEqualTo(expected);
        assertThat(field(fields, "entity")).endsWith("0d0a0d0a" + field(fields, "payload"));
    }

    @Test
    void document_hasLargeMessagesOfSeveralSegments() throws IOException {
        assertThat(document.largeMessages().keySet())
                .containsExactly("large-confidentiality-p256", "large-privacy-p256");
        assertThat(largeMessages())
                .allSatisfy(message -> assertThat(message.getValue()).hasSize(3));
        assertThat(rejectedRows()).hasSizeGreaterThan(5);
    }

    @ParameterizedTest
    @MethodSource("largeMessages")
    void largeMessage_opensToItsPayload(Map.Entry<String, List<FormatDocument.Block>> message) throws Exception {
        byte[] payload = HEX.parseHex(message.getValue().stream()
                .map(segment -> field(segment.fields(), "payload"))
                .collect(Collectors.joining()));

        try (Opener opener = openerOf(message.getValue().get(0).fields())) {
            byte[] row = row(message.getValue());
            assertThat(opener.open(row, FixedParties.ADDRESS).payload()).isEqualTo(payload);
            SegmentOpener parts = opener.openSegments(new ByteArrayInputStream(row), FixedParties.ADDRESS);
            for (FormatDocument.Block segment : message.getValue()) {
                assertThat(parts.next().orElseThrow().payload()).isEqualTo(hex(segment.fields(), "payload"));
            }
            assertThat(parts.next()).isEmpty();
        }
    }

    private static Opener openerOf(Map<String, String> fields) throws Exception {
        String identity = field(fields, "identity");
        return parties.opener(
                identity, FixedParties.policies(quality(fields), identity, List.of(identity)), FixedParties.NOW);
    }

    @ParameterizedTest
    @MethodSource("segments")
    void segment_intermediateValuesAreThoseOfTheStandards(FormatDocument.Block segment) throws Exception {
        Map<String, String> fields = segment.fields();
        String identity = field(fields, "identity");

        Map<String, byte[]> computed = Intermediates.of(hex(fields, "envelope"), parties, identity);

        for (String name : List.of("cek", "nonce", "tag", "entity")) {
            assertThat(computed.get(name)).as(name).isEqualTo(hex(fields, name));
        }
        assertThat(field(fields, "entity")).endsWith("0d0a0d0a" + field(fields, "payload"));
    }

    @ParameterizedTest
    @MethodSource("rejectedRows")
    void rejectedRow_isMalformed(FormatDocument.Block rejection) throws Exception {
        Map<String, String> fields = rejection.fields();
        List<FormatDocument.Block> segments = Stream.of(
                        field(fields, "segments").split(" "))
                .map(name -> document.block("segment", name.replace('/', ' ')))
                .toList();

        try (Opener opener = openerOf(segments.get(0).fields())) {
            assertThatThrownBy(() -> opener.open(row(segments), FixedParties.ADDRESS))
                    .isInstanceOf(EnvelopeException.class)
                    .extracting(thrown -> thrown.getClass().getSimpleName())
                    .isEqualTo(field(fields, "expect"));
        }
    }

    @ParameterizedTest
    @MethodSource("rejections")
    void rejection_isOfTheStatedType(FormatDocument.Block rejection) throws Exception {
        Map<String, String> fields = new HashMap<>(rejection.fields());
        if (fields.containsKey("from")) {
            Map<String, String> base =
                    document.block("vector", field(fields, "from")).fields();
            base.forEach(fields::putIfAbsent);
        }
        String identity = fields.getOrDefault("identity", FixedParties.NAMES.get(0));
        String signers = fields.get("signers");
        RequiredKeys required = required(fields);
        if (signers == null && required == RequiredKeys.BOTH) {
            signers = identity;
        }
        PolicySet named = FixedParties.policies(
                quality(fields), identity, signers == null ? List.of() : List.of(signers), required);
        String address = fields.getOrDefault("address", FixedParties.ADDRESS);
        PolicySet policies = FixedParties.covering(address, named);
        Instant now = Instant.parse(fields.getOrDefault("now", FixedParties.NOW.toString()));

        try (Opener opener = parties.opener(fields.getOrDefault("opener", identity), policies, now)) {
            assertThatThrownBy(() -> opener.open(changed(fields), address))
                    .isInstanceOf(EnvelopeException.class)
                    .extracting(thrown -> thrown.getClass().getSimpleName())
                    .isEqualTo(field(fields, "expect"));
        }
    }

    static byte[] changed(Map<String, String> fields) {
        if (fields.containsKey("bytes")) {
            return hex(fields, "bytes");
        }
        String envelope = field(fields, "envelope");
        if (fields.containsKey("replace")) {
            String[] values = field(fields, "replace").split(" ", 2);
            assertThat(envelope).contains(values[0]);
            envelope = envelope.replaceFirst(values[0], values[1]);
        }
        envelope += fields.getOrDefault("append", "");
        byte[] bytes = HEX.parseHex(envelope);
        if (fields.containsKey("flip")) {
            int offset = Integer.parseInt(field(fields, "flip"));
            bytes[offset < 0 ? bytes.length + offset : offset] ^= 1;
        }
        return Arrays.copyOf(bytes, bytes.length - Integer.parseInt(fields.getOrDefault("cut", "0")));
    }

    @Test
    void headerInAnotherOrder_isRead() throws Exception {
        byte[] envelope = encrypted(document.block("header", "other-order"));

        OpenedMessage opened = open(envelope);

        assertThat(opened.payload()).isEqualTo("payload".getBytes(US_ASCII));
        assertThat(opened.entityIfProtected().orElseThrow().contentType()).isEqualTo("application/octet-stream");
    }

    @ParameterizedTest
    @MethodSource("rejectedHeaders")
    void rejectedHeader_isMalformed(FormatDocument.Block header) throws Exception {
        byte[] envelope = encrypted(header);

        assertThatThrownBy(() -> open(envelope)).isInstanceOf(MalformedEnvelopeException.class);
    }

    private static OpenedMessage open(byte[] envelope) throws Exception {
        PolicySet policies = FixedParties.policies(QualityOfProtection.CONFIDENTIALITY, "test-rsa2048", List.of());
        try (Opener opener = parties.opener("test-rsa2048", policies, FixedParties.NOW)) {
            return opener.open(envelope, FixedParties.ADDRESS);
        }
    }

    /** Encrypts an entity of this header with Bouncy Castle. */
    private static byte[] encrypted(FormatDocument.Block header) throws Exception {
        String entity = String.join("\r\n", header.lines()) + "\r\n\r\npayload";
        BouncyCastleProvider provider = new BouncyCastleProvider();
        assertThat(Security.getProvider(provider.getName())).isNull();
        CMSAuthEnvelopedDataGenerator generator = new CMSAuthEnvelopedDataGenerator();
        generator.addRecipientInfoGenerator(new JceKeyTransRecipientInfoGenerator(
                        parties.certificate("test-rsa2048"), AlgorithmIdentifier.getInstance(Oids.OAEP_SHA_256))
                .setProvider(provider));
        OutputAEADEncryptor encryptor = (OutputAEADEncryptor) new JceCMSContentEncryptorBuilder(CMSAlgorithm.AES256_GCM)
                .setProvider(provider)
                .build();
        return generator
                .generate(new CMSProcessableByteArray(entity.getBytes(US_ASCII)), encryptor)
                .getEncoded();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void opensslCommand_worksAsWritten(FormatDocument.Block command) throws Exception {
        Files.write(
                folder.resolve("entity"),
                hex(document.block("vector", "privacy-p256").fields(), "entity"));
        Path log = folder.resolve("sh.log");
        Process process = new ProcessBuilder("sh", "-e", "-c", command.text())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();

        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();

        assertThat(process.exitValue()).as(Files.readString(log)).isZero();
        String result = command.name().toLowerCase(Locale.ROOT);
        switch (result) {
            case "integrity" -> assertEntity("integrity-p256");
            case "shared" -> assertEntity("integrity-shared-p256");
            case "confidentiality" -> assertEntity("confidentiality-p256");
            case "authenticity" -> assertEntity("authenticity-p256");
            case "privacy" -> assertEntity("privacy-rsa2048");
            case "payload", "segments", "signed-segments" ->
                assertThat(folder.resolve("payload")).hasBinaryContent("Zürich, 100 €\r\n".getBytes(UTF_8));
            case "seal" -> assertSealedByOpensslOpens();
            default -> throw new IllegalStateException("docs/format.md: unknown commands " + result);
        }
    }

    private static void assertEntity(String vector) {
        assertThat(folder.resolve("entity"))
                .hasBinaryContent(hex(document.block("vector", vector).fields(), "entity"));
    }

    private static void assertSealedByOpensslOpens() throws Exception {
        PolicySet policies = FixedParties.policies(QualityOfProtection.PRIVACY, "test-p256", List.of("test-p256"));
        try (Opener opener = parties.opener("test-p256", policies, FixedParties.NOW)) {
            byte[] sealed = Files.readAllBytes(folder.resolve("sealed.der"));
            assertThat(opener.open(sealed, FixedParties.ADDRESS).quality()).isEqualTo(QualityOfProtection.PRIVACY);
        }
    }
}
