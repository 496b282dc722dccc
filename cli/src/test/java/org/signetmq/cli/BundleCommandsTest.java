/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;
import org.signetmq.envelope.SignedDocument;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.home.PolicyCertificates;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.testkit.Certificates;
import org.signetmq.testkit.Openssl;
import org.signetmq.testkit.Tier;

/** Attacks on bundles on their way from the home of a broker to that of a consumer; the transcript shows their use. */
final class BundleCommandsTest {
    @TempDir
    private Path folder;

    private Path brokerFolder;
    private Path consumerFolder;
    private CliRun broker;
    private CliRun consumer;

    @BeforeEach
    void makeHomes() throws IOException {
        brokerFolder = Files.createDirectory(folder.resolve("broker"));
        consumerFolder = Files.createDirectory(folder.resolve("consumer"));
        broker = new CliRun(brokerFolder);
        consumer = new CliRun(consumerFolder);
        broker.given("identity create broker --dn CN=broker,O=Example");
        consumer.given("identity create alice --dn CN=alice,O=Example");
        Files.copy(home(consumerFolder).recipients().resolve("alice.pem"), aliceAtTheBroker("recipients"));
        Files.copy(home(consumerFolder).trust().resolve("alice.pem"), aliceAtTheBroker("trust"));
        broker.ok("policy set orders.# --quality privacy --recipient alice --signer broker");
    }

    private Path aliceAtTheBroker(String kind) {
        return home(brokerFolder).root().resolve(kind).resolve("alice.pem");
    }

    private static Home home(Path of) {
        return new Home(of.resolve("signet-home"));
    }

    private Path export(String name, String... more) throws IOException {
        String[] command = Stream.concat(
                        Stream.of("bundle", "export", "--as", "broker", "--out", name),
                        more.length == 0 ? Stream.of("--address", "orders.#") : Stream.of(more))
                .toArray(String[]::new);
        broker.ok(command);
        return carry(name);
    }

    private Path carry(String name) throws IOException {
        return Files.copy(brokerFolder.resolve(name), consumerFolder.resolve(name));
    }

    private String fingerprint() throws Exception {
        return fingerprint(home(brokerFolder).recipients().resolve("broker.pem"));
    }

