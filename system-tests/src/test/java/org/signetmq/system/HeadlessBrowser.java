/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.signetmq.testkit.Run;

/**
 * The machine's own Chromium without a window.
 *
 * @param playwright drives the browser
 * @param browser the browser
 * @param axe a script that checks a page for barriers
 */
record HeadlessBrowser(Playwright playwright, Browser browser, String axe) implements AutoCloseable {
    private static final Path CHROMIUM = Path.of(System.getProperty("signet.chromium", "/usr/bin/chromium"));
    private static final Path NODE = Path.of(System.getProperty("signet.node", "/usr/bin/node"));
    private static final Pattern VERSION = Pattern.compile("v([0-9]+)[.].*\\s*");

    /** The oldest Node.js that Playwright takes. */
    private static final int OLDEST_NODE = 20;

    /** Starts the browser; without one the test is skipped. */
    static HeadlessBrowser start() throws IOException {
        Assumptions.assumeTrue(Files.isExecutable(CHROMIUM), CHROMIUM + ": no browser to test the page with");
        boolean isBundled = HeadlessBrowser.class.getResource("/driver/linux/node") != null;
        Optional<Integer> node = versionOfNode();
        Assumptions.assumeTrue(
                isBundled || node.orElse(0) >= OLDEST_NODE,
                NODE + ": no Node.js of version " + OLDEST_NODE
                        + " to drive a browser; mvn -Pbrowser-driver brings one");
        Map<String, String> environment = new HashMap<>(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"));
        if (node.orElse(0) >= OLDEST_NODE) {
            environment.put("PLAYWRIGHT_NODEJS_PATH", NODE.toString());
        }
        Playwright playwright = Playwright.create(new Playwright.CreateOptions().setEnv(environment));
        try {
            // root cannot have the sandbox; the pages are our own
            Browser browser = playwright
                    .chromium()
                    .launch(new BrowserType.LaunchOptions()
                            .setExecutablePath(CHROMIUM)
                            .setArgs(List.of("--no-sandbox")));
            return new HeadlessBrowser(playwright, browser, axeScript());
        } catch (RuntimeException e) {
            playwright.close();
            throw e;
        }
    }

    private static Optional<Integer> versionOfNode() throws IOException {
        if (!Files.isExecutable(NODE)) {
            return Optional.empty();
        }
        Matcher version = VERSION.matcher(Run.of(Path.of("").toAbsolutePath(), List.of(NODE.toString(), "--version"))
                .out());
        return version.matches() ? Optional.of(Integer.valueOf(version.group(1))) : Optional.empty();
    }

    private static String axeScript() throws IOException {
        try (InputStream in = Objects.requireNonNull(HeadlessBrowser.class.getResourceAsStream("/axe.min.js"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
