/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.signetmq.envelope.exception.AddressMismatchException;
import org.signetmq.keystore.PrintableText;

final class TextCleanersTest {
    @Test
    void exceptionOfAnEnvelope_hasAFitTextOfALimitedLength() {
        String hostile = "a\nb\u001b[31m\u202e" + "x".repeat(10_000);

        assertThat(new AddressMismatchException(hostile))
                .hasMessageStartingWith("a?b?[31m?x")
                .extracting(Throwable::getMessage)
                .asString()
                .hasSize(PrintableText.LONGEST_REASON);
    }
}
