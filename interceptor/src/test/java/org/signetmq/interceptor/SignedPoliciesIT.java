/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.apache.activemq.artemis.utils.FileUtil;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.signetmq.envelope.SignedPolicies;
import org.signetmq.interceptor.internal.status.PluginStatus.State;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Pem;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.testkit.Tier;

/** A broker with the certificate of an officer takes no policies that the officer did not sign, and no old ones. */
final class SignedPoliciesIT extends OneBroker {
    private static final String PRICES = "{\"pattern\": \"prices\", \"quality\": \"integrity\"}";

    private Identity officer;
    private Identity other;
    private Path data;

    @BeforeEach
    void prepare() throws Exception {
        Home desk = new Home(folder.resolve("desk"));
        officer = homes.create(desk, "officer");
        other = homes.create(desk, "other");
        data = folder.resolve("data");
    }

    private TestBroker.Setup stored() {
        return new TestBroker.Setup(homes, data).property("policy-store", "broker");
    }

    private void tell(Identity... officers) throws Exception {
        StringBuilder pem = new StringBuilder();
        Stream.of(officers).forEach(each -> pem.append(Pem.certificatePem(each)));
        new WholeFile(homes.broker.officer()).write(pem.toString().getBytes(UTF_8), WholeFile.READABLE);
    }

    private static String json(long version, String... addresses) {
        return PolicyFile.format(PolicySet.of(
                version,
                UnmatchedAddress.PASS,
                Stream.of(addresses).map(Policy::integrity).toList()));
    }

    private static String signed(Identity by, long version, String... addresses) {
        return SignedPolicies.sign(json(version, addresses), by, Clock.systemUTC());
    }

    private void file(String text) throws Exception {
        new WholeFile(homes.broker.policies()).write(text.getBytes(UTF_8), WholeFile.READABLE);
    }

    private static void assertInForce(TestBroker broker, long version) {
        Awaitility.await().untilAsserted(() -> {
            assertThat(broker.state().reason()).isNull();
            assertThat(broker.state().policies().version()).isEqualTo(version);
        });
    }

