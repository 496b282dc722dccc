/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.perf.upload.Uploads.Arrival;

final class UploadsTest {
    @ParameterizedTest
    @EnumSource
    void arrival_isFoundByItsLabel(Arrival arrival) {
        assertThat(Arrival.named(arrival.label())).isEqualTo(arrival);
    }

    @Test
    void unknownArrival_isRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> Arrival.named("floods"));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 101})
    void shareThatIsNone_isRejected(int percent) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Uploads(percent, Arrival.STREAM))
                .withMessage("small files: must be 0 to 100 percent, found " + percent);
    }
}
