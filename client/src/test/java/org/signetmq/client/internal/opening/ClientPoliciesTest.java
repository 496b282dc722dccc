/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.client.Keys;
import org.signetmq.client.internal.opening.ClientPolicies.Source;
import org.signetmq.envelope.SignedPolicies;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.HomeReader;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.home.Pem;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.testkit.RecordingLogs;

/** Sets that arrive, with and without an officer, and what a restart leaves of them. */
final class ClientPoliciesTest {
    private static final Policy ORDERS = Policy.privacy("orders", List.of("alice"));

    @TempDir
    private static Path parties;

    private static Identity officer;
    private static Identity other;

    @TempDir
    private Path folder;

    private Home home;

    @BeforeAll
    static void create() {
        officer = create("officer");
        other = create("other");
    }

    private static Identity create(String name) {
        try (Password password = Keys.password()) {
            return new Home(parties)
                    .identityStore()
                    .create(new IdentityRequest(name, "CN=" + name, KeyAlgorithm.EC_P256, null), password);
        }
    }

    @BeforeEach
    void begin() {
        home = new Home(folder);
        RecordingLogs.forget();
    }

    private ClientPolicies started() {
        ClientPolicies policies = new ClientPolicies(home, home.reader(), Clock.systemUTC());
        policies.fetch();
        return policies;
    }

    private void nameOfficer() throws IOException {
        Files.writeString(home.officer(), Pem.certificatePem(officer.certificate()));
    }

    private static PolicySet set(long version, Policy... policies) {
        return PolicySet.of(version, UnmatchedAddress.PASS, List.of(policies));
    }

    private static String text(long version, Policy... policies) {
        return PolicyFile.format(set(version, policies));
    }

    private static String signed(Identity signer, long version, Policy... policies) {
        return SignedPolicies.sign(text(version, policies), signer, Clock.systemUTC());
    }

    private void file(String text) throws IOException {
        Files.writeString(home.policies(), text);
    }

