/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.signetmq.cli.command.message.BrowsedMessage.BrowsedPayload;

final class BrowsedMessageTest {
    @Test
    void openedMessage_isShownWithoutWhatIsUnknown() {
        BrowsedPayload payload = new BrowsedPayload("text", 6L, "apples", null, false);
        BrowsedMessage message = new BrowsedMessage(
                "ID:1", null, null, Map.of("amount", 3), "privacy", "CN=broker", null, null, payload, null);

        assertThat(message.lines(2))
                .containsExactly(
                        "message 2",
                        "  id          ID:1",
                        "  property    amount=3",
                        "  quality     privacy",
                        "  signer      CN=broker",
                        "  payload     text, 6 characters",
                        "    apples");
        assertThat(message.isSealedForAnotherAddress()).isFalse();
    }

    @Test
    void textOfOthers_breaksNoLine_andCannotSteerATerminal() {
        BrowsedMessage message = new BrowsedMessage(
                "a\u001b[31m", null, "b\nc", Map.of("k\r", "v\u009b1m"), null, null, null, null, null, null);

        assertThat(message.lines(1))
                .containsExactly("message 1", "  id          a [31m", "  correlation b c", "  property    k =v 1m");
    }

    @Test
    void messageForAnotherAddress_isToldAsSuch() {
        BrowsedMessage.Failure failure = new BrowsedMessage.Failure("ADDRESS_MISMATCH", "sealed for another");
        BrowsedMessage message = new BrowsedMessage(null, null, null, Map.of(), null, null, null, null, null, failure);

        assertThat(message.isSealedForAnotherAddress()).isTrue();
        assertThat(message.lines(1)).containsExactly("message 1", "  not opened  sealed for another");
    }
}
