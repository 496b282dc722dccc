/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.exception.NotARecipientException;
import org.signetmq.interceptor.internal.status.PluginStatus.State;
import org.signetmq.keystore.Identity;
import org.signetmq.policy.PolicySet;

/** A key for each tenant, which the address names. */
final class TenantKeysIT {
    private static final Map<String, Identity> KEYS = new ConcurrentHashMap<>();

    private static TestBroker broker;
    private static TestHomes homes;
    private static ControlClient admin;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder).property("policy-store", "broker");
        homes = setup.homes();
        for (String tenant : List.of("acme", "other")) {
            KEYS.put(tenant, homes.create(homes.broker, tenant + "-archive"));
        }
        broker = setup.start();
        admin = new ControlClient(broker);
        assertThat(admin.outcome(
                        "setPolicy",
                        0L,
                        "{\"pattern\": \"tenant.{t}.#\", \"quality\": \"privacy\", \"recipients\": [\"{t}-archive\"]}"))
                .isEqualTo("changed");
    }

    @AfterAll
    static void stop() throws Exception {
        admin.close();
        broker.close();
    }

    private static byte[] opened(byte[] sealed, String address, String tenant) {
        try (Opener opener = Opener.create(
                new Opener.Keys(
                        List.of(Objects.requireNonNull(KEYS.get(tenant))),
                        homes.broker.recipientDirectory(),
                        homes.broker.certificateTrust()),
                () -> PolicySet.EMPTY)) {
            return opener.open(sealed, address).payload();
        }
    }

    @Test
    void message_isForItsTenantAlone() throws Exception {
        for (String tenant : KEYS.keySet()) {
            String address = "tenant." + tenant + ".orders";
            try (QueueReader reader = new QueueReader(broker).queue(address)) {
                Producers.CORE.send(broker, address, "a payload");
                byte[] sealed = reader.nextBody(address);

                assertThat(opened(sealed, address, tenant)).isEqualTo(Producers.utf8("a payload"));
                String stranger = tenant.equals("acme") ? "other" : "acme";
                assertThatThrownBy(() -> opened(sealed, address, stranger)).isInstanceOf(NotARecipientException.class);
            }
        }
        assertThat(broker.state().state()).isEqualTo(State.READY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stranger", "acme-archive"})
    void addressOfAnUnknownTenant_isRejectedWithTheReason(String tenant) {
        assertThatThrownBy(() -> Producers.CORE.send(broker, "tenant." + tenant + ".orders", "a payload"))
                .hasMessageContaining("-archive'");
        assertThat(broker.state().state()).isEqualTo(State.READY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CN=acme", "a b", "{t}", "", "acme\\.x"})
    void addressWithoutATenant_isRejectedWithTheReason(String tenant) {
        assertThatThrownBy(() -> Producers.CORE.send(broker, "tenant." + tenant + ".orders", "a payload"))
                .hasMessageContaining("the address gives no value for {t}");
        assertThat(broker.state().state()).isEqualTo(State.READY);
    }

    @Test
    void query_showsTheRecipientsOfTheAddress() throws Exception {
        JsonNode answer = admin.call("queryPolicy", "tenant.acme.orders.eu");

        assertThat(answer.path("policy").textValue()).isEqualTo("tenant.{t}.#@1");
        assertThat(answer.path("definition").path("recipients").path(0).textValue())
                .isEqualTo("acme-archive");
    }

    @Test
    void certificatesOfTenants_areListed() throws Exception {
        assertThat(admin.call("listCertificates").toString())
                .contains("\"name\":\"recipients/acme-archive\"", "\"name\":\"recipients/other-archive\"");
    }

    @Test
    void impact_showsTheRecipientsOfEachTouchedAddress() throws Exception {
        broker.createQueue("tenant.acme.impact");
        String impact = admin.call(
                        "judgeImpact",
                        version(),
                        "{\"pattern\": \"tenant.{t}.#\", \"quality\": \"privacy\", \"recipients\": [\"{t}-archive\", \"broker\"]}")
                .toString();

        assertThat(impact)
                .contains("tenant.acme.impact", "[\\\"acme-archive\\\"]", "[\\\"acme-archive\\\",\\\"broker\\\"]");
    }

    private static long version() throws Exception {
        return admin.call("getLastChange").path("version").longValue();
    }
}
