/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.keys.CryptoProviders;

class QuarantineNoteTest {
    private static String id(Map<String, String> properties, String body) {
        return QuarantineNote.duplicateId(
                properties::get, CryptoProviders.digest("SHA-256").digest(body.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void duplicateId_knownInput_staysTheSame() {
        assertThat(id(
                        Map.of(
                                QuarantineNote.ADDRESS, "orders",
                                QuarantineNote.QUEUE, "orders",
                                QuarantineNote.MESSAGE, "ID:1"),
                        "x"))
                .isEqualTo("sq-8bf1f91c40b6d476a862f9b0ba82bd15c85949f9fcfaf2c532bd42b5ed51201b");
    }

    @Test
    void duplicateId_otherPartOrDivision_differs() {
        Map<String, String> one = Map.of(QuarantineNote.ADDRESS, "ab", QuarantineNote.QUEUE, "c");

        assertThat(id(one, "x"))
                .isNotEqualTo(id(one, "y"))
                .isNotEqualTo(id(Map.of(QuarantineNote.ADDRESS, "a", QuarantineNote.QUEUE, "bc"), "x"))
                .isEqualTo(id(
                        Map.of(QuarantineNote.ADDRESS, "ab", QuarantineNote.QUEUE, "c", QuarantineNote.MESSAGE, ""),
                        "x"));
    }
}
