/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.cli.console.Json;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.SegmentOpener;
import org.signetmq.envelope.SignedPolicies;
import org.signetmq.envelope.message.HiddenProperties;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.HomeReader;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;

/**
 * This version reads what each former version wrote. {@code CompatibilityFolder} of the system tests made the files,
 * and {@code CompatibilityIT} there starts a broker with the data of one.
 */
final class CompatibilityTest {
    private static final String VERSIONS = "versions";
    private static final String TEXT = "Zürich, 100 €\r\n";

    @TempDir
    private Path folder;

    static List<Path> versions() throws IOException {
        try (Stream<Path> versions = Files.list(Path.of("../testkit/compatibility"))) {
            return versions.sorted().toList();
        }
    }

    /** Copies a home, with the modes that a working copy of the sources does not have. */
    private Path home(Path version, String name) throws IOException {
        Path home = folder.resolve("signet-home");
        try (Stream<Path> files = Files.walk(version.resolve(name))) {
            for (Path file : files.toList()) {
                Path copy = home.resolve(version.resolve(name).relativize(file).toString());
                Files.copy(file, copy);
                Files.setPosixFilePermissions(
                        copy, PosixFilePermissions.fromString(Files.isDirectory(copy) ? "rwx------" : "rw-------"));
            }
        }
        return home;
    }

    private static JsonNode json(Path file) throws IOException {
        return Json.parse(Files.readString(file));
    }

    @ParameterizedTest
    @MethodSource(VERSIONS)
    void everyEnvelope_opens(Path version) throws IOException {
        Home home = new Home(home(version, "home"));
        PolicySet policies = PolicyFile.read(home.policies(), PartyValidator.acceptAll());
        JsonNode envelopes = json(version.resolve("envelopes.json"));
        assertThat(envelopes).hasSizeGreaterThan(25);
        Map<String, List<Identity>> keysOfReaders = new HashMap<>();
        try (Password password = Password.takeOwnershipOf("correct horse".toCharArray());
                HomeReader reader = home.reader()) {
            for (JsonNode envelope : envelopes) {
                List<Identity> keys = keysOfReaders.computeIfAbsent(
                        envelope.get("reader").asText(),
                        name -> home.identityStore().loadParty(name, password).all());
                try (Opener opener = Opener.create(new Opener.Keys(keys, reader, reader), () -> policies)) {
                    assertOpens(version, envelope, opener);
                }
            }
        }
    }

    private static void assertOpens(Path version, JsonNode expected, Opener opener) throws IOException {
        String name = expected.get("file").asText();
        byte[] envelope = bytes(version.resolve("envelopes").resolve(name));
        String address = expected.get("address").asText();
        boolean large = expected.has("length");
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        OpenedMessage opened;
        if (large) {
            SegmentOpener segments = opener.openSegments(new ByteArrayInputStream(envelope), address);
            opened = segments.transferTo(payload, done -> {});
        } else {
            opened = opener.open(envelope, address);
            payload.writeBytes(opened.payload());
        }

        assertThat(payload.toString(UTF_8))
                .as(name)
                .isEqualTo(large ? "x".repeat(expected.get("length").asInt()) : TEXT);
        assertThat(opened.quality().label())
                .as(name)
                .isEqualTo(expected.get("quality").asText());
        assertThat(opened.signer().orElse(""))
                .as(name)
                .isEqualTo(expected.path("signer").asText());
        if (address.equals("sender.privacy")) {
            assertThat(opened.sender()).contains("Änne 50%");
        }
        if (address.equals("hidden.privacy")) {
            String hidden =
                    opened.entityIfProtected().orElseThrow().properties().getOrDefault(HiddenProperties.KEY, "");
            assertThat(HiddenProperties.decode(hidden)).isEqualTo(Map.of("Account", "DE12", "Amount", 12L));
        }
    }

