/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.testkit.Run;

/** The documents as a site, as {@code docs-site/build.sh} renders them for a release. */
final class DocumentSiteIT {
    private static final Path SCRIPT = Path.of("../docs-site/build.sh").toAbsolutePath();
    private static final Pattern REFERENCE = Pattern.compile("<(\\w+)\\b[^>]*?\\b(?:href|src)=\"?([^\"> ]*)");

    @TempDir
    private static Path folder;

    private static Path site;

    @BeforeAll
    static void render() throws IOException {
        Assumptions.assumeTrue(Run.isInstalled("python3"), "no python3 to render the documents with");
        site = folder.resolve("site");
        assertThat(Run.of(SCRIPT.toString(), site.toString()).ok().text()).isEmpty();
    }

    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile)
                    .map(root::relativize)
                    .sorted()
                    .toList();
        }
    }

    private static List<Path> pages() throws IOException {
        return files(site).stream()
                .filter(file -> file.toString().endsWith(".html"))
                .toList();
    }

    @Test
    void siteRenderedTwice_isTheSameInEachByte() throws IOException {
        Path second = folder.resolve("second");
        Run.of(SCRIPT.toString(), second.toString()).ok();

        assertThat(files(second)).isEqualTo(files(site));
        for (Path file : files(site)) {
            assertThat(Files.mismatch(site.resolve(file), second.resolve(file)))
                    .as(file.toString())
                    .isEqualTo(-1);
        }
    }

    @Test
    void everyDocument_isAPage() throws IOException {
        try (Stream<Path> documents = Files.list(Path.of("../docs"))) {
            assertThat(documents.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".md")))
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(site.resolve(name.replace(".md", ".html")))
                            .exists());
        }
        assertThat(site.resolve("charts/tls.png")).exists();
        assertThat(site.resolve("page-state-dark.png")).exists();
    }

    @Test
    void everyReference_leadsToAFileAndAnAnchor() throws IOException {
        List<String> dead = new ArrayList<>();
        int seen = 0;
        for (Path page : pages()) {
            for (Reference reference : references(page)) {
                seen++;
                if (!reference.isAlive(page)) {
                    dead.add(page + ": " + reference);
                }
            }
        }

        assertThat(dead).isEmpty();
        assertThat(seen).isGreaterThan(1000);
    }

    @Test
    void everyTable_isOne() throws IOException {
        for (Path page : pages()) {
            assertThat(Files.readString(site.resolve(page))).as(page.toString()).doesNotContain("<p>|", "<td>|");
        }
    }

    private static List<Reference> references(Path page) throws IOException {
        return REFERENCE
                .matcher(Files.readString(site.resolve(page)))
                .results()
                .map(found -> new Reference(found.group(1), found.group(2)))
                .toList();
    }

    /** What an element of a page refers to. */
    private record Reference(String element, String target) {
        /** A link may lead to another host, from which a page loads nothing. */
        boolean isAlive(Path page) throws IOException {
            URI uri = URI.create(target);
            if (uri.isAbsolute()) {
                return element.equals("a") && uri.getScheme().equals("https");
            }
            Path file = uri.getPath().isEmpty()
                    ? site.resolve(page)
                    : site.resolve(page).resolveSibling(uri.getPath()).normalize();
            if (file.equals(site)) {
                return true;
            }
            return file.startsWith(site)
                    && Files.isRegularFile(file)
                    && (uri.getFragment() == null || hasAnchor(file, uri.getFragment()));
        }

        private static boolean hasAnchor(Path file, String anchor) throws IOException {
            return Files.readString(file, StandardCharsets.UTF_8).contains("id=\"" + anchor + "\"");
        }
    }

    @Test
    void search_withoutAServer_findsAWord_andLeadsToItsPage() throws IOException {
        Queue<String> asked = new ConcurrentLinkedQueue<>();
        try (HeadlessBrowser browser = HeadlessBrowser.start();
                Page page = browser.browser().newPage()) {
            page.onRequest(request -> asked.add(request.url()));
            page.navigate(site.resolve("index.html").toUri().toString());
            page.locator("[name=query]").click();
            page.locator("[name=query]").pressSequentially("quarantine");
            Locator found = page.locator(".md-search-result__link[href*='operations.html']")
                    .first();
            found.waitFor();
            found.click();
            page.waitForURL(url -> url.contains("operations.html"));

            assertThat(page.locator("h1").innerText()).startsWith("Operations");
        }
        assertThat(asked).hasSizeGreaterThan(5).allMatch(url -> Pattern.matches("(file|data|blob):.*", url));
    }

    @Test
    void script_withoutPython_saysSoInOneLine() throws IOException {
        Path tools = Files.createDirectory(folder.resolve("tools"));
        for (String tool : List.of("dirname", "sh")) {
            Files.createSymbolicLink(tools.resolve(tool), Path.of("/usr/bin", tool));
        }

        Run run = Run.of(
                folder,
                List.of("/bin/sh", SCRIPT.toString(), folder.resolve("none").toString()),
                Map.of("PATH", tools.toString()));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.text())
                .isEqualTo("docs-site: error: no python3 found; install Python 3.11 or later with its module venv\n");
        assertThat(folder.resolve("none")).doesNotExist();
    }
}
