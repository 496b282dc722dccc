/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.envelope.exception.AddressMismatchException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.policy.internal.text.Quoted;
import org.signetmq.testkit.Tier;

final class TextCleanersTest {
    /** Neither module may import the other, so each has the list of characters. */
    @Tag(Tier.LONG)
    @Test
    void policyAndKeystore_replaceTheSameCharacters() {
        for (int character = 0; character <= Character.MAX_CODE_POINT; character++) {
            String text = Character.toString(character);

            assertThat(Quoted.text(text)).isEqualTo('"' + PrintableText.of(text) + '"');
        }
    }

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
