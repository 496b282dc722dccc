/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.cli.command.message.BrowsedMessage.BrowsedPayload;
import org.signetmq.cli.console.Json;

final class BrowsedPayloadTest {
    @Test
    void textOfOthers_cannotSteerATerminal() {
        BrowsedPayload payload = new BrowsedPayload("text", 12L, "red \u001b[31m\nnext", null, false);

        assertThat(payload.lines()).isEqualTo(List.of("red  [31m", "next"));
        assertThat(payload.summary()).isEqualTo("text, 12 characters");
    }

    @Test
    void bytesThatAreNoText_areShownAsBase64() {
        BrowsedPayload payload = new BrowsedPayload("bytes", 9L, null, new byte[] {0, 1, 2}, true);

        assertThat(payload.lines()).containsExactly("AAEC");
        assertThat(payload.summary()).isEqualTo("bytes, 9 bytes, not all of it shown, as base64");
        assertThat(Json.answer(payload).get("base64").asText()).isEqualTo("AAEC");
        assertThat(Json.answer(payload).get("truncated").asBoolean()).isTrue();
    }
}
