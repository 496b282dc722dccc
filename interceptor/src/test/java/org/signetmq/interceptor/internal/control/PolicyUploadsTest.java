/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class PolicyUploadsTest {
    private static final String PART = "x".repeat(ControlAnswers.LONGEST_PART);

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final PolicyUploads uploads = new PolicyUploads(() -> now);

    @Test
    void uploadWithoutACallForTenMinutes_ends_andOneInUseStays() {
        String idle = uploads.begin("anna", 1);
        String used = uploads.begin("anna", 1);
        now = now.plus(Duration.ofMinutes(6));
        uploads.add(used, "anna", 0, "text");
        now = now.plus(Duration.ofMinutes(6));

        assertThat(uploads.required(used, "anna").text()).hasToString("text");
        assertThatThrownBy(() -> uploads.required(idle, "anna")).hasMessageContaining("begin again");
    }

    @Test
    void parts_inOrder_makeTheDocument() {
        String id = uploads.begin("anna", 3);

        assertThat(uploads.add(id, "anna", 0, "one ")).isEqualTo(4);
        assertThat(uploads.add(id, "anna", 4, "two")).isEqualTo(7);

        PolicyUploads.Upload upload = uploads.required(id, "anna");
        assertThat(upload.text().toString()).isEqualTo("one two");
        assertThat(upload.version()).isEqualTo(3);
    }

    @Test
    void partAtAnotherPlace_isRejected() {
        String id = uploads.begin("anna", 3);
        int unused = uploads.add(id, "anna", 0, "one");

        for (int offset : new int[] {-1, 0, 2, 4, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> uploads.add(id, "anna", offset, "two")).hasMessageContaining("begin again");
        }
    }

    @Test
    void uploadOfAnotherUser_isUnknown() {
        String id = uploads.begin("anna", 3);

        assertThatThrownBy(() -> uploads.add(id, "eve", 0, "text")).hasMessageContaining("no such upload");
        assertThatThrownBy(() -> uploads.required(id, null)).hasMessageContaining("no such upload");
    }

    @Test
    void longPart_isRejected() {
        String id = uploads.begin(null, 0);

        assertThatThrownBy(() -> uploads.add(id, null, 0, PART + "x")).hasMessageContaining("at most 30000");
    }

    @Test
    void furtherUploads_endTheOldest() {
        String first = uploads.begin(null, 0);
        for (int i = 0; i < PolicyUploads.MOST; i++) {
            String unused = uploads.begin(null, 0);
        }

        assertThatThrownBy(() -> uploads.required(first, null)).hasMessageContaining("no such upload");
    }

    @Test
    void allUploadsTogether_haveALimit() {
        String other = uploads.begin(null, 0);
        int unused = uploads.add(other, null, 0, PART);
        String id = uploads.begin(null, 0);
        int offset = 0;
        while (offset + PART.length() <= PolicyUploads.LONGEST) {
            offset = uploads.add(id, null, offset, PART);
        }
        int full = offset;

        assertThatThrownBy(() -> uploads.add(id, null, full, PART)).hasMessageContaining("name fewer policies");
        assertThatThrownBy(() -> uploads.required(other, null)).hasMessageContaining("no such upload");
        uploads.end(id);
        assertThat(uploads.add(uploads.begin(null, 0), null, 0, PART)).isEqualTo(PART.length());
    }
}
