/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.signetmq.cli.demo.Demo.Lane;
import org.signetmq.policy.QualityOfProtection;

final class ReportTest {
    @Test
    void hidingQuality_onePayloadInClear_isNotOk() {
        assertThat(row(QualityOfProtection.PRIVACY, 2, 0).ok()).isTrue();
        assertThat(row(QualityOfProtection.PRIVACY, 2, 1).ok()).isFalse();
        assertThat(row(QualityOfProtection.CONFIDENTIALITY, 2, 1).ok()).isFalse();
    }

    @Test
    void anyQuality_oneMissing_isNotOk() {
        assertThat(row(QualityOfProtection.PRIVACY, 1, 0).ok()).isFalse();
        assertThat(row(QualityOfProtection.NONE, 1, 2).ok()).isFalse();
    }

    @Test
    void openQuality_searchFindsNothing_isNotOk() {
        assertThat(row(QualityOfProtection.NONE, 2, 2).ok()).isTrue();
        assertThat(row(QualityOfProtection.NONE, 2, 0).ok()).isFalse();
        assertThat(row(QualityOfProtection.INTEGRITY, 2, 0).ok()).isFalse();
    }

    private static Demo.Report.Row row(QualityOfProtection quality, int opened, int inClear) {
        Lane lane = new Lane(Lane.Protocol.AMQP, quality);
        return Demo.Report.Row.of(lane, new DemoClients.Received(2, opened, 0), inClear, new Demo.Report.Timing(0, 0));
    }
}