    private static void assertClosed(TestBroker broker, String reason) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(broker.state().reason()).contains(reason));
        assertThat(broker.state().state()).isEqualTo(State.FAILED);
        assertThatThrownBy(() -> Producers.CORE.send(broker, "elsewhere", "in clear"))
                .hasMessageContaining("rejected");
    }

    private static JsonNode restore(ControlClient admin, String document) throws Exception {
        return admin.call("restorePolicies", admin.upload(0, document));
    }

    /** A broker whose store has version 3 of the officer. */
    private TestBroker startStored() throws Exception {
        tell(officer);
        file(signed(officer, 3, "orders"));
        return start(stored());
    }

    @Test
    void storedSet_changesOnlyBySetsOfTheOfficer() throws Exception {
        TestBroker broker = startStored();
        assertInForce(broker, 3);
        try (ControlClient admin = new ControlClient(broker)) {
            String forged = signed(officer, 4, "orders", "prices").replaceFirst("\n(.)", "\nM");
            forged = forged.substring(0, 700) + (forged.charAt(700) == 'A' ? 'B' : 'A') + forged.substring(701);
            for (String wrong : List.of(
                    json(4, "prices"),
                    signed(other, 9, "prices"),
                    signed(officer, 3, "prices"),
                    signed(officer, 2, "prices"),
                    forged,
                    "-----BEGIN CMS-----\nrubbish\n-----END CMS-----\n")) {
                JsonNode answer = admin.replace(3, wrong);
                assertThat(answer.path("outcome").asText()).as(wrong).isEqualTo("rejected");
                assertThat(answer.path("problems").findValuesAsText("message"))
                        .singleElement()
                        .asString()
                        .containsAnyOf(
                                "not signed",
                                "not a key of officer.pem",
                                "is not greater than 3",
                                "signature is wrong",
                                "other than base64");
            }
            assertThat(admin.call("setPolicy", 3L, PRICES).path("problems").findValuesAsText("message"))
                    .singleElement()
                    .asString()
                    .contains("an officer must sign", "signet policy sign");
            assertThat(admin.outcome("removePolicy", 3L, "orders")).isEqualTo("rejected");
            assertInForce(broker, 3);
            assertThat(admin.outcome("judgeImpact", 3L, PRICES)).isEqualTo("accepted");

            String next = signed(officer, 7, "orders", "prices");
            assertThat(admin.replace(3, next).path("version").asLong()).isEqualTo(7);
            assertThat(admin.replace(7, next).path("outcome").asText()).isEqualTo("unchanged");
            assertThat(admin.replace(7, admin.document("listFormerPolicies", 3))
                            .path("outcome")
                            .asText())
                    .isEqualTo("rejected"); // a rollback needs a signature
        }
        broker.close();
        TestBroker again = start(stored());
        assertInForce(again, 7);
        try (ControlClient admin = new ControlClient(again)) {
            assertThat(PolicyFile.parse(admin.policies(), PartyValidator.acceptAll())
                            .policies())
                    .hasSize(2);
        }
    }

    @Test
    void officerGone_closes_untilTheFileIsBack_orAnAdministratorRestores() throws Exception {
        TestBroker broker = startStored();
        assertInForce(broker, 3);
        Files.delete(homes.broker.officer());
        assertClosed(broker, "officer.pem: is missing");
        try (ControlClient admin = new ControlClient(broker)) {
            assertThat(admin.outcome("setPolicy", 3L, PRICES)).isEqualTo("refused");
        }
        broker.close();
        TestBroker again = start(stored());
        assertClosed(again, "officer.pem: is missing");
        tell(officer);
        assertInForce(again, 3);

        Files.delete(homes.broker.officer());
        assertClosed(again, "officer.pem: is missing");
        try (ControlClient admin = new ControlClient(again)) {
            assertThat(restore(admin, json(1, "orders")).path("version").asLong())
                    .isEqualTo(4);
            assertInForce(again, 4);
            assertThat(admin.outcome("setPolicy", 4L, PRICES)).isEqualTo("changed");
        }
    }

    @Test
    void anotherOfficer_closes_untilOneOfTheFileSigned() throws Exception {
        TestBroker broker = startStored();
        tell(other);
        assertClosed(broker, "not a key of officer.pem");
        try (ControlClient admin = new ControlClient(broker)) {
            assertThat(admin.replace(3, signed(officer, 4, "orders"))
                            .path("outcome")
                            .asText())
                    .isEqualTo("rejected");
            assertThat(admin.replace(3, signed(other, 4, "orders"))
                            .path("outcome")
                            .asText())
                    .isEqualTo("changed");
            assertInForce(broker, 4);
            tell(officer, other);
            assertThat(admin.replace(4, signed(officer, 5, "orders"))
                            .path("outcome")
                            .asText())
                    .isEqualTo("changed");
            assertInForce(broker, 5);
        }
    }

    @Test
    void officerFileThatCannotBeRead_closes_andTakesNoChange() throws Exception {
        TestBroker broker = startStored();
        new WholeFile(homes.broker.officer()).write("rubbish".getBytes(UTF_8), WholeFile.READABLE);
        assertClosed(broker, "officer.pem");
        try (ControlClient admin = new ControlClient(broker)) {
            assertThat(admin.replace(3, signed(officer, 4, "orders"))
                            .path("reason")
                            .asText())
                    .contains("nothing was changed", "officer.pem");
        }
        tell(officer);
        assertInForce(broker, 3);
    }

    /**
     * The stored policies are exchanged while the broker is down: by unsigned ones, and by those of another officer.
     */
    @Test
    void storeWithPoliciesOfAnother_isNotInForce() throws Exception {
        startStored().close();
        Path mark = homes.broker.policyMark().file();
        for (String wrong :
                Tier.cases(1, signed(other, 9, "prices"), json(9, "prices")).toList()) {
            Files.delete(homes.broker.officer());
            Files.delete(mark);
            FileUtil.deleteDirectory(data.toFile());
            file(wrong);
            start(stored()).close();
            tell(officer);
            TestBroker broker = start(stored());
            assertClosed(broker, "officer.pem");
            broker.close();
        }
    }

    @Test
    void brokerWithoutPolicies_waitsForSignedOnes() throws Exception {
        tell(officer);
        TestBroker broker = start(stored());
        assertClosed(broker, "asks for policies that an officer signed");
        try (ControlClient admin = new ControlClient(broker)) {
            assertThat(admin.replace(0, json(1, "orders")).path("outcome").asText())
                    .isEqualTo("rejected");
            assertThat(admin.replace(0, signed(officer, 1, "orders"))
                            .path("outcome")
                            .asText())
                    .isEqualTo("changed");
        }
        assertInForce(broker, 1);
    }

    @Test
    void lostStore_isRestoredByTheOfficerAlone_andNotByAnOldSet() throws Exception {
        startStored().close();
        FileUtil.deleteDirectory(data.toFile());
        TestBroker broker = start(stored());
        assertClosed(broker, "version 3 was in force");
        try (ControlClient admin = new ControlClient(broker)) {
            assertThat(restore(admin, json(9, "orders")).path("outcome").asText())
                    .isEqualTo("rejected");
            assertThat(restore(admin, signed(officer, 2, "orders"))
                            .path("outcome")
                            .asText())
                    .isEqualTo("rejected");
            assertThat(restore(admin, signed(officer, 3, "orders"))
                            .path("outcome")
                            .asText())
                    .isEqualTo("changed");
        }
        assertInForce(broker, 3);
    }

    @Test
    void signedFile_isFollowed_andWrongOnesAreNot() throws Exception {
        tell(officer);
        String first = signed(officer, 3, "orders");
        file(first);
        TestBroker broker = start();
        assertInForce(broker, 3);
        for (String wrong : List.of(
                json(9, "prices"), signed(other, 9, "prices"), signed(officer, 2, "prices"), "-----BEGIN CMS-----")) {
            file(wrong);
            Awaitility.await()
                    .untilAsserted(() -> assertThat(broker.state().policies().problem())
                            .containsAnyOf("not signed", "not a key", "not greater", "begins with hyphens"));
            assertThat(broker.state().policies().version()).isEqualTo(3);
            file(first);
            assertInForce(broker, 3);
        }
        file(signed(officer, 8, "orders"));
        assertInForce(broker, 8);
        file(json(9));
        Files.delete(homes.broker.officer());
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(broker.state().policies().problem()).contains("officer.pem: is missing"));
        assertThat(broker.state().policies().version()).isEqualTo(8);
    }

    @Test
    void unsignedFile_ofABrokerWithAnOfficer_isNotInForce() throws Exception {
        tell(officer);
        file(json(9, "orders"));
        assertClosed(start(), "not signed");
    }

    @Test
    void signedSet_withoutOfficer_isReadAsItsContent_andStaysSigned() throws Exception {
        file(signed(officer, 3, "orders"));
        TestBroker broker = start(stored());
        assertInForce(broker, 3);
        tell(officer);
        try (ControlClient admin = new ControlClient(broker)) {
            Awaitility.await()
                    .until(() ->
                            Files.readString(homes.broker.policyMark().file()).contains("officer"));
            assertInForce(broker, 3);
            assertThat(admin.outcome("setPolicy", 3L, PRICES)).isEqualTo("rejected");
        }
    }
}
