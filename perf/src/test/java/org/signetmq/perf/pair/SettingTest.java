/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.perf.pair.BrokerMain.Replication;
import org.signetmq.perf.pair.Exchange.Mailboxes;
import org.signetmq.perf.pair.Setting.KeyKind;
import org.signetmq.perf.pair.Setting.Protection;
import org.signetmq.perf.process.Requests;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.SignatureSharing;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;

/** Settings and loads, which travel to other processes as JSON. */
final class SettingTest {
    @Test
    void label_namesAllThatIsUnusual() {
        assertThat(Setting.NONE.label()).isEqualTo("none");
        assertThat(Setting.of(Protection.PRIVACY, "32", KeyKind.RSA2048).label())
                .isEqualTo("privacy.rsa2048");
        assertThat(Setting.of(Protection.AMS_CONFIDENTIALITY, "8", KeyKind.P256).label())
                .isEqualTo("ams.confidentiality.8");
        assertThat(Setting.confidentiality(KeyKind.P256)
                        .withKeys(5, "4-100")
                        .withTls()
                        .withDisk("plain")
                        .label())
                .isEqualTo("confidentiality.32.p256+r5+pool-4-100+tls@plain");
    }

    @Test
    void setting_andLoad_areTheSame_afterTheWayThroughJson() {
        Setting setting =
                Setting.confidentiality(KeyKind.RSA2048).withKeys(5, "off").withTls();
        Load load = Load.of(3, 2, 100).withAnonymousProducers().withMemory(10);
        Replication replication = new Replication(true, 1, 2);

        assertThat(Requests.of(Requests.json(setting), Setting.class)).isEqualTo(setting);
        assertThat(Requests.of(Requests.json(load), Load.class)).isEqualTo(load);
        assertThat(Requests.of(Requests.json(replication), Replication.class)).isEqualTo(replication);
        Stock stock = Requests.of(Requests.json(new Stock("q", true, 3, new byte[] {1, 2})), Stock.class);
        assertThat(stock.payload()).containsExactly(1, 2);
    }

    @Test
    void unknownReuse_orPool_isRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Setting.of(Protection.CONFIDENTIALITY, "some", KeyKind.P256));
        assertThatIllegalArgumentException().isThrownBy(() -> Setting.NONE.withKeys(1, "4,100"));
        assertThatIllegalArgumentException().isThrownBy(() -> Load.of(0, 1, 1));
    }

    @ParameterizedTest
    @EnumSource(names = {"INTEGRITY", "PRIVACY", "PRIVACY_SHARED", "CONFIDENTIALITY"})
    void policyForBothKindsOfKeys_isOneThatBrokersRead(Protection protection) {
        Policy policy = Setting.of(protection, protection == Protection.CONFIDENTIALITY ? "32" : "", KeyKind.HYBRID)
                .policy("a", List.of("bob"), "alice");
        PolicySet set = PolicySet.of(1, UnmatchedAddress.PASS, List.of(policy));

        assertThat(PolicyFile.parse(PolicyFile.bytes(set), PartyValidator.acceptAll()))
                .isEqualTo(set);
    }

    @Test
    void policy_hasTheReuse_andThePlaceOfSealing() {
        Policy policy =
                Setting.of(Protection.CLIENT_CONFIDENTIALITY, "8", KeyKind.P256).policy("a", List.of("bob"), "alice");

        assertThat(policy.acceptance().where()).isEqualTo(SealingPlace.CLIENT);
        assertThat(policy.signing().sharing()).isEqualTo(SignatureSharing.SINGLE);
        assertThat(Setting.of(Protection.PRIVACY_SHARED, "", KeyKind.P256)
                        .policy("a", List.of("bob"), "alice")
                        .signing()
                        .sharing())
                .isEqualTo(SignatureSharing.SHARED);
        Setting authenticity = Setting.of(Protection.AUTHENTICITY, "8", KeyKind.P256);
        assertThat(authenticity.label()).isEqualTo("authenticity.8.p256");
        assertThat(authenticity.policy("a", List.of("bob"), "alice"))
                .extracting(Policy::quality, made -> made.encryption().limits().messages())
                .containsExactly(QualityOfProtection.AUTHENTICITY, 8L);
        assertThat(Setting.of(Protection.CONFIDENTIALITY, "8", KeyKind.P256).messagesPerKey())
                .isEqualTo(8);
        assertThat(Setting.of(Protection.CONFIDENTIALITY, "0", KeyKind.P256).messagesPerKey())
                .isEqualTo(1);
        assertThat(Setting.properties("4-100"))
                .isEqualTo(Map.of("key-pregenerator.threads", "4", "key-pregenerator.capacity", "100"));
        assertThat(Setting.properties("off")).isEqualTo(Map.of("key-pregenerator.capacity", "0"));
    }

    @Test
    void load_hasALabel_ifItIsUnusual_andResponders() {
        assertThat(Load.of(81, 1, 2048).label()).isEmpty();
        assertThat(Load.of(81, 1, 2048).withBuffer(2048).label()).isEqualTo("buffer 2048");
        assertThat(Load.of(81, 1, 2048).withWindow(0).label()).isEqualTo("window 0");
        assertThat(Load.ofUploads(8, 80, true).label()).isEqualTo("bursts 80 % small");
        assertThat(Load.of(81, 1, 2048).responders()).isEqualTo(32);
        assertThat(Load.of(81, 40, 2048).responders()).isEqualTo(40);
        assertThat(Load.of(3, 1, 2048).responders()).isEqualTo(3);
    }

    @Test
    void files_haveTheirMix_inEachRun() {
        Mailboxes.FileMix mix = new Mailboxes.FileMix(80);
        int small = 0;
        for (int i = 0; i < 4096; i += 64) {
            assertThat(mix.size(i))
                    .isBetween(1_000, Mailboxes.FileMix.LARGEST)
                    .isEqualTo(new Mailboxes.FileMix(80).size(i + 4096));
            small += mix.size(i) <= 10_000 ? 1 : 0;
        }
        assertThat(small).isBetween(40, 62);
    }
}
