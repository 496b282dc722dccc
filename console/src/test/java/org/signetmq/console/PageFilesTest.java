/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files of the page, as they are reviewed. */
final class PageFilesTest {
    private static final Path PAGE = Path.of("src/main/webapp");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import .* from '([^']+)';");
    private static final Pattern REFERENCE = Pattern.compile("(?:href|src)=\"([^\"#]+)\"");
    private static final Pattern META = Pattern.compile("Content-Security-Policy\" content=\"([^\"]+)\"");

    private static List<Path> files(String ending) throws IOException {
        try (Stream<Path> all = Files.walk(PAGE)) {
            return all.filter(file -> file.toString().endsWith(ending)).toList();
        }
    }

    @Test
    void scripts_makeNoMarkupAndNoCodeFromText() throws IOException {
        assertThat(files(".js"))
                .hasSizeGreaterThan(5)
                .allSatisfy(file -> assertThat(Files.readString(file))
                        .startsWith("// SPDX-License-Identifier: Apache-2.0\n")
                        .doesNotContain(
                                "innerHTML",
                                "outerHTML",
                                "insertAdjacentHTML",
                                "document.write",
                                "eval(",
                                "new Function",
                                "http://",
                                "https://",
                                "localStorage"));
    }

    @Test
    void imports_areFilesOfThePage() throws IOException {
        for (Path file : files(".js")) {
            Matcher imports = IMPORT.matcher(Files.readString(file));
            while (imports.find()) {
                Path imported = file.resolveSibling(imports.group(1)).normalize();
                assertThat(isThere(imported)).as(file + ": " + imports.group(1)).isTrue();
            }
        }
    }

    @Test
    void document_refersToItsOwnFiles_andHasNoInlineScriptOrStyle() throws IOException {
        String html = Files.readString(PAGE.resolve("index.html"));
        Matcher references = REFERENCE.matcher(html);
        while (references.find()) {
            assertThat(isThere(PAGE.resolve(references.group(1))))
                    .as(references.group(1))
                    .isTrue();
        }
        assertThat(html).doesNotContainPattern("\\son[a-z]+=").doesNotContain("<style", "style=");
        assertThat(html).doesNotContainPattern("<script[^>]*>[^<]");
    }

    /** A library is unpacked by the build. */
    private static boolean isThere(Path file) {
        Path unpacked = Path.of("target/uplot").resolve(file.getFileName());
        return file.startsWith(PAGE.resolve("uplot")) ? Files.exists(unpacked) : Files.exists(file);
    }

    @Test
    void document_repeatsTheContentSecurityPolicyOfTheHeader() throws IOException {
        Matcher meta = META.matcher(Files.readString(PAGE.resolve("index.html")));

        assertThat(meta.find()).isTrue();
        assertThat(meta.group(1) + "; frame-ancestors 'none'").isEqualTo(SecurityHeaders.CONTENT_SECURITY_POLICY);
        assertThat(SecurityHeaders.CONTENT_SECURITY_POLICY).doesNotContain("unsafe", "*", "http");
    }

    @Test
    void licenceOfTheLibrary_isInTheArchive() {
        assertThat(Path.of("target/uplot/LICENSE")).content().contains("MIT License");
    }
}