    private static byte[] bytes(Path file) throws IOException {
        if (!file.toString().endsWith(".gz")) {
            return Files.readAllBytes(file);
        }
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return in.readAllBytes();
        }
    }

    /** Each answer has the fields and the values of the former one, and may have more. */
    @ParameterizedTest
    @MethodSource(VERSIONS)
    void commands_readTheHome_andAnswerAsBefore(Path version) throws IOException {
        home(version, "home");
        CliRun cli = new CliRun(folder);
        JsonNode answers = json(version.resolve("answers.json"));
        assertThat(answers).isNotEmpty();
        for (Map.Entry<String, JsonNode> answer : answers.properties()) {
            JsonNode now = cli.json(answer.getKey() + " --json");
            assertHolds(answer.getKey(), now, answer.getValue());
        }
    }

    private static void assertHolds(String path, JsonNode now, JsonNode before) {
        assertThat(now.getNodeType()).as(path).isEqualTo(before.getNodeType());
        if (before.isObject()) {
            before.properties().forEach(field -> {
                assertThat(now.has(field.getKey()))
                        .as(path + "/" + field.getKey())
                        .isTrue();
                assertHolds(path + "/" + field.getKey(), now.get(field.getKey()), field.getValue());
            });
        } else if (before.isArray()) {
            assertThat(now).as(path).hasSameSizeAs(before);
            for (int i = 0; i < before.size(); i++) {
                assertHolds(path + "/" + i, now.get(i), before.get(i));
            }
        } else {
            assertThat(now).as(path).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @MethodSource(VERSIONS)
    void formerKeyOfTheHome_opensOnTheCommandLine_andAPendingRequestIsCompleted(Path version) throws IOException {
        home(version, "home");
        CliRun cli = new CliRun(folder).input(bytes(version.resolve("envelopes/renewed.privacy.cms")));

        assertThat(cli.out("message open --as renewed --address renewed.privacy"))
                .isEqualTo(TEXT);
        cli.ok(
                "identity sign --issuer root --dn CN=issued,O=Example --out certificate.pem --in signet-home/identities/pending/issued.csr");
        assertThat(cli.out("identity import issued --in certificate.pem")).startsWith("issued: CN=issued,O=Example");
    }

    @ParameterizedTest
    @MethodSource(VERSIONS)
    void bundle_isImported_andItsRecordIsRead(Path version) throws IOException {
        Path bundle = Files.copy(version.resolve("rsa-2048.bundle"), folder.resolve("rsa-2048.bundle"));
        Path signer = Files.copy(version.resolve("home/recipients/ec-p256.pem"), folder.resolve("signer.pem"));
        CliRun unknown = new CliRun(folder);
        Instant created = Instant.parse(unknown.json("bundle show --json " + bundle.getFileName())
                .get("created")
                .asText());
        CliRun cli = new CliRun(folder).clock(Clock.fixed(created.plusSeconds(60), ZoneOffset.UTC));

        cli.ok("bundle import --home new-home rsa-2048.bundle --signed-by " + signer.getFileName());
        home(version, "bundle-home");
        JsonNode again = cli.json("bundle import --json rsa-2048.bundle");

        assertThat(cli.out("policy list --home new-home")).contains("rsa-2048.privacy");
        assertThat(again.get("changed").asBoolean()).as("the signer is known").isFalse();
    }

    @ParameterizedTest
    @MethodSource(VERSIONS)
    void signedPolicies_countForTheOfficersOfTheHome(Path version) throws IOException {
        Path root = home(version, "home");
        Files.copy(root.resolve("recipients/ec-p521.pem"), root.resolve("officer.pem"));
        Home home = new Home(root);

        String json = SignedPolicies.read(version.resolve("signed-policies.pem"), home.officers())
                .json();

        assertThat(PolicyFile.parse(json, PartyValidator.acceptAll()).find("ec-p256.privacy"))
                .isPresent();
        assertThatThrownBy(() -> SignedPolicies.read(home.policies(), home.officers()))
                .isInstanceOf(InvalidPolicyException.class);
    }

    /** A client starts with this file while its broker is away. */
    @ParameterizedTest
    @MethodSource(VERSIONS)
    void policiesThatAClientFetched_areRead(Path version) throws IOException {
        String json = SignedPolicies.read(version.resolve("consumer-home/fetched-policies"), List.of())
                .json();

        PolicySet fetched = PolicyFile.parse(json, PartyValidator.acceptAll());
        assertThat(fetched.policies().stream().map(Policy::pattern)).contains("orders", "cards", "letters", "prices");
    }
}
