/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.testkit.Pkits;
import org.signetmq.testkit.Tier;
import org.signetmq.testkit.Vectors;

/**
 * Verifies the signed S/MIME messages of NIST's suite. They are detached and carry revocation lists, so Signet rejects
 * their form. With the content put in and the lists in the home, each is accepted as its path is.
 */
@Tag(Tier.LONG)
final class PkitsMessagesTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-20T12:00:00Z"), ZoneOffset.UTC);

    /** The suite's DSA signs digests of SHA-1, which Signet rejects before it sees the key. */
    private static final String SHA_1 = "unsupported digest algorithm";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    /** A message as it is, and in the form of Signet. */
    private record Message(String name, byte[] original, byte[] attached) {
        static Message of(Path file) {
            try {
                String[] parts = Files.readString(file, StandardCharsets.ISO_8859_1)
                        .replace("\r\n", "\n")
                        .split("\n?--+[0-9A-F]{32}(--)?\n", -1);
                byte[] content = parts[1].replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
                byte[] original = Base64.getMimeDecoder().decode(parts[2].substring(parts[2].indexOf("\n\n")));
                DerNode signed = DerNode.parse(original);
                List<DerNode> fields = signed.child(1, 0).children();
                fields.removeIf(field -> field.tag() == DerReader.constructed(1)); // the revocation lists
                fields.get(2)
                        .children()
                        .add(DerNode.constructed(
                                DerReader.constructed(0), DerNode.primitive(DerReader.OCTET_STRING, content)));
                String name = file.getFileName().toString();
                return new Message(
                        Pkits.plain(name.substring("Signed".length(), name.length() - 4)), original, signed.encoded());
            } catch (Exception unreadable) {
                throw new IllegalStateException(file.toString(), unreadable);
            }
        }
    }

    private static List<Message> messages() throws Exception {
        try (Stream<Path> files = Files.list(Vectors.path("pkits/smime"))) {
            return files.sorted().map(Message::of).toList();
        }
    }

    @Test
    void message_isAcceptedAsItsPathIs() throws Exception {
        Map<String, Pkits.Test> tests = Pkits.tests().stream()
                .collect(Collectors.toMap(Pkits.Test::name, Function.identity(), (first, further) -> first));
        SoftAssertions all = new SoftAssertions();
        List<Message> messages = messages();
        for (Message message : messages) {
            Pkits.Test test = Objects.requireNonNull(tests.get(message.name()));
            all.assertThat(rejection(message, test))
                    .as(test.id() + " " + test.name())
                    .matches(text -> text.isEmpty() == test.isAccepted(), "accepted " + test.isAccepted())
                    .contains(test.rejection().contains("1.2.840.10040.4.1") ? SHA_1 : test.rejection());
            assertThatThrownBy(() -> SignedDocument.verify(message.original(), trusting(test), CLOCK))
                    .isExactlyInstanceOf(MalformedEnvelopeException.class);
        }
        all.assertAll();
        assertThat(messages).hasSize(224);
    }

    private String rejection(Message message, Pkits.Test test) throws Exception {
        try {
            SignedDocument unused = SignedDocument.verify(message.attached(), trusting(test), CLOCK);
            return "";
        } catch (EnvelopeException rejected) {
            return String.valueOf(rejected.getMessage());
        }
    }

    private CertificateTrust trusting(Pkits.Test test) throws Exception {
        Home home = new Home(folder.resolve(test.id().replace('/', '-')));
        Path anchor = home.trust().resolve("anchor.pem");
        if (Files.notExists(anchor)) {
            Files.createDirectories(home.trust());
            Files.createDirectories(home.crl());
            String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'})
                    .encodeToString(Files.readAllBytes(test.certificates().get(0)));
            Files.writeString(anchor, "-----BEGIN CERTIFICATE-----\n" + base64 + "\n-----END CERTIFICATE-----\n");
            for (Path list : test.lists()) {
                Files.copy(list, home.crl().resolve(list.getFileName()));
            }
            Files.writeString(home.trustSettings(), "{\"schema\": 1, \"revocation\": {\"fail\": \"hard\"}}");
        }
        return home.certificateTrust();
    }
}
