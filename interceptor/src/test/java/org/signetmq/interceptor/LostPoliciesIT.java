/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.persistence.config.PersistedKeyValuePair;
import org.apache.activemq.artemis.utils.FileUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.signetmq.interceptor.internal.status.PluginStatus.State;
import org.signetmq.keystore.home.PolicyMark;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.testkit.RecordingLogs;

/** A broker whose stored policies are lost, older or damaged rejects messages until an administrator restores them. */
final class LostPoliciesIT extends OneBroker {
    private static final String RECORDS = "org.signetmq.policies";
    private static final String COMMAND = "signet policy import FILE --restore";
    private static final String PRICES = "{\"pattern\": \"prices\", \"quality\": \"integrity\"}";

    private TestBroker broker;
    private Path data;
    private Path mark;

    /** A broker that took over a policy file of version 3, and then stopped. */
    @BeforeEach
    void keepPolicies() throws Exception {
        data = folder.resolve("data");
        mark = homes.broker.policyMark().file();
        homes.policies(3, TestHomes.privacy("orders"));
        broker = start(setup());
        broker.close();
        assertThat(mark).exists();
    }

    private TestBroker.Setup setup() {
        return new TestBroker.Setup(homes, data).property("policy-store", "broker");
    }

    /** Ends the broker if it runs, and starts it on the same data. */
    private TestBroker restart() throws Exception {
        broker.close();
        broker = start(setup());
        return broker;
    }

    private static void delete(Path folder) throws IOException {
        assertThat(FileUtil.deleteDirectory(folder.toFile())).isTrue();
    }