    private static String fingerprint(Path certificate) throws Exception {
        byte[] der = Pem.readCertificates(certificate).get(0).getEncoded();
        return HexFormat.ofDelimiter(":")
                .withUpperCase()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(der));
    }

    private Result importing(String name, String... more) {
        return consumer.run(Stream.concat(Stream.of("bundle", "import", name), Stream.of(more))
                .toArray(String[]::new));
    }

    private void imported(String name, String... more) {
        Result result = importing(name, more);
        assertThat(result.exitCode()).as(result.err()).isZero();
    }

    private Identity brokerIdentity() {
        return identity("broker");
    }

    private Identity identity(String name) {
        try (Password password = Password.takeOwnershipOf("correct horse".toCharArray())) {
            return home(brokerFolder).identityStore().load(name, password);
        }
    }

    private JsonNode document(Path bundle) throws IOException {
        return Json.parse(new String(opened(Files.readAllBytes(bundle)).content(), StandardCharsets.UTF_8));
    }

    private SignedDocument opened(byte[] bundle) {
        Identity identity = brokerIdentity();
        return SignedDocument.verify(bundle, home(brokerFolder).trustIn(identity.certificate()), Clock.systemUTC());
    }

    /** Signs a document with the right key, though no export would write it. */
    private void sign(String name, String document) throws IOException {
        Files.write(
                consumerFolder.resolve(name),
                SignedDocument.sign(document.getBytes(StandardCharsets.UTF_8), brokerIdentity(), Clock.systemUTC()));
    }

    /** Signs an export after a change. */
    private void signChanged(String name, Consumer<ObjectNode> change) throws IOException {
        Path original = consumerFolder.resolve("original.bundle");
        ObjectNode json = (ObjectNode) document(Files.exists(original) ? original : export("original.bundle"));
        change.accept(json);
        sign(name, json.toString());
    }

    private Map<String, String> content(Path of) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(home(of).root())) {
            for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
                String name = home(of).root().relativize(file).toString();
                if (!name.endsWith(".lock")) {
                    files.put(name, Base64.getEncoder().encodeToString(Files.readAllBytes(file)));
                }
            }
        }
        return files;
    }

    private void assertRefused(String name, String why, String... more) throws IOException {
        Map<String, String> before = content(consumerFolder);
        Result result = importing(name, more);
        assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err()).contains(why);
        assertThat(content(consumerFolder)).isEqualTo(before);
    }

    @Test
    void bundle_hasOnlyWhatItsPoliciesNeed_andNoPrivateKey() throws Exception {
        broker.ok("identity create feed --dn CN=feed");
        broker.ok("policy set prices --quality integrity --signer CN=feed");
        broker.ok("policy set cards --quality confidentiality --recipient alice");

        JsonNode orders = document(export("orders.bundle"));
        JsonNode prices = document(export("prices.bundle", "--address", "prices"));
        JsonNode cards = document(export("cards.bundle", "--address", "cards"));

        assertThat(orders.findValuesAsText("name")).containsExactly("broker", "broker");
        assertThat(prices.findValuesAsText("name")).containsExactly("feed", "feed");
        assertThat(cards.findValuesAsText("name")).isEmpty();
        assertThat(orders.at("/policies/policies")).hasSize(1);
        assertThat(orders.toString()).doesNotContainIgnoringCase("private");
    }

    /** Policies of a home may bring certificates. A bundle hands over those that its consumer needs, as files. */
    @Test
    void certificatesOfThePolicies_areHandedOverAsFiles_andCountInNoOtherWay() throws Exception {
        broker.ok("identity create feed --dn CN=feed");
        broker.ok("policy set prices --quality integrity --signer feed");
        Path file = home(brokerFolder).recipients().resolve("feed.pem");
        String certificate = PolicyCertificates.text(Pem.readCertificates(file));
        Files.delete(file);
        String other = PolicyCertificates.text(Pem.readCertificates(aliceAtTheBroker("recipients")));
        Path policies = home(brokerFolder).policies();
        PolicySet set = PolicyFile.read(policies, PartyValidator.acceptAll());
        Files.write(
                policies,
                PolicyFile.bytes(PolicySet.of(
                        set.version(),
                        set.settings().withCertificates(Map.of("feed", certificate, "other", other)),
                        set.policies())));

        JsonNode prices = document(export("prices.bundle", "--address", "prices"));
        signChanged(
                "more.bundle",
                json -> ((ObjectNode) json.path("policies"))
                        .putObject("certificates")
                        .put("mallory", certificate));
        imported("more.bundle", "--signed-by", fingerprint());

        assertThat(prices.findValuesAsText("name")).containsExactly("feed", "feed");
        assertThat(prices.path("policies").has("certificates")).isFalse();
        assertThat(PolicyFile.read(home(consumerFolder).policies(), PartyValidator.acceptAll())
                        .settings()
                        .certificates())
                .isEmpty();
    }

    /** Copies the certificates of a party of the consumer to the broker. */
    private void shareWithTheBroker(String name) throws IOException {
        for (String kind : List.of("recipients", "trust")) {
            Path file = Path.of(kind, name + ".pem");
            Files.copy(
                    home(consumerFolder).root().resolve(file),
                    home(brokerFolder).root().resolve(file));
        }
    }

    /** The broker seals and the consumer opens a message, with nothing of each other but the bundle. */
    private void assertOpens(String address) {
        byte[] sealed = broker.input("a text".getBytes(StandardCharsets.UTF_8))
                .ok("message seal --as broker --address", address)
                .bytes();
        assertThat(consumer.input(sealed).out("message open --as alice --address", address))
                .isEqualTo("a text");
    }

    @ParameterizedTest
    @ValueSource(strings = {"integrity", "privacy", "confidentiality"})
    void companions_areHandedOver_andMessagesOfBothKindsOpen(String quality) throws Exception {
        broker.ok("identity create broker.pq --dn CN=broker-pq,O=Example --key-algorithm ml-dsa-65");
        consumer.ok("identity create alice.pq --dn CN=alice-pq,O=Example --key-algorithm ml-dsa-65");
        shareWithTheBroker("alice.pq");
        broker.ok("policy set both --require both --quality " + quality
                + (quality.equals("integrity") ? "" : " --recipient alice")
                + (quality.equals("confidentiality") ? "" : " --signer broker"));

        JsonNode both = document(export("both.bundle", "--address", "both", "--recipient", "alice"));
        imported("both.bundle", "--signed-by", fingerprint());

        assertThat(both.path("recipients").findValuesAsText("name"))
                .isEqualTo(quality.equals("confidentiality") ? List.of() : List.of("broker", "broker.pq"));
        assertThat(PolicyFile.read(home(consumerFolder).policies(), PartyValidator.acceptAll())
                        .policies())
                .singleElement()
                .satisfies(policy -> assertThat(policy.enforcement().require()).isEqualTo(RequiredKeys.BOTH));
        assertOpens("both");
    }

    @Test
    void postQuantumParty_signsTheBundleAndMessages_andTheFilesArriveUnchanged() throws Exception {
        broker.ok("identity create feed --dn CN=feed --key-algorithm ml-dsa-65");
        consumer.ok("identity create carol --dn CN=carol --key-algorithm ml-dsa-87");
        shareWithTheBroker("carol");
        broker.ok("policy set prices --quality privacy --recipient carol --signer feed");

        broker.ok("bundle export --as feed --address prices --recipient carol --out feed.bundle");
        carry("feed.bundle");
        Path feed = Path.of("recipients", "feed.pem");
        imported("feed.bundle", "--signed-by", fingerprintOf(identity("feed").certificate()));

        assertThat(Pem.readCertificates(home(consumerFolder).root().resolve(feed)))
                .isEqualTo(Pem.readCertificates(home(brokerFolder).root().resolve(feed)))
                .hasSize(2);
        byte[] sealed = broker.input("a price".getBytes(StandardCharsets.UTF_8))
                .ok("message seal --as feed --address prices")
                .bytes();
        assertThat(consumer.input(sealed).out("message open --as carol --address prices"))
                .isEqualTo("a price");
    }

    @Test
    void senderOfAuthenticity_isHandedOver_alsoWhereThePolicyNamesNone() throws Exception {
        broker.ok("policy set agreed --quality authenticity --recipient alice");

        export("agreed.bundle", "--address", "agreed");
        imported("agreed.bundle", "--signed-by", fingerprint());

        assertOpens("agreed");
    }

    @Test
    void policyForAnySigner_needsAllTrust_andAPatternNeedsAllPoliciesThatDecide() throws Exception {
        broker.ok("policy set # --quality integrity");
        broker.ok("policy set orders.*.urgent --quality integrity");
        broker.ok("policy set prices.# --quality integrity");

        JsonNode pattern = document(export("a.bundle", "--address", "orders.eu.#"));
        JsonNode address = document(export("b.bundle", "--address", "orders.eu"));

        assertThat(pattern.findValuesAsText("pattern")).containsExactly("orders.#", "#", "orders.*.urgent");
        assertThat(pattern.path("trust").findValuesAsText("name")).containsExactly("alice", "broker");
        assertThat(address.findValuesAsText("pattern")).containsExactly("orders.#");
    }

    @Tag(Tier.LONG)
    @Test
    void stockOpenssl_verifiesTheBundle() throws Exception {
        Path bundle = export("alice.bundle");

        new Openssl(folder)
                .line("cms -verify -inform DER -purpose any -out document -in " + bundle + " -CAfile "
                        + home(brokerFolder).trust().resolve("broker.pem"));

        assertThat(Json.parse(Files.readString(folder.resolve("document")))).isEqualTo(document(bundle));
    }

    @Test
    void byteThatChanges_isRefused_whereverItIs() throws Exception {
        broker.ok("policy set small --quality none");
        byte[] bundle = Files.readAllBytes(export("small.bundle", "--address", "small"));
        CertificateTrust trust = home(brokerFolder).trustIn(brokerIdentity().certificate());

        for (int i = 0; i < bundle.length; i++) {
            byte[] changed = bundle.clone();
            changed[i] ^= (byte) (1 << (i % 8));
            assertThatThrownBy(() -> SignedDocument.verify(changed, trust, Clock.systemUTC()))
                    .as("byte %d", i)
                    .isInstanceOf(EnvelopeException.class);
        }
        for (int length = 0; length < bundle.length; length += 97) {
            byte[] cut = Arrays.copyOf(bundle, length);
            assertThatThrownBy(() -> SignedDocument.verify(cut, trust, Clock.systemUTC()))
                    .isInstanceOf(EnvelopeException.class);
        }
        Files.write(consumerFolder.resolve("longer.bundle"), Arrays.copyOf(bundle, bundle.length + 1));
        bundle[bundle.length / 2] ^= 1;
        Files.write(consumerFolder.resolve("small.bundle"), bundle);
        assertRefused("small.bundle", "no bundle with a right signature", "--signed-by", fingerprint());
        assertRefused("longer.bundle", "no bundle with a right signature", "--signed-by", fingerprint());
    }

    @Test
    void trustedSigner_isTakenAfterItsFingerprintIsTyped_andNoOtherAfterwards() throws Exception {
        Files.copy(
                home(brokerFolder).trust().resolve("broker.pem"),
                home(consumerFolder).trust().resolve("broker.pem"));
        export("first.bundle");
        broker.ok("identity create mallory --dn CN=mallory");
        Files.copy(
                home(brokerFolder).trust().resolve("mallory.pem"),
                home(consumerFolder).trust().resolve("mallory.pem"));
        broker.ok("bundle export --address orders.# --as mallory --out mallory.bundle");
        carry("mallory.bundle");

        assertRefused("first.bundle", "a signer whose fingerprint this home does not know yet");
        consumer.terminal(prompt -> "00:11".toCharArray());
        assertRefused("first.bundle", "no SHA-256 fingerprint typed");
        consumer.terminal(prompt -> "00".repeat(32).toCharArray());
        assertRefused("first.bundle", "not signed by the certificate of this fingerprint");
        String right = fingerprint();
        consumer.terminal(prompt -> right.toCharArray());
        imported("first.bundle");

        consumer.terminal(null);
        assertRefused("mallory.bundle", "another signer than that of the earlier bundles");
    }

    /** The attack with a stolen key: its holder makes a certificate of its own for it. */
    @Test
    void selfSignedCertificateOfAnAcceptedKey_isRefused() throws Exception {
        export("first.bundle");
        imported("first.bundle", "--signed-by", fingerprint());
        Identity stolen = brokerIdentity();
        X509Certificate own = Certificates.of(
                        new X500Name("CN=broker,O=Example"),
                        stolen.certificate().getPublicKey())
                .during(Instant.now().minusSeconds(60), Instant.now().plus(Duration.ofDays(9)))
                .usage(KeyUsage.digitalSignature)
                .signed(SoftwareKey.exported(stolen));
        ObjectNode json = (ObjectNode) document(consumerFolder.resolve("first.bundle"));
        json.put("created", Instant.now().plusSeconds(1).toString());
        signAs("forged.bundle", json.toString(), own);

        assertRefused("forged.bundle", "does not lead to the issuer that was accepted");
        assertThat(consumer.out("bundle show forged.bundle")).contains("does not take bundles");
    }

    @Test
    void keyThatIsRevokedUnderTheAcceptedCertificate_isRefusedUnderAnother() throws Exception {
        export("first.bundle");
        imported("first.bundle", "--signed-by", fingerprint());
        Identity stolen = brokerIdentity();
        X509Certificate own = Certificates.of(
                        new X500Name("CN=another"), stolen.certificate().getPublicKey())
                .during(Instant.now().minusSeconds(60), Instant.now().plus(Duration.ofDays(9)))
                .usage(KeyUsage.digitalSignature)
                .signed(SoftwareKey.exported(stolen));
        signAs("forged.bundle", document(consumerFolder.resolve("first.bundle")).toString(), own);
        X509v2CRLBuilder list = new X509v2CRLBuilder(
                X500Name.getInstance(
                        stolen.certificate().getSubjectX500Principal().getEncoded()),
                Date.from(Instant.now().minusSeconds(60)));
        list.setNextUpdate(Date.from(Instant.now().plus(Duration.ofDays(1))));
        list.addCRLEntry(stolen.certificate().getSerialNumber(), Date.from(Instant.now()), CRLReason.keyCompromise);
        Files.write(
                Files.createDirectories(home(consumerFolder).crl()).resolve("broker.crl"),
                list.build(new JcaContentSignerBuilder("SHA256withECDSA").build(SoftwareKey.exported(stolen)))
                        .getEncoded());

        assertRefused("first.bundle", "revoked on");
        assertRefused("forged.bundle", "its key is revoked", "--signed-by", fingerprintOf(own));
    }

    private static String fingerprintOf(X509Certificate certificate) throws Exception {
        return HexFormat.ofDelimiter(":")
                .withUpperCase()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
    }

    /** Signs with the key of the broker, under another certificate. */
    private void signAs(String name, String document, X509Certificate certificate) throws IOException {
        Identity signer = brokerIdentity();
        Files.write(
                consumerFolder.resolve(name),
                SignedDocument.sign(
                        document.getBytes(StandardCharsets.UTF_8),
                        new Identity(signer.name(), signer.privateKey(), List.of(certificate)),
                        Clock.systemUTC()));
    }

    @Test
    void signerWhoseCertificateIsRevokedHere_isRefused_evenIfItIsNamed() throws Exception {
        export("alice.bundle");
        Path crl = Files.createDirectories(home(consumerFolder).crl());
        Files.writeString(crl.resolve("unreadable.crl"), "no list");

        assertRefused("alice.bundle", "may be revoked", "--signed-by", fingerprint());
    }

    /** A producer chooses the payload that the broker signs. */
    @Test
    void sealedMessageOfTheSigner_isNoBundle() throws Exception {
        broker.ok("policy set prices --quality integrity");
        Path export = export("alice.bundle");
        Files.write(
                brokerFolder.resolve("payload"),
                opened(Files.readAllBytes(export)).content());
        broker.ok("message seal --address prices --as broker --in payload --out message");
        carry("message");

        assertRefused("message", "not a bundle", "--signed-by", fingerprint());
    }

    @Test
    void nameOutOfItsFolder_isRefused() throws Exception {
        for (String name : List.of(
                "../broker",
                "..",
                ".hidden",
                "a/b",
                "/etc/passwd",
                "",
                "a\u0000b",
                "C:x",
                "a\\b",
                "name with blanks")) {
            signChanged(
                    "evil.bundle", json -> ((ObjectNode) json.path("recipients").path(0)).put("name", name));

            assertRefused("evil.bundle", "no name of a file", "--signed-by", fingerprint());
        }
    }

    /** A process that is killed leaves files, and the record of their owner. */
    @Tag(Tier.LONG)
    @Test
    void importThatWasKilled_isCompletedByTheSameBundle_andItsFilesStillBelongToIt() throws Exception {
        broker.ok("identity create feed --dn CN=feed");
        broker.ok("policy set prices --quality integrity --signer feed");
        export("first.bundle", "--address", "orders.#", "--address", "prices");
        imported("first.bundle", "--signed-by", fingerprint());
        Path record = home(consumerFolder).root().resolve(".bundles.json");
        String done = Files.readString(record);
        Files.delete(home(consumerFolder).policies());
        Files.delete(home(consumerFolder).recipients().resolve("feed.pem"));
        Files.writeString(
                record,
                done.replaceAll("\"created\" : \"[^\"]+\"", "\"created\" : \"1970-01-01T00:00:00Z\"")
                        .replaceAll("\"sha-256\" : \"[^\"]+\"", "\"sha-256\" : \"\""));

        imported("first.bundle");
        assertThat(record).hasContent(done);
        assertThat(home(consumerFolder).recipients().resolve("feed.pem")).exists();
        export("second.bundle");
        imported("second.bundle");

        assertThat(home(consumerFolder).trust().resolve("feed.pem")).doesNotExist();
    }

    @Test
    void hostileDocuments_areRefused() throws Exception {
        String[] by = {"--signed-by", fingerprint()};
        sign("deep.bundle", "[".repeat(100_000));
        sign("twice.bundle", "{\"signet-bundle\": 1, \"signet-bundle\": 1}");
        sign("text.bundle", "ten apples");
        sign("empty.bundle", "");
        signChanged("version.bundle", json -> json.put("signet-bundle", 2));
        signChanged("text-version.bundle", json -> json.put("signet-bundle", "1"));
        signChanged("half-version.bundle", json -> json.put("signet-bundle", 1.5));
        signChanged(
                "long.bundle",
                json -> json.put(
                        "not-after", Instant.now().plus(Duration.ofDays(826)).toString()));
        signChanged("endless.bundle", json -> json.put("not-after", "+1000000000-12-31T23:59:59Z"));
        signChanged("zone.bundle", json -> json.put("created", "2026-01-01T00:00:00+01:00"));
        signChanged("key.bundle", json -> json.put("key", "x"));
        signChanged("missing.bundle", json -> json.remove("crl"));
        signChanged("null.bundle", json -> json.putArray("addresses").addNull());
        signChanged("number.bundle", json -> json.putArray("addresses").add(7));
        signChanged("half-recipient.bundle", json -> json.putObject("recipient").put("name", "alice"));
        signChanged("same.bundle", json -> {
            ArrayNode files = (ArrayNode) json.path("recipients");
            files.add(((ObjectNode) files.path(0).deepCopy()).put("name", "BROKER"));
        });
        signChanged(
                "garbage.bundle",
                json -> ((ObjectNode) json.path("trust").path(0))
                        .putArray("content")
                        .add("AAAA"));
        signChanged(
                "list.bundle",
                json -> json.putArray("crl")
                        .addObject()
                        .put("name", "a")
                        .putArray("content")
                        .add("AAAA"));
        signChanged("many.bundle", json -> {
            ArrayNode files = json.putArray("recipients");
            for (int i = 0; i < 2_001; i++) {
                files.addObject().put("name", "n" + i).putArray("content").add("AAAA");
            }
        });
        signChanged("policy.bundle", json -> json.putObject("policies").put("schema", 1));
        try (RandomAccessFile large =
                new RandomAccessFile(consumerFolder.resolve("large.bundle").toFile(), "rw")) {
            large.setLength(100 << 20);
        }

        for (String name : List.of(
                "deep",
                "twice",
                "text",
                "empty",
                "version",
                "text-version",
                "half-version",
                "long",
                "endless",
                "zone",
                "key",
                "missing",
                "null",
                "number",
                "half-recipient",
                "same",
                "garbage",
                "list",
                "many",
                "policy")) {
            assertRefused(name + ".bundle", "not a bundle that this version of Signet reads", by);
        }
        assertRefused("large.bundle", "longer than the", by);
    }

    @Test
    void bundleThatEnded_isOlderOrFromTheFuture_isRefused() throws Exception {
        String past = Instant.now().minus(Duration.ofDays(1)).toString();
        signChanged("ended.bundle", json -> json.put("not-after", past));
        signChanged(
                "future.bundle",
                json -> json.put(
                        "created", Instant.now().plus(Duration.ofDays(1)).toString()));
        export("older.bundle");
        broker.ok("policy remove orders.#");
        broker.ok("policy set orders.eu --quality privacy --recipient alice --signer broker");
        export("newer.bundle", "--address", "orders.eu");

        assertRefused("ended.bundle", "ended at " + past.substring(0, 10), "--signed-by", fingerprint());
        assertRefused("future.bundle", "from the future", "--signed-by", fingerprint());
        imported("newer.bundle", "--signed-by", fingerprint());
        assertRefused("older.bundle", "older than the bundle that was imported last");
        assertRefused("older.bundle", "older than the bundle that was imported last", "--signed-by", fingerprint());

        imported("older.bundle", "--allow-older");
        assertThat(consumer.out("policy list")).contains("orders.#").doesNotContain("orders.eu");
    }

    @Test
    void certificateOfAnOwnIdentity_isNeverReplaced() throws Exception {
        signChanged("evil.bundle", json -> ((ObjectNode) json.path("recipients").path(0)).put("name", "alice"));

        assertRefused("evil.bundle", "an identity of this home", "--signed-by", fingerprint(), "--replace");
    }

    /** Otherwise a signer could take back a revocation by a list that anybody made. */
    @Tag(Tier.LONG)
    @Test
    void laterRevocationList_replacesOneOnlyIfTheSameTrustedIssuerSignedBoth() throws Exception {
        Identity identity = brokerIdentity();
        Path list = Files.createDirectories(home(consumerFolder).crl()).resolve("ca.crl");
        Files.write(list, revocations(identity, identity, Instant.now().minusSeconds(60)));
        Files.copy(
                home(brokerFolder).trust().resolve("broker.pem"),
                home(consumerFolder).trust().resolve("broker.pem"));
        broker.ok("identity create mallory --dn CN=mallory");
        Identity mallory = identity("mallory");
        byte[] forged = revocations(identity, mallory, Instant.now());
        byte[] right = revocations(identity, identity, Instant.now());

        signChanged("forged.bundle", json -> putList(json, forged));
        assertRefused("forged.bundle", "crl/ca.crl: differs", "--signed-by", fingerprint());
        signChanged("right.bundle", json -> putList(json, right));
        imported("right.bundle", "--signed-by", fingerprint());
    }

    private static void putList(ObjectNode json, byte[] list) {
        json.putArray("crl")
                .addObject()
                .put("name", "ca")
                .putArray("content")
                .add(Base64.getEncoder().encodeToString(list));
    }

    /** Returns an empty list in the name of an issuer. */
    private static byte[] revocations(Identity issuer, Identity signer, Instant from) throws Exception {
        X500Name name = X500Name.getInstance(
                issuer.certificate().getSubjectX500Principal().getEncoded());
        return new X509v2CRLBuilder(name, Date.from(from))
                .setNextUpdate(Date.from(from.plusSeconds(86_400)))
                .build(new JcaContentSignerBuilder("SHA256withECDSA").build(SoftwareKey.exported(signer)))
                .getEncoded();
    }

    @Test
    void importThatFails_leavesNothingBehind() throws Exception {
        export("alice.bundle");
        Files.move(home(consumerFolder).trust(), consumerFolder.resolve("away"));
        Files.writeString(home(consumerFolder).trust(), "no folder");

        Map<String, String> before = content(consumerFolder);
        Result result = importing("alice.bundle", "--signed-by", fingerprint());

        assertThat(result.exitCode()).isNotZero();
        assertThat(content(consumerFolder)).isEqualTo(before);
    }
}