    private static void arrive(ClientPolicies policies, String text) {
        policies.arrived(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void assertRefused(ClientPolicies policies, String text, String why) {
        PolicySet before = policies.get();
        RecordingLogs.forget();

        arrive(policies, text);

        assertThat(policies.get()).isSameAs(before);
        assertThat(RecordingLogs.troubleWith(why)).hasSize(1);
    }

    @Test
    void officersSet_replacesTheFile_alsoIfItIsLessStrict() throws IOException {
        nameOfficer();
        file(signed(officer, 3, ORDERS));
        ClientPolicies policies = started();
        assertThat(policies.get().find("orders")).isPresent();

        arrive(policies, signed(officer, 4));

        assertThat(policies.get()).isEqualTo(set(4));
        assertThat(policies.isFrom(Source.BROKER)).isTrue();
        file(signed(officer, 5, ORDERS));
        assertThat(new ClientPolicies(home, home.reader(), Clock.systemUTC()).version())
                .isEqualTo(5);
        assertThat(started().isFrom(Source.FILE)).isTrue();
    }

    @Test
    void unsignedFile_withAnOfficer_isRejected() throws IOException {
        nameOfficer();
        file(text(3, ORDERS));

        assertThatThrownBy(this::started)
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessageContaining("not signed");
    }

    @Test
    void forgedOldAndAlteredSets_withAnOfficer_areRefused_alsoAfterARestart() throws IOException {
        nameOfficer();
        ClientPolicies policies = started();
        String first = signed(officer, 7, ORDERS);
        arrive(policies, first);
        ClientPolicies restarted = started();
        assertThat(restarted.isFrom(Source.DISK)).isTrue();

        for (ClientPolicies each : List.of(policies, restarted)) {
            assertRefused(each, text(8), "not signed");
            assertRefused(each, signed(other, 9), "not a key of officer.pem");
            assertRefused(each, signed(officer, 6, ORDERS), "older");
            assertRefused(each, signed(officer, 7), "not newer");
            assertRefused(each, first.replace("A", "B"), "refused");
            arrive(each, first); // again, as after each connection
            assertThat(each.get()).isEqualTo(set(7, ORDERS));
        }
        assertThat(restarted.isFrom(Source.BROKER)).isTrue();
    }

    @Test
    void versionOnDisk_countsForEachClientOfTheHome() throws IOException {
        nameOfficer();
        ClientPolicies one = started();
        ClientPolicies two = started();
        arrive(one, signed(officer, 7, ORDERS));
        RecordingLogs.forget();

        arrive(two, signed(officer, 6));

        assertThat(RecordingLogs.troubleWith("older")).hasSize(1);
        assertThatThrownBy(two::get).isInstanceOf(KeystoreUnusableException.class);
        assertThat(started().get()).isEqualTo(set(7, ORDERS));
    }

    @Test
    void damagedLastGoodSet_isNeitherUsedNorForgotten() throws IOException {
        nameOfficer();
        arrive(started(), signed(officer, 7, ORDERS));
        Files.writeString(home.fetchedPolicies(), signed(other, 8));

        assertThatThrownBy(this::started)
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining(home.fetchedPolicies().toString())
                .hasMessageContaining("delete the file");
    }

    @Test
    void unsignedLastGoodSet_onlyMakesStricter_andItsCertificatesDoNotCount() throws IOException {
        PolicySet.Settings settings = new PolicySet.Settings(
                UnmatchedAddress.PASS,
                WildcardSyntax.DEFAULT,
                List.of(),
                Map.of(),
                Map.of("mallory", java.util.Base64.getEncoder().encodeToString(encoded(other))));
        file(PolicyFile.format(PolicySet.of(1, UnmatchedAddress.REJECT, List.of(ORDERS))));
        Files.writeString(
                home.fetchedPolicies(),
                PolicyFile.format(PolicySet.of(9, settings, List.of(Policy.integrity("orders")))));
        try (HomeReader reader = home.reader()) {
            ClientPolicies policies = new ClientPolicies(home, reader, Clock.systemUTC());
            policies.fetch();

            assertThat(policies.get().find("orders").orElseThrow().policy()).isEqualTo(ORDERS);
            assertThat(policies.get().unmatched()).isEqualTo(UnmatchedAddress.REJECT);
            assertThat(reader.find("mallory")).isEmpty();
            Files.delete(home.policies());
            ClientPolicies alone = new ClientPolicies(home, reader, Clock.systemUTC());
            alone.fetch();
            assertThat(alone.get().find("orders").orElseThrow().policy()).isEqualTo(Policy.integrity("orders"));
            assertThat(reader.find("mallory")).isEmpty();

            nameOfficer();
            Files.delete(home.fetchedPolicies());
            ClientPolicies official = new ClientPolicies(home, reader, Clock.systemUTC());
            official.fetch();
            arrive(
                    official,
                    SignedPolicies.sign(
                            PolicyFile.format(PolicySet.of(10, settings, List.of())), officer, Clock.systemUTC()));
            assertThat(official.get().version()).isEqualTo(10);
            assertThat(reader.find("mallory")).isPresent();
        }
    }

    private static byte[] encoded(Identity identity) {
        try {
            return identity.certificate().getEncoded();
        } catch (java.security.cert.CertificateEncodingException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void otherWildcards_andTooLongTexts_areNotUsed() throws IOException {
        file(text(1, ORDERS));
        ClientPolicies policies = started();
        assertRefused(policies, " ".repeat(PolicyFile.LONGEST + 1), "longer than");
        assertRefused(policies, "", "refused");

        arrive(
                policies,
                PolicyFile.format(
                        PolicySet.of(2, UnmatchedAddress.REJECT, new WildcardSyntax('/', '#', '+'), List.of())));

        assertThat(policies.get()).isEqualTo(set(1, ORDERS));
        assertThat(policies.isFrom(Source.FILE)).isTrue();
        assertThat(RecordingLogs.troubleWith("wildcards")).hasSize(1);
    }

    @Test
    void fileThatChanges_isMadeStricterAnew() throws IOException {
        file(text(1));
        ClientPolicies policies = new ClientPolicies(home, home.reader(), Clock.systemUTC());
        policies.fetch();
        arrive(policies, text(2, Policy.integrity("orders")));
        assertThat(policies.get().find("orders").orElseThrow().version()).isEqualTo(2);

        file(text(5, ORDERS));

        org.awaitility.Awaitility.await()
                .until(() -> policies.get().find("orders").orElseThrow().version() == 5);
    }

    @Test
    void homeThatCannotBeWritten_costsOneWarning() throws IOException {
        file(text(1));
        ClientPolicies policies = started();
        Files.createDirectory(home.fetchedPolicies());

        arrive(policies, text(2, ORDERS));
        arrive(policies, text(3, ORDERS));

        assertThat(policies.version()).isEqualTo(3);
        assertThat(RecordingLogs.troubleWith("not kept")).hasSize(1);
    }

    @Test
    void lastGoodSet_isWrittenAsItCame_forAllToRead() throws IOException {
        String text = text(2, ORDERS).replace("{", "{\n\n ");
        arrive(started(), text);

        assertThat(Files.readString(home.fetchedPolicies(), StandardCharsets.UTF_8))
                .isEqualTo(text);
        assertThat(Files.getPosixFilePermissions(home.fetchedPolicies()))
                .isEqualTo(java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(started().get().find("orders")).isPresent();
    }
}