    /** Copies the files of a folder without folders. */
    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(String.valueOf(file.getFileName())));
            }
        }
    }

    private Path bindings() {
        return data.resolve("bindings");
    }

    private static void assertClosed(TestBroker broker, String reason) throws Exception {
        assertThat(broker.state().state()).isEqualTo(State.FAILED);
        assertThat(broker.state().reason()).contains(reason, COMMAND);
        for (String address : List.of("orders", "elsewhere")) {
            assertThatThrownBy(() -> Producers.CORE.send(broker, address, "in clear"))
                    .hasMessageContaining("rejected");
        }
        try (ControlClient admin = new ControlClient(broker)) {
            assertThat(admin.call("listFindings").path("findings").findValuesAsText("what"))
                    .anyMatch(what -> what.startsWith("messages are rejected") && what.contains(COMMAND));
            assertThatThrownBy(() -> admin.call("listPolicies", 0L, 0)).hasMessageContaining(COMMAND);
        }
    }

    private static void assertInForce(TestBroker broker, long version) throws Exception {
        assertThat(broker.state().reason()).isNull();
        assertThat(broker.state().state()).isEqualTo(State.READY);
        assertThat(broker.state().policies().version()).isEqualTo(version);
        Producers.CORE.send(broker, "orders", "to be sealed");
        assertThat(broker.sealed()).isEqualTo(1);
    }

    private static void change(TestBroker broker, long version) throws Exception {
        try (ControlClient admin = new ControlClient(broker)) {
            assertThat(admin.outcome("setPolicy", version, PRICES)).isEqualTo("changed");
        }
    }

    @Test
    void bindingsRemoved_brokerIsClosed_andAnOldPolicyFileIsNotTaken() throws Exception {
        delete(bindings());
        homes.policies(9, Policy.integrity("elsewhere"));

        assertClosed(restart(), "version 3 was in force");
    }

    @Test
    void allDataRemoved_brokerIsClosed() throws Exception {
        delete(data);
        Files.delete(homes.broker.policies());

        assertClosed(restart(), mark.toString());
    }

    @Test
    void olderJournalOfABackup_isNoMoreInForce() throws Exception {
        Path copy = folder.resolve("copy");
        copy(bindings(), copy);
        change(restart(), 3);
        broker.close();
        delete(bindings());
        copy(copy, bindings());

        assertClosed(restart(), "they have version 3, but by " + mark + " version 4 was in force");
    }

    @Test
    void otherPoliciesOfTheSameVersion_areNotInForce() throws Exception {
        Path ofOther = folder.resolve("other.mark");
        Files.move(mark, ofOther);
        delete(data);
        homes.policies(3, Policy.integrity("elsewhere"));
        restart().close();
        Files.move(ofOther, mark, StandardCopyOption.REPLACE_EXISTING);

        assertClosed(restart(), "other policies of version 3");
    }

    @Test
    void damagedMark_brokerIsClosed() throws Exception {
        Files.writeString(mark, Files.readString(mark).replace("version 3", "version 2"));

        assertClosed(restart(), mark + ": is damaged");
    }

    @Test
    void journalNewerThanTheMark_orWithoutOne_isInForce_andMovesTheMark() throws Exception {
        byte[] before = Files.readAllBytes(mark);
        change(restart(), 3);
        broker.close();
        byte[] after = Files.readAllBytes(mark);
        Files.write(mark, before);
        assertInForce(restart(), 4);
        assertThat(mark).hasBinaryContent(after);
        broker.close();
        Files.delete(mark);
        assertInForce(restart(), 4);
        assertThat(mark).hasBinaryContent(after);
    }

    /** A change of the records, as an attacker or a failing disk makes it while the broker is down. */
    private interface Damage {
        void to(Map<String, String> records);
    }

    private void damage(Damage damage) throws Exception {
        broker.close();
        TestBroker bare = start(new TestBroker.Setup(homes, data).bare());
        StorageManager storage = bare.server().getStorageManager();
        Map<String, String> records = new TreeMap<>();
        Objects.requireNonNull(storage.getPersistedKeyValuePairs(RECORDS))
                .forEach((key, record) -> records.put(key, record.getValue()));
        Map<String, String> damaged = new TreeMap<>(records);
        damage.to(damaged);
        for (String key : records.keySet()) {
            storage.deleteKeyValuePair(RECORDS, key);
        }
        for (Map.Entry<String, String> record : damaged.entrySet()) {
            storage.storeKeyValuePair(new PersistedKeyValuePair(RECORDS, record.getKey(), record.getValue()));
        }
        bare.close();
    }

    @Test
    void sealWithAnotherKey_orWithout_closesAlsoABrokerWithoutAMark() throws Exception {
        Files.delete(homes.broker.policies());
        damage(records -> records.put("1.sebl", Objects.requireNonNull(records.remove("1.seal"))));
        assertClosed(restart(), "unknown key");
        broker.close();
        Files.delete(mark);
        assertClosed(restart(), "unknown key");
        damage(records -> records.remove("1.sebl"));
        assertClosed(restart(), "without their seal");
    }

    /** The first change of a broker writes the mark of a new store first. */
    @Test
    void brokerKilledInItsFirstChange_hasLostNothing() throws Exception {
        damage(records -> records.remove("1.seal"));
        Files.delete(homes.broker.policies());
        homes.broker.policyMark().replace(PolicyMark.Content.NEW);

        try (TestBroker broker = restart()) {
            assertThat(broker.state().state()).isEqualTo(State.READY);
            assertThat(broker.state().policies().version()).isZero();
            change(broker, 0);
        }
        assertThat(restart().state().policies().version()).isEqualTo(1);
    }

    @Test
    void restoredPolicies_areInForce_aboveTheMark_andStayAfterARestart() throws Exception {
        delete(bindings());
        String exported =
                PolicyFile.format(PolicySet.of(2, UnmatchedAddress.PASS, List.of(TestHomes.privacy("orders"))));
        try (TestBroker broker = restart();
                ControlClient admin = new ControlClient(broker)) {
            assertClosed(broker, "version 3 was in force");
            RecordingLogs.forget();

            JsonNode answer = restore(admin, exported);

            assertThat(answer.path("outcome").textValue()).isEqualTo("changed");
            assertThat(answer.path("before").longValue()).isEqualTo(3);
            assertInForce(broker, 4);
            assertThat(AuditLines.of("policies-changed")).singleElement().satisfies(line -> {
                assertThat(line.path("restored").asText()).isEqualTo("lost policies");
                assertThat(line.path("from").asText()).startsWith("127.0.0.1");
            });
            assertThat(restore(admin, exported).path("outcome").textValue()).isEqualTo("refused");
            change(broker, 4);
        }
        assertInForce(restart(), 5);
    }

    @Test
    void formerPolicies_ofABrokerThatLostTheOthers_areReadAndRestored_andNeverRolledBackTo() throws Exception {
        change(restart(), 3);
        damage(Map::clear);
        try (TestBroker broker = restart();
                ControlClient admin = new ControlClient(broker)) {
            assertClosed(broker, "version 4 was in force");

            assertThat(admin.call("listHistory").path("former").findValuesAsText("version"))
                    .containsExactly("3");
            String former = admin.call("listFormerPolicies", 3L, 0).path("text").textValue();
            assertThat(admin.replace(0, former).path("outcome").textValue()).isEqualTo("refused");
            assertThat(broker.state().state()).isEqualTo(State.FAILED);
            assertThat(restore(admin, former).path("version").longValue()).isEqualTo(5);
            assertInForce(broker, 5);
        }
    }

    @Test
    void damagedRecordsAndMark_areRestored() throws Exception {
        damage(records -> records.put("7.0", Objects.requireNonNull(records.remove("1.0"))));
        damage(records -> records.put("?", "?"));
        Files.writeString(mark, "nothing");
        String exported =
                PolicyFile.format(PolicySet.of(8, UnmatchedAddress.REJECT, List.of(TestHomes.privacy("orders"))));
        try (TestBroker broker = restart();
                ControlClient admin = new ControlClient(broker)) {
            assertClosed(broker, "damaged");
            assertThat(restore(admin, "{}").path("outcome").textValue()).isEqualTo("rejected");
            assertThat(broker.state().state()).isEqualTo(State.FAILED);

            assertThat(restore(admin, exported).path("version").longValue()).isEqualTo(9);
        }
        assertInForce(restart(), 9);
    }

    private static JsonNode restore(ControlClient admin, String document) throws Exception {
        String upload = admin.call("beginPolicies", 0L).path("upload").textValue();
        admin.call("addPolicies", upload, 0, document);
        return admin.call("restorePolicies", upload);
    }

    @Test
    void markThatCannotBeWritten_refusesTheChange_andNamesTheFile() throws Exception {
        Path elsewhere = Files.createDirectory(folder.resolve("marks"));
        TestBroker.Setup setup = setup().property("policy-mark", elsewhere.toString());
        try (TestBroker broker = setup.start();
                ControlClient admin = new ControlClient(broker)) {
            assertInForce(broker, 3);
            for (Blocked blocked : Blocked.values()) {
                if (Files.exists(elsewhere)) {
                    delete(elsewhere);
                }
                blocked.make(elsewhere);

                JsonNode answer = admin.call("setPolicy", 3L, PRICES);

                assertThat(answer.path("outcome").textValue()).as("%s", blocked).isEqualTo("refused");
                assertThat(answer.path("reason").textValue())
                        .contains(elsewhere.resolve("policies.mark").toString());
                assertThat(broker.state().policies().version()).isEqualTo(3);
            }
        }
        try (TestBroker broker =
                setup().property("policy-mark", elsewhere.toString()).start()) {
            assertClosed(broker, "version 7 was in force");
            delete(elsewhere);
            Files.createDirectory(elsewhere);
            broker.awaitState(State.READY);
            assertInForce(broker, 3);
        }
    }

    /** Places at which no mark can be written, also by root. */
    private enum Blocked {
        NO_FOLDER,
        FOLDER_IN_ITS_PLACE,
        LINK_IN_ITS_PLACE,
        LATER_MARK;

        void make(Path folder) throws IOException {
            if (this == NO_FOLDER) {
                return;
            }
            Files.createDirectory(folder);
            Path file = folder.resolve("policies.mark");
            switch (this) {
                case FOLDER_IN_ITS_PLACE -> Files.createDirectory(file);
                case LINK_IN_ITS_PLACE -> Files.createSymbolicLink(file, folder.resolve("other"));
                default -> new PolicyMark(folder).replace(PolicyMark.Content.of(7, "of another broker"));
            }
        }
    }

    @Test
    void brokerWithoutAnyPolicies_rejects_ifThePropertyRequiresThem() throws Exception {
        delete(data);
        Files.delete(mark);
        Files.delete(homes.broker.policies());
        try (TestBroker broker = setup().property("require-policies", "true").start();
                ControlClient admin = new ControlClient(broker)) {
            assertClosed(broker, "require-policies");
            restore(
                    admin,
                    PolicyFile.format(PolicySet.of(1, UnmatchedAddress.PASS, List.of(TestHomes.privacy("orders")))));
            assertInForce(broker, 2);
        }
        try (TestBroker broker = setup().property("require-policies", "true").start()) {
            assertInForce(broker, 2);
        }
    }
}
