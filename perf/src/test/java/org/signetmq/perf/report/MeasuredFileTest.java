/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MeasuredFileTest {
    @TempDir
    private Path folder;

    @Test
    void filesOfAFolder_comeByName_aFirstRunBeforeTheSecond() throws Exception {
        file("rr-2.json", "{}");
        file("rr.json", "{}");
        file("keys.json", "{}");
        file("notes.md", "no JSON");
        Path other = file("other", "{}");

        List<MeasuredFile> files = MeasuredFile.read(List.of(other, folder));

        assertThat(files).extracting(MeasuredFile::name).containsExactly("other", "keys", "rr", "rr-2");
    }

    @Test
    void kind_isTheCommandThatWroteTheFile() throws Exception {
        Path file = file("a.json", "{\"command\":\"./signet perf figure 3 --json a.json\"}");

        assertThat(MeasuredFile.read(List.of(file, file("b.json", "{}"))))
                .extracting(MeasuredFile::kind)
                .containsExactly("figure", "");
    }

    @Test
    void processor_isNamedWithoutItsMarks() throws Exception {
        Path file = file("a.json", "{\"machine\":{\"processor\":\"Intel(R) Xeon(R) Processor\"}}");

        assertThat(MeasuredFile.read(List.of(file, file("b.json", "{}"))))
                .extracting(MeasuredFile::processor)
                .containsExactly("Intel Xeon", "");
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
