/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;

/** The vectors for readers in other languages are those of the document, and this reader passes them. */
final class VectorFilesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static FixedParties parties;

    @BeforeAll
    static void writeKeys() throws IOException {
        for (FormatDocument.Block pem : FormatDocument.read().blocks("pem")) {
            Files.writeString(folder.resolve(pem.name()), pem.text());
        }
        parties = new FixedParties(folder);
    }

    @Test
    void vectors_areThoseOfTheDocument() throws IOException {
        FormatDocument document = FormatDocument.read();

        assertThat(VectorFiles.read("identities")).isEqualTo(nodes(VectorFiles.identities(document)));
        assertThat(VectorFiles.read("accepted")).isEqualTo(nodes(VectorFiles.accepted(document)));
        assertThat(VectorFiles.read("rejected")).isEqualTo(nodes(VectorFiles.rejected(document)));
        assertThat(VectorFiles.read("headers").stream()
                        .map(header -> header.get("name").textValue()))
                .containsExactlyElementsOf(Stream.of(document.blocks("header"), document.blocks("rejected-header"))
                        .flatMap(List::stream)
                        .map(FormatDocument.Block::name)
                        .toList());
        assertThat(VectorFiles.read("attacks")).hasSizeGreaterThan(250);
    }

    private static List<ObjectNode> nodes(ArrayNode array) {
        return Stream.iterate(0, i -> i + 1)
                .limit(array.size())
                .map(i -> (ObjectNode) array.get(i))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"accepted", "rejected", "headers", "attacks", "hostile"})
    void eachCase_hasItsStatedEnd(String file) throws Exception {
        for (ObjectNode one : VectorFiles.read(file)) {
            String address = text(one, "address", FixedParties.ADDRESS);
            byte[] envelope = VectorFiles.envelope(one);
            try (Opener opener = opener(one, address)) {
                if (!one.has("expect")) {
                    byte[] payload = opener.open(envelope, address).payload();
                    if (one.has("payload")) {
                        assertThat(payload)
                                .as(name(one))
                                .isEqualTo(HexFormat.of().parseHex(text(one, "payload", "")));
                    }
                } else {
                    assertThatThrownBy(() -> opener.open(envelope, address))
                            .as(name(one))
                            .isInstanceOf(EnvelopeException.class)
                            .extracting(thrown -> thrown.getClass().getSimpleName())
                            .isEqualTo(text(one, "expect", ""));
                }
            }
        }
    }

    private static String name(ObjectNode one) {
        return text(one, "name", "");
    }

    private static String text(ObjectNode one, String field, String other) {
        return one.has(field) ? one.get(field).textValue() : other;
    }

    private static Opener opener(ObjectNode one, String address) throws Exception {
        String identity = text(one, "identity", FixedParties.NAMES.get(0));
        RequiredKeys required =
                RequiredKeys.valueOf(text(one, "require", "either").toUpperCase(Locale.ROOT));
        String signers = text(one, "signers", required == RequiredKeys.BOTH ? identity : "");
        QualityOfProtection quality =
                QualityOfProtection.named(text(one, "quality", "")).orElseThrow();
        PolicySet policies = FixedParties.covering(
                address,
                FixedParties.policies(quality, identity, signers.isEmpty() ? List.of() : List.of(signers), required));
        Instant now = Instant.parse(text(one, "now", FixedParties.NOW.toString()));
        if (one.has("trusted")) {
            return openerThatTrusts(text(one, "trusted", ""), policies, now);
        }
        return parties.opener(text(one, "opener", identity), policies, now);
    }

    private static Opener openerThatTrusts(String pem, PolicySet policies, Instant now) throws Exception {
        X509Certificate certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
        Home home = new Home(Files.createTempDirectory(folder, "home"));
        ForgedCertificates.pin(home, "signer", certificate);
        return Opener.create(
                new Opener.Keys(List.of(), home.recipientDirectory(), home.certificateTrust()),
                () -> policies,
                Clock.fixed(now, ZoneOffset.UTC));
    }
}
