/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChartFolderTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void check_makesTheFolder_andLeavesNothingInIt() throws IOException {
        Path charts = folder.resolve("deep/charts");

        new ChartFolder(charts).check();

        assertThat(charts).isEmptyDirectory();
    }

    @Test
    void fileInItsPlace_isNoFolder() throws IOException {
        Path file = Files.createFile(folder.resolve("charts"));

        assertThatIOException().isThrownBy(new ChartFolder(file)::check).withMessage("is not a folder");
    }

    @Test
    void fileInThePlaceOfAParent_keepsTheFolderFromBeingMade() throws IOException {
        Path charts = Files.createFile(folder.resolve("file")).resolve("charts");

        assertThatIOException().isThrownBy(new ChartFolder(charts)::check).withMessage("the folder cannot be made");
    }
}
