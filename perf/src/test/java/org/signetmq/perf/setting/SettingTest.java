/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.perf.setting.Setting.Place;
import org.signetmq.perf.setting.Setting.Transport;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.policy.Policy;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.Toleration;

final class SettingTest {
    @ParameterizedTest
    @CsvSource({
        "PLAIN,32,RSA2048,plain",
        "NONE,32,RSA2048,none",
        "INTEGRITY,32,RSA2048,integrity.rsa2048",
        "PRIVACY,0,P256,privacy.p256",
        "CONFIDENTIALITY,32,P256,confidentiality.32.p256",
        "CONFIDENTIALITY,unlimited,RSA2048,confidentiality.unlimited.rsa2048",
        "AMS_INTEGRITY,32,P256,ams.integrity",
        "AMS_PRIVACY,32,P256,ams.privacy",
        "AMS_CONFIDENTIALITY,32,P256,ams.confidentiality.32"
    })
    void label_namesWhatMakesADifference(Protection protection, String reuse, KeyKind key, String label) {
        Setting setting = Setting.of(protection, new Reuse(reuse), key);

        assertThat(setting.label()).isEqualTo(label);
        assertThat(setting.in(new Place(Transport.TLS, "ssd")).label()).isEqualTo(label + "+tls@ssd");
        assertThat(setting.in(new Place(Transport.TCP, "ssd")).label()).isEqualTo(label + "@ssd");
    }

    static List<Setting> settings() {
        List<Setting> settings = new ArrayList<>();
        for (Protection protection : Protection.values()) {
            for (Reuse reuse : List.of(Reuse.NONE, new Reuse("32"), Reuse.UNLIMITED)) {
                for (KeyKind key : KeyKind.values()) {
                    Setting setting = Setting.of(protection, reuse, key);
                    settings.add(setting);
                    settings.add(setting.in(new Place(Transport.TLS, "")));
                    settings.add(setting.in(new Place(Transport.TCP, "slow")));
                }
            }
        }
        return settings;
    }

    @ParameterizedTest
    @MethodSource("settings")
    void setting_comesBackFromJson(Setting setting) {
        assertThat(Setting.of(setting.json())).isEqualTo(setting);
        assertThat(setting.json().text("setting")).isEqualTo(setting.label());
    }

    @Test
    void settingsOfOneLabel_areTheSame() {
        List<Setting> distinct = settings().stream().distinct().toList();

        assertThat(distinct).extracting(Setting::label).doesNotHaveDuplicates();
        assertThat(Setting.of(Protection.NONE, Reuse.UNLIMITED, KeyKind.RSA2048))
                .isEqualTo(Setting.NONE);
        assertThat(Setting.of(Protection.PLAIN, Reuse.UNLIMITED, KeyKind.RSA2048))
                .isEqualTo(Setting.PLAIN);
    }

    @ParameterizedTest
    @MethodSource("settings")
    void baseline_hasTheSamePlace(Setting setting) {
        assertThat(setting.baseline().protection()).isEqualTo(Protection.NONE);
        assertThat(setting.baseline().place()).isEqualTo(setting.place());
    }

    @Test
    void unlimited_differsInReuseAlone() {
        Setting limited = Setting.of(Protection.CONFIDENTIALITY, new Reuse("32"), KeyKind.RSA2048)
                .in(new Place(Transport.TLS, ""));

        assertThat(limited.unlimited().label()).isEqualTo("confidentiality.unlimited.rsa2048+tls");
        assertThat(Setting.of(Protection.PRIVACY, Reuse.NONE, KeyKind.P256).unlimited())
                .as("keys are never reused")
                .isEqualTo(Setting.of(Protection.PRIVACY, Reuse.NONE, KeyKind.P256));
    }

    @Test
    void unprotectedSetting_namesNoKeyInJson() {
        assertThat(Setting.NONE.json().text("key")).isEqualTo("none");
        assertThat(Setting.of(Protection.AMS_PRIVACY, Reuse.NONE, KeyKind.P256)
                        .json()
                        .text("key"))
                .isEqualTo("rsa2048");
    }

    @Test
    void policy_hasTheQualityAndTheLimitsOfTheSetting() {
        Setting setting = Setting.of(Protection.CONFIDENTIALITY, new Reuse("32"), KeyKind.P256);

        var policy = setting.policy("rr.#", List.of("recipient"));

        assertThat(policy.quality()).isEqualTo(QualityOfProtection.CONFIDENTIALITY);
        assertThat(policy.encryption().limits().messages()).isEqualTo(32);
        assertThat(policy.acceptance().where()).isEqualTo(SealingPlace.EITHER);
    }

    @Test
    void policy_ofClientsThatSeal_rejectsMessagesInClear() {
        Setting setting = Setting.of(Protection.CLIENT_CONFIDENTIALITY, new Reuse("32"), KeyKind.P256);

        var acceptance = setting.policy("rr.#", List.of("recipient")).acceptance();

        assertThat(acceptance).isEqualTo(new Policy.Acceptance(Toleration.ENFORCE, SealingPlace.CLIENT));
        assertThat(setting.label()).isEqualTo("client.confidentiality.32.p256");
    }

    @Test
    void unknownProtection_isRejected_withAllLabels() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Protection.named("secrecy"))
                .withMessage("quality: must be one of plain, none, integrity, privacy, confidentiality,"
                        + " client.confidentiality, ams.integrity,"
                        + " ams.privacy, ams.confidentiality, found 'secrecy'");
    }

    @Test
    void protection_isOfOneProductAtMost() {
        assertThat(Protection.values())
                .noneMatch(protection -> protection.isAms() && protection.isSignet())
                .allMatch(
                        protection -> protection.quality().isPresent() == (protection.isAms() || protection.isSignet()))
                .allMatch(protection -> Protection.named(protection.label()) == protection);
        assertThat(Protection.values())
                .filteredOn(Protection::reusesKeys)
                .containsExactly(
                        Protection.CONFIDENTIALITY, Protection.CLIENT_CONFIDENTIALITY, Protection.AMS_CONFIDENTIALITY);
    }
}
