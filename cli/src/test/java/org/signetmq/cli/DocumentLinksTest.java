/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Follows the links of the documents to files, headings and tests. */
final class DocumentLinksTest {
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern LINK = Pattern.compile("(?<!!)\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
    private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^```.*?^```");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*(?:Test|IT))(?:[#.](\\w+))?`");

    static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        for (Path folder : List.of(PROJECT, PROJECT.resolve("docs"))) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
            }
        }
        return documents;
    }

    @ParameterizedTest
    @MethodSource("documents")
    void linksOfDocument_leadToFilesAndHeadings(Path document) throws IOException {
        List<String> broken = new ArrayList<>();
        for (String link : links(document)) {
            if (!leadsSomewhere(document, link)) {
                broken.add(link);
            }
        }

        assertThat(broken).isEmpty();
    }

    @Test
    void architecture_linksItsStepsToClasses() throws IOException {
        assertThat(links(PROJECT.resolve("docs/architecture.md")).stream().filter(link -> link.endsWith(".java")))
                .hasSizeGreaterThan(20);
    }

    /** Two modules may have a test of one name. */
    @Test
    void testsOfDocuments_exist() throws IOException {
        Map<String, String> sources = new HashMap<>();
        for (Path file : sourcesOfTests()) {
            String name = file.getFileName().toString().replace(".java", "");
            sources.merge(name, Files.readString(file), String::concat);
        }
        List<String> absent = new ArrayList<>();
        for (Path document : documents()) {
            for (MatchResult test :
                    TEST.matcher(Files.readString(document)).results().toList()) {
                String source = sources.get(test.group(1));
                if (source == null || (test.group(2) != null && !source.contains(" " + test.group(2) + "("))) {
                    absent.add(document.getFileName() + ": " + test.group());
                }
            }
        }

        assertThat(absent).isEmpty();
    }

    @Test
    void eachDesignDecision_namesItsTest_orSaysThatThereIsNone() throws IOException {
        String document = Files.readString(PROJECT.resolve("docs/design-decisions.md"));
        List<String> decisions = Pattern.compile("(?ms)^- \\*\\*.*?(?=^- |^#|\\z)")
                .matcher(document)
                .results()
                .map(MatchResult::group)
                .toList();

        assertThat(decisions).hasSizeGreaterThan(90);
        assertThat(decisions)
                .allMatch(decision -> TEST.matcher(decision).find()
                        || decision.replaceAll("\\s+", " ").contains(" No test: "));
    }

    /** It does not look into the folders that other tests write. */
    private static List<Path> sourcesOfTests() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(PROJECT)) {
            for (Path folder : modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(folder)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                }
            }
        }
        return sources;
    }

    private static List<String> links(Path document) throws IOException {
        return LINK.matcher(Files.readString(document))
                .results()
                .map(found -> found.group(1))
                .filter(link -> !link.matches("[a-z]+:.*"))
                .toList();
    }

    private static boolean leadsSomewhere(Path document, String link) throws IOException {
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path target = file.isEmpty() ? document : document.resolveSibling(file);
        return Files.exists(target) && (hash < 0 || anchors(target).contains(link.substring(hash + 1)));
    }

    /** The names under which a heading can be linked to: lower case, hyphens for spaces, no punctuation. */
    private static List<String> anchors(Path document) throws IOException {
        List<String> anchors = new ArrayList<>();
        Matcher headings =
                HEADING.matcher(CODE_BLOCK.matcher(Files.readString(document)).replaceAll(""));
        while (headings.find()) {
            anchors.add(headings.group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-'));
        }
        return anchors;
    }
}
