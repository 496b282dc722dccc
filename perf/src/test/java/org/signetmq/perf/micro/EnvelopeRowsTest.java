/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.perf.Payload;

final class EnvelopeRowsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "open.integrity.warm.p256",
                "open.privacy.warm.rsa2048",
                "open.confidentiality.warm.p256",
                "open.integrity.cold.rsa2048",
                "open.privacy.cold.rsa2048"
            })
    void openingRow_opensAgainAndAgain(String row) throws Exception {
        RowName name = RowName.parse(row);
        try (Scene scene = new Scene(name)) {
            Operation operation = EnvelopeRows.operation(name, scene);

            for (int i = 0; i < 300; i++) {
                assertThat(operation.run())
                        .isInstanceOfSatisfying(
                                OpenedMessage.class,
                                opened -> assertThat(opened.payload()).isEqualTo(Payload.ofSize(2048)));
            }
        }
    }

    @Test
    void coldMessage_costsAnUnwrap_whenItComesRoundAgainToo() throws Exception {
        RowName name = RowName.parse("open.confidentiality.cold.p256.256");
        try (Scene scene = new Scene(name);
                Opener opener = scene.opener()) {
            Operation operation =
                    EnvelopeRows.inTurn(opener, EnvelopeRows.sealedByMany(scene, Payload.ofSize(name.size())));
            int opens = EnvelopeRows.FORGOTTEN + EnvelopeRows.FORGOTTEN / 2;

            for (int i = 0; i < opens; i++) {
                operation.run();
            }

            assertThat(opener.unwraps()).isEqualTo(opens);
        }
    }
}
