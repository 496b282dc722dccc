/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.setting;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.perf.setting.Setting.Place;
import org.signetmq.perf.setting.Setting.Transport;
import org.signetmq.perf.upload.Uploads;
import org.signetmq.perf.upload.Uploads.Arrival;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.KeySupply;
import org.signetmq.perf.variant.Reuse;

/** Loads and settings of uploads. */
final class UploadLoadTest {
    private static final Setting CONFIDENTIALITY = Setting.of(Protection.CONFIDENTIALITY, Reuse.NONE, KeyKind.RSA2048);

    @ParameterizedTest
    @EnumSource
    void load_comesBackFromJson(Arrival arrival) {
        Load load = Load.of(8, new Uploads(80, arrival));

        assertThat(Load.of(load.json())).isEqualTo(load);
        assertThat(load.queues()).as("a mailbox for each").isEqualTo(8);
    }

    @Test
    void setting_comesBackFromJson_withRecipientsAndPool() {
        Setting setting = CONFIDENTIALITY.in(new Place(Transport.TLS, "ssd", new KeySupply(20, "32-1000")));

        assertThat(Setting.of(setting.json())).isEqualTo(setting);
        assertThat(setting.label()).isEqualTo("confidentiality.0.rsa2048+r20+pool-32-1000+tls@ssd");
    }

    @Test
    void usualSupply_isLeftOut() {
        Setting setting = CONFIDENTIALITY.in(Place.with(KeySupply.USUAL));

        assertThat(setting).isEqualTo(CONFIDENTIALITY);
        assertThat(setting.json().has("pool")).isFalse();
    }
}
