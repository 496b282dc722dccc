/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.system.ConsoleBroker.ADMINISTRATOR;
import static org.signetmq.system.ConsoleBroker.OWNER_OF_QUEUES;
import static org.signetmq.system.ConsoleBroker.VIEWER;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.FilePayload;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.testkit.Tier;

/** The page for administrators on the published broker, in a real browser. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ConsoleIT {
    private static final List<String> VIEWS =
            List.of("state", "policies", "address", "certificates", "rejections", "quarantine", "audit", "findings");

    /** Markup, a change of direction, and a long word. */
    private static final String HOSTILE =
            "x.<script>document.title='taken'</script>.\u202Egnp.\"'&amp;" + "x".repeat(300);

    /** An address with the same, and a control character. */
    private static final String HOSTILE_ADDRESS = "x.<img src=x onerror=alert(1)>\u0007\u202Etxt." + "y".repeat(200);

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String FORBIDDEN = "does not have permission";
    private static final boolean WRITES_SCREENSHOTS = Boolean.getBoolean("signet.screenshots.write");

    /** Lists the words of the view that go on in the next line, but for those of long names. */
    private static final String BROKEN_WORDS = """
            () => {
              const broken = [];
              const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
              while (texts.nextNode()) {
                const text = texts.currentNode;
                if (text.parentElement.closest('[hidden], .hidden, thead, datalist') !== null) {
                  continue;
                }
                for (const word of text.data.matchAll(/\\S+/g)) {
                  if (word[0].length > 24) {
                    continue; // a name
                  }
                  for (const part of word[0].matchAll(/\\p{L}+/gu)) {
                    const range = document.createRange();
                    range.setStart(text, word.index + part.index);
                    range.setEnd(text, word.index + part.index + part[0].length);
                    const lines = new Set([...range.getClientRects()].filter((box) => box.width > 0).map((box) => box.top));
                    if (lines.size > 1) {
                      broken.push(part[0]);
                    }
                  }
                }
              }
              return broken;
            }
            """;

    private HeadlessBrowser browser;
    private ConsoleBroker broker;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        browser = HeadlessBrowser.start();
        broker = ConsoleBroker.start(folder, policies());
        try (PlainClient client = new PlainClient(broker.broker())) {
            for (int i = 0; i < 3; i++) {
                client.send("orders", "ten pounds of apples");
            }
            client.send("open", "three pears");
            try {
                client.send(HOSTILE_ADDRESS, "in clear, against the policy");
            } catch (jakarta.jms.JMSRuntimeException rejected) {
                // so it should be
            }
        }
    }

    @AfterAll
    void stop() {
        if (broker != null) {
            broker.close();
        }
        if (browser != null) {
            browser.close();
        }
    }

    private static String policies() {
        ObjectNode document = JSON.createObjectNode().put("schema", 1).put("version", 1);
        document.putArray("recovery").add("broker");
        ArrayNode policies = document.putArray("policies");
        policies.addObject()
                .put("pattern", "orders")
                .put("quality", "privacy")
                .putArray("recipients")
                .add("alice");
        policies.addObject().put("pattern", "prices.#").put("quality", "integrity");
        for (String pattern : List.of("audit.#", "cards.*.eu", "claims.#", "invoices.#", "lab.results", "payroll")) {
            policies.addObject()
                    .put("pattern", pattern)
                    .put("quality", "confidentiality")
                    .putArray("recipients")
                    .add("alice")
                    .add("broker");
        }
        policies.addObject()
                .put("pattern", "x.#")
                .put("quality", "privacy")
                .put("where", "client")
                .putArray("recipients")
                .add("alice");
        policies.addObject().put("pattern", HOSTILE).put("quality", "integrity");
        for (String pattern : List.of("refused", "stale", "typed", "keys", "removed")) {
            policies.addObject().put("pattern", pattern).put("quality", "integrity");
        }
        IntStream.range(0, 120)
                .forEach(
                        i -> policies.addObject().put("pattern", "sensors." + i).put("quality", "none"));
        return document.toString();
    }

    private ConsolePage open() {
        return ConsolePage.open(browser, broker, ColorScheme.LIGHT);
    }

    private ConsolePage open(String user) {
        return open().signIn(user);
    }

    // ---- the views

    @Test
    void state_showsReasonVersionAndCounters() throws Exception {
        try (ConsolePage console = open(ADMINISTRATOR)) {
            Page page = console.page();
            assertThat(page.locator("#state")).hasText("READY");
            assertThat(page.locator("#policy-version")).hasText(Long.toString(broker.version()));
            long passed = broker.count("Passed");
            assertThat(page.locator("figcaption .total").first())
                    .hasText(String.format(Locale.US, "%,d in all", broker.count("Sealed")));
            assertThat(page.locator("figcaption .total").last()).hasText("1 in all");
            try (PlainClient client = new PlainClient(broker.broker())) {
                client.send("open", "three pears");
            }
            console.look();
            assertThat(page.locator("figcaption").nth(1))
                    .containsText(String.format(Locale.US, "%,d in all", passed + 1));
            assertThat(page.locator("figcaption .now").nth(1)).hasText(Pattern.compile("0[.][1-9]|[1-9].*"));
            assertThat(page.locator("canvas")).hasCount(3);
            console.assertNoComplaints();
        }
    }

    @Test
    void quarantine_isListedShownAndDiscarded_byThoseWhoMay() throws Exception {
        try (PlainClient client = new PlainClient(broker.broker())) {
            client.quarantine("no envelope", "orders", "CN=<img src=x onerror=alert(1)>\u202Etxt");
        }
        try (ConsolePage console = open(VIEWER).view("quarantine")) {
            console.page().locator("#view-quarantine tbody button").click();
            assertThat(console.page().locator("dialog[open]")).containsText("CN=<img src=x onerror=alert(1)>?txt");
            assertThat(console.page().locator("dialog[open] button")).hasCount(1);
            console.assertNoComplaints();
        }
        try (ConsolePage console = open(ADMINISTRATOR).view("quarantine")) {
            Page page = console.page();
            assertThat(page.locator("#view-quarantine tbody tr")).containsText("malformed");
            page.locator("#view-quarantine tbody button").click();
            Locator dialog = page.locator("dialog[open]");
            dialog.getByText("Put back").click();
            assertThat(dialog).containsText("Put this message back into its queue?");
            dialog.getByText("Put back", new Locator.GetByTextOptions().setExact(true))
                    .click();
            assertThat(dialog).containsText("It stays: ");
            page.keyboard().press("Escape");
            page.locator("#view-quarantine tbody button").click();
            dialog.getByText("Discard").click();
            dialog.getByText("Cancel").click();
            dialog.getByText("Discard").click();
            dialog.getByText("Discard").click();
            assertThat(page.locator("#view-quarantine")).containsText("No messages are in quarantine.");
            assertThat(page.locator("#view-quarantine img")).hasCount(0);
            console.assertNoComplaints();
        }
    }

    @Tag(Tier.LONG)
    @Test
    void policies_areSearchedAndTurnedByPages() {
        try (ConsolePage console = open(ADMINISTRATOR).view("policies")) {
            Page page = console.page();
            assertThat(page.locator("#list tbody tr")).hasCount(50);
            assertThat(page.locator("#recovery")).hasText(Pattern.compile("Recovery recipients.*: broker *"));
            page.getByText("Next").click();
            assertThat(page.locator(".pages")).containsText("Page 2 of 3");
            page.locator("#search").fill("SENSORS.11");
            assertThat(page.locator("#list tbody tr")).hasCount(11);
            page.locator("#search").fill("ALICE");
            assertThat(console.row("orders")).hasCount(1);
            assertThat(console.row("prices.#")).hasCount(0);
            page.locator("#search").fill("no such policy");
            assertThat(page.locator("#list")).hasText("No policies.");
            console.assertNoComplaints();
        }
    }

    @Tag(Tier.LONG)
    @Test
    void address_showsTheEffectivePolicy() {
        try (ConsolePage console = open(VIEWER).view("address")) {
            Page page = console.page();
            page.locator("#address").fill("prices.eu");
            page.keyboard().press("Enter");
            assertThat(page.locator("#effective")).containsText("prices.#@");
            assertThat(page.locator("#effective")).containsText("integrity");
            page.locator("#address").fill("orders");
            page.keyboard().press("Enter");
            assertThat(page.locator("#effective")).containsText(Pattern.compile("Recovery\\s*broker"));
            assertThat(page.locator("#effective")).containsText(Pattern.compile("Recipients\\s*alice"));
            assertThat(page.locator("#effective")).not().containsText(Pattern.compile("[{}\\[\\]]"));
            page.locator("#address").fill("nothing.here");
            page.keyboard().press("Enter");
            assertThat(page.locator("#effective")).containsText("none");
            console.assertNoComplaints();
        }
    }

    @Tag(Tier.LONG)
    @Test
    void lists_showCertificatesRejectionsAuditAndFindings() {
        try (ConsolePage console = open(VIEWER)) {
            Page page = console.page();
            console.view("certificates");
            assertThat(page.locator("#view-certificates tbody tr")).hasCount(3);
            assertThat(page.locator("#view-certificates")).containsText(Pattern.compile("[0-9]+ days"));
            console.view("rejections");
            assertThat(page.locator("#view-rejections tbody tr")).hasCount(1);
            assertThat(page.locator("#view-rejections")).containsText("not-sealed");
            console.view("audit");
            assertThat(page.locator("#view-audit")).containsText("started");
            console.view("findings");
            assertThat(page.locator("#view-findings tbody tr").first()).isVisible();
            console.assertNoComplaints();
        }
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @EnumSource(
            value = ColorScheme.class,
            names = {"LIGHT", "DARK"})
    void eachView_hasNoBarrier_andFitsNarrowAndWideWindows(ColorScheme scheme) throws Exception {
        // the checking script is not of the page's origin: only here the policy for scripts is off
        Browser.NewContextOptions options =
                new Browser.NewContextOptions().setColorScheme(scheme).setBypassCSP(true);
        try (ConsolePage console = ConsolePage.open(browser, broker, options)) {
            console.page().locator("#login[open]").waitFor();
            check(console, "sign-in");
            console.signIn(ADMINISTRATOR);
            for (String view : VIEWS) {
                console.view(view);
                if (view.equals("address")) {
                    console.page().locator("#address").fill(HOSTILE_ADDRESS);
                    console.page().keyboard().press("Enter");
                    assertThat(console.page().locator("#effective dl").first()).isVisible();
                }
                check(console, view);
                writeScreenshot(console, view, scheme);
            }
            console.view("policies").edit("refused");
            console.page().locator("#field-quality").selectOption("privacy");
            console.dryRun();
            console.outcome();
            check(console, "refused edit");
            console.page().locator("#field-recipients").fill("alice");
            console.dryRun();
            assertThat(console.page().locator("#save")).hasText("Save");
            check(console, "dry run");
        }
    }

    @Tag(Tier.LONG)
    @Test
    void words_areNotBroken_andThereIsACardForEachPolicy() {
        try (ConsolePage console = open(ADMINISTRATOR)) {
            Page page = console.page();
            for (String view : VIEWS) {
                console.view(view);
                for (int width : new int[] {360, 700, 1000, 1440}) {
                    page.setViewportSize(width, 900);
                    assertThat((List<?>) page.evaluate(BROKEN_WORDS))
                            .as(view + " at " + width)
                            .isEmpty();
                }
            }
            console.view("policies");
            page.setViewportSize(360, 900);
            assertThat(page.evaluate("() => [...document.querySelectorAll('#list tbody tr')].every((row, i, rows) => "
                            + "getComputedStyle(row).borderTopWidth === '1px' && (i === 0 || "
                            + "row.getBoundingClientRect().top > rows[i - 1].getBoundingClientRect().bottom))"))
                    .isEqualTo(true);
            console.assertNoComplaints();
        }
    }

    @Test
    void charts_nameEachTimeOnce() {
        try (ConsolePage console = open()) {
            Page page = console.page();
            page.addInitScript("window.drawn = new Map();"
                    + "const draw = CanvasRenderingContext2D.prototype.fillText;"
                    + "const clear = CanvasRenderingContext2D.prototype.clearRect;"
                    + "CanvasRenderingContext2D.prototype.clearRect = function (...box) {"
                    + "  drawn.set(this, []); return clear.apply(this, box); };"
                    + "CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {"
                    + "  drawn.get(this)?.push(text); return draw.call(this, text, ...place); };");
            page.reload();
            console.signIn(ADMINISTRATOR);
            assertThat(page.locator("#state")).isVisible();
            console.look();
            assertThat(page.locator("figcaption .now").first()).not().hasText("–"); // the curve is a single point
            page.waitForFunction("() => [...drawn.values()].flat().filter((text) => text.includes(':')).length > 2");

            assertThat((List<?>) page.evaluate("() => [...drawn.values()].flatMap((texts) => "
                            + "texts.filter((text, i) => text.includes(':') && texts.indexOf(text) !== i))"))
                    .isEmpty();
        }
    }

    @Test
    void failingPolicy_hasAMark_andItsFindingOpensTheForm() throws Exception {
        setPolicy("{\"pattern\":\"failing\",\"quality\":\"integrity\",\"signers\":[\"alice\"]}");
        setPolicy("{\"pattern\":\"warned\",\"quality\":\"integrity\",\"signers\":[\"uma\"]}");
        try (ConsolePage console = open(ADMINISTRATOR).view("policies")) {
            Page page = console.page();
            page.locator("#failing").click();
            assertThat(page.locator("#list tbody tr")).hasCount(2);
            assertThat(console.row("failing")).containsText(Pattern.compile("Problem.*messages in clear are rejected"));
            assertThat(console.row("warned")).containsText(Pattern.compile("Warning.*rejected, except those of users"));
            console.view("findings");
            assertThat(page.locator("#view-findings")).not().containsText("signet policy");
            page.locator("#view-findings tr:has-text(\"'failing'\") button").click();
            assertThat(page.locator("dialog[open]")).containsText("failing");
            assertThat(page.locator("#field-signers")).hasValue("alice");
            page.keyboard().press("Escape");
            assertThat(page.locator("#title-policies")).isFocused();
            console.assertNoComplaints();
        } finally {
            broker.answer("removePolicy", broker.version(), "failing");
            broker.answer("removePolicy", broker.version(), "warned");
        }
    }

    @Tag(Tier.LONG)
    @Test
    void audit_tellsWhatAChangeDid_inWords() throws Exception {
        setPolicy("{\"pattern\":\"told\",\"quality\":\"privacy\",\"recipients\":[\"alice\"]}");
        setPolicy("{\"pattern\":\"told\",\"quality\":\"privacy\",\"recipients\":[\"alice\",\"broker\"]}");
        broker.answer("removePolicy", broker.version(), "told");
        try (ConsolePage console = open(VIEWER).view("audit")) {
            Locator audit = console.page().locator("#view-audit");
            assertThat(audit).containsText(Pattern.compile("Pattern told added:.*Recipients alice"));
            assertThat(audit).containsText(Pattern.compile("Pattern told\\s+Recipients alice → alice, broker"));
            assertThat(audit).containsText(Pattern.compile("Pattern told removed:"));
            assertThat(audit).not().containsText(Pattern.compile("[{}]|\":"));
            console.assertNoComplaints();
        }
    }

    private void setPolicy(String policy) throws Exception {
        assertThat(broker.answer("setPolicy", broker.version(), policy)
                        .path("outcome")
                        .asText())
                .isEqualTo("changed");
    }

    private void check(ConsolePage console, String view) {
        for (int width : new int[] {360, 1440}) {
            assertThat(console.overflow(width)).as(view + " at " + width).isLessThanOrEqualTo(0);
        }
        console.page().evaluate(browser.axe());
        assertThat(console.page()
                        .evaluate("() => axe.run(document).then((result) => result.violations.map((violation) => "
                                + "violation.id + ': ' + violation.nodes.map((node) => node.html).join(' ')))"))
                .as(view)
                .isEqualTo(List.of());
    }

    private void writeScreenshot(ConsolePage console, String view, ColorScheme scheme) throws IOException {
        if (WRITES_SCREENSHOTS && List.of("state", "policies").contains(view)) {
            console.page().setViewportSize(1100, view.equals("state") ? 620 : 700);
            if (view.equals("state")) {
                drawCurves(console);
            }
            Path file = Path.of("../docs/page-" + view + "-" + scheme.name().toLowerCase(Locale.ROOT) + ".png");
            console.page().waitForTimeout(300); // the charts follow the size of the window
            Files.write(file, console.page().screenshot());
            console.page().setViewportSize(1440, 900);
        }
    }

    /** Sends messages for a while, so that there is something to see. */
    private void drawCurves(ConsolePage console) {
        try (PlainClient client = new PlainClient(broker.broker())) {
            for (int i = 0; i < 45; i++) {
                for (int j = 0; j < 40 + 25 * Math.sin(i / 5.0); j++) {
                    client.send("orders", "ten pounds of apples");
                }
                for (int j = 0; j < 12 + 8 * Math.cos(i / 7.0); j++) {
                    client.send("open", "three pears");
                }
                console.page().waitForTimeout(1000);
                console.look();
            }
        }
    }

    @Test
    void hostileNames_areShownAsText() {
        try (ConsolePage console = open(ADMINISTRATOR).view("policies")) {
            Page page = console.page();
            page.locator("#search").fill("<script>");
            assertThat(page.locator("#list tbody tr")).hasCount(1);
            assertThat(page.locator("#list"))
                    .containsText("x.<script>document.title='taken'</script>.[U+202E]gnp.\"'&amp;xxx");
            page.locator("#list button").first().click();
            assertThat(page.locator("dialog[open]")).containsText("x.<script>");
            page.keyboard().press("Escape");
            console.view("rejections");
            assertThat(page.locator("#view-rejections")).containsText("x.<img src=x onerror=alert(1)>");
            console.view("audit");
            assertThat(page.locator("#view-audit")).containsText("<img src=x");
            console.view("address");
            page.locator("#address").fill(HOSTILE_ADDRESS);
            page.keyboard().press("Enter");
            assertThat(page.locator("#effective")).containsText("<img src=x onerror=alert(1)>[U+0007][U+202E]txt");
            assertThat(page.locator("main script, main img")).hasCount(0);
            assertThat(page).hasTitle("127.0.0.1 – Address – Signet");
            console.assertNoComplaints();
        }
    }

    // ---- changes

    @Tag(Tier.LONG)
    @Test
    void edit_byKeyboardAlone_isInForce() throws Exception {
        try (ConsolePage console = open()) {
            Page page = console.page();
            page.locator("#login[open]").waitFor();
            assertThat(page.locator("#login-user")).isFocused();
            page.keyboard().type(ADMINISTRATOR);
            page.keyboard().press("Tab");
            page.keyboard().type(ConsoleBroker.passwordOf(ADMINISTRATOR));
            page.keyboard().press("Enter");
            assertThat(page.locator("#state")).isVisible();
            tabTo(page, "nav a[href='#policies']");
            page.keyboard().press("Enter");
            assertThat(page.locator("#title-policies")).isFocused();
            tabTo(page, "#search");
            page.keyboard().type("keys");
            assertThat(page.locator("#list tbody tr")).hasCount(1);
            tabTo(page, "button[aria-label='Edit keys']");
            page.keyboard().press("Enter");
            tabTo(page, "#field-quality");
            page.keyboard().type("conf");
            tabTo(page, "#field-recipients");
            page.keyboard().type("alice");
            tabTo(page, "#field-key-reuse");
            page.keyboard().type("7");
            tabTo(page, "#save");
            page.keyboard().press("Enter");
            assertThat(page.locator("#save")).hasText("Save");
            assertThat(page.locator("#save")).isFocused();
            page.keyboard().press("Enter");
            console.waitUntilSaved();
            assertThat(page.locator("#announcement")).containsText("Policy saved");
            assertThat(console.row("keys")).containsText("confidentiality");
            assertThat(page.locator("button[aria-label='Edit keys']")).isFocused();
            assertThat(broker.answer("queryPolicy", "keys")
                            .at("/definition/key-reuse")
                            .asInt())
                    .isEqualTo(7);
            assertThat(broker.answer("queryPolicy", "keys")
                            .at("/definition/recipients/0")
                            .asText())
                    .isEqualTo("alice");
            console.assertNoComplaints();
        }
    }

    /** Presses Tab until an element has the focus, which must be visible. */
    private static void tabTo(Page page, String selector) {
        for (int i = 0; i < 60; i++) {
            page.keyboard().press("Tab");
            if ((boolean) page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector)) {
                assertThat((String) page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle"))
                        .isEqualTo("solid");
                return;
            }
        }
        throw new AssertionError("not reached by Tab: " + selector);
    }

    @Test
    void policy_isAddedAndRemoved() throws Exception {
        try (ConsolePage console = open(ADMINISTRATOR).view("policies")) {
            Page page = console.page();
            page.locator("#add").click();
            page.locator("#field-pattern").fill("added.#");
            page.locator("#field-quality").selectOption("integrity");
            page.locator("summary").click();
            page.locator("#field-audit").check();
            console.save();
            console.waitUntilSaved();
            page.locator("#search").fill("added");
            assertThat(console.row("added.#")).hasCount(1);
            assertThat(broker.answer("queryPolicy", "added.x")
                            .at("/definition/audit")
                            .asText())
                    .isEqualTo("each");

            page.locator("#add").click();
            page.locator("#field-pattern").fill("added.#");
            page.locator("#field-quality").selectOption("none");
            console.dryRun();
            assertThat(console.outcome()).contains("exists already");
            page.keyboard().press("Escape");
            page.keyboard().press("Escape");
            console.waitUntilSaved();
            page.locator("button[aria-label='Remove added.#']").click();
            console.confirm();
            console.waitUntilSaved();
            assertThat(page.locator("#list")).hasText("No policies.");
            assertThat(page.locator("#title-policies")).isFocused();
            console.assertNoComplaints();
        }
    }

    @Test
    void dryRun_tellsWhatBecomesOfTheMessages_beforeSaveAndRemove() throws Exception {
        long before = broker.version();
        try (ConsolePage console = open(ADMINISTRATOR).view("policies")) {
            Page page = console.page();
            console.edit("orders");
            page.locator("#pick-signers").fill("BRO");
            assertThat(page.locator("#known-signers option")).hasCount(1);
            page.locator("#pick-signers").fill("broker");
            page.keyboard().press("Enter");
            assertThat(page.locator("#field-signers")).hasValue("broker");
            console.dryRun();
            assertThat(page.locator("#outcome")).containsText("It touches 1 address");
            assertThat(page.locator("#outcome")).containsText(Pattern.compile("[0-9]+ messages lie there"));
            assertThat(page.locator("#save")).hasText("Save");
            page.locator("#field-signers").fill("broker\nalice");
            assertThat(page.locator("#save")).hasText("Dry run");
            page.locator("dialog[open]").getByText("Cancel").click();
            page.locator("button[aria-label='Remove orders']").click();
            assertThat(page.locator("#save")).hasText("Remove");
            assertThat(page.locator("#outcome tbody tr")).containsText("no policy: pass");
            page.locator("dialog[open]").getByText("Cancel").click();
            assertThat(broker.version()).isEqualTo(before);
            console.assertNoComplaints();
        }
    }

    @Test
    void wholeSet_isExportedAndImported_afterADryRun() throws Exception {
        try (ConsolePage console = open(ADMINISTRATOR).view("policies")) {
            Page page = console.page();
            Download download =
                    page.waitForDownload(() -> page.locator("#export").click());
            assertThat(download.suggestedFilename())
                    .isEqualTo("signet-policies-127.0.0.1-" + broker.version() + ".json");
            String exported = Files.readString(download.path());
            ObjectNode document = (ObjectNode) JSON.readTree(exported);
            ArrayNode policies = (ArrayNode) document.path("policies");
            IntStream.range(0, 1_000)
                    .forEach(i -> policies.addObject()
                            .put("pattern", "imported.\u00e9." + i)
                            .put("quality", "none"));

            choose(page, document.toString());
            assertThat(page.locator("dialog[open]"))
                    .containsText(Pattern.compile("adds 1,000, changes 0 and removes 0 of"));
            console.confirm();
            console.waitUntilSaved();
            assertThat(page.locator("#announcement")).containsText("Policies replaced");
            assertThat(broker.answer("queryPolicy", "imported.\u00e9.7")
                            .path("quality")
                            .asText())
                    .isEqualTo("none");

            choose(page, exported);
            assertThat(page.locator("dialog[open]")).containsText("removes 1,000 of");
            console.confirm();
            console.waitUntilSaved();
            choose(page, "{\"policies\": [{\"pattern\": \"x\"}]}");
            assertThat(console.outcome()).contains("rejects this");
            page.keyboard().press("Escape");
            choose(page, "no policies");
            assertThat(page.locator("#trouble")).containsText("no policy file");
            console.assertNoComplaints();
        }
    }

    @Test
    void history_rollsBackToFormerPolicies_afterADryRun() throws Exception {
        long former = broker.version();
        setPolicy("{\"pattern\":\"mistaken\",\"quality\":\"none\"}");
        try (ConsolePage console = open(ADMINISTRATOR).view("policies")) {
            Page page = console.page();
            page.locator("#history").click();
            page.locator("button[aria-label='Roll back to version " + former + "']")
                    .click();
            assertThat(page.locator("dialog[open]")).containsText("removes 1 of");
            assertThat(page.locator("dialog[open]")).containsText("mistaken");
            console.confirm();
            console.waitUntilSaved();
            page.locator("#search").fill("mistaken");
            assertThat(page.locator("#list")).hasText("No policies.");
            assertThat(broker.version()).isEqualTo(former + 2);
            console.assertNoComplaints();
        }
        try (ConsolePage console = open(VIEWER).view("policies")) {
            console.page().locator("#history").click();
            assertThat(console.page().locator("dialog[open]")).containsText("anna");
            assertThat(console.page().locator("dialog[open] td button")).hasCount(0);
            console.assertNoComplaints();
        }
    }

    private static void choose(Page page, String document) {
        page.waitForFileChooser(() -> page.locator("#import").click())
                .setFiles(new FilePayload(
                        "policies.json", "application/json", document.getBytes(StandardCharsets.UTF_8)));
    }

    @Tag(Tier.LONG)
    @Test
    void refusedEdit_showsAllProblems_andChangesNothing() throws Exception {
        try (ConsolePage console = open(ADMINISTRATOR).view("policies")) {
            Page page = console.page();
            console.edit("refused");
            page.locator("#field-quality").selectOption("confidentiality");
            page.locator("#field-recipients").fill("alice\nzoe\nyves");
            page.locator("#field-key-reuse").fill("many");
            page.locator("#field-max-key-age").fill("long");
            long before = broker.version();
            console.dryRun();

            assertThat(console.outcome()).contains("for 2 reasons", "key-reuse: no number", "max-key-age: no duration");
            assertThat(page.locator("[aria-invalid=true]")).hasCount(2);
            assertThat(page.locator("#field-key-reuse")).isFocused();
            assertThat(page.locator("#field-key-reuse"))
                    .hasAccessibleDescription(Pattern.compile("key-reuse: no number.*"));
            page.locator("#field-key-reuse").fill("7");
            page.locator("#field-max-key-age").fill("1h");
            console.dryRun();
            assertThat(page.locator("#outcome")).containsText("recipients[1]");
            assertThat(console.outcome())
                    .contains("for 2 reasons", "recipients[1]: ", "'zoe'", "recipients[2]: ", "'yves'");
            assertThat(page.locator("[aria-invalid=true]")).hasCount(1);
            assertThat(page.locator("#field-recipients")).isFocused();
            assertThat(page.locator("#field-recipients")).hasValue("alice\nzoe\nyves");
            assertThat(broker.version()).isEqualTo(before);
            console.assertNoComplaints();
        }
    }

    @Tag(Tier.LONG)
    @Test
    void staleEdit_saysWhoChangedThePolicies_andKeepsTheEntries() throws Exception {
        try (ConsolePage console = open(ADMINISTRATOR).view("policies")) {
            Page page = console.page();
            console.edit("stale");
            page.locator("#field-signers").fill("broker");
            assertThat(broker.answer("setPolicy", broker.version(), "{\"pattern\":\"stale\",\"quality\":\"none\"}")
                            .path("outcome")
                            .asText())
                    .isEqualTo("changed");
            console.dryRun();

            assertThat(page.locator("#outcome")).containsText("by 'anna' from jmx");
            assertThat(page.locator("#outcome dl")).containsText(Pattern.compile("Quality\\s*none"));
            assertThat(page.locator("#field-signers")).hasValue("broker");
            assertThat(page.locator("#save")).isDisabled();
            assertThat(broker.answer("queryPolicy", "stale").path("quality").asText())
                    .isEqualTo("none");
            page.locator("#take").click();
            console.save();
            console.waitUntilSaved();
            assertThat(broker.answer("queryPolicy", "stale")
                            .at("/definition/signers/0")
                            .asText())
                    .isEqualTo("broker");
            console.assertNoComplaints();
        }
    }

    @Tag(Tier.LONG)
    @Test
    void endedSession_asksForThePassword_andKeepsTheEntries() {
        try (ConsolePage console = open(ADMINISTRATOR).view("policies")) {
            Page page = console.page();
            console.edit("typed");
            page.locator("#field-signers").fill("broker");
            page.context().clearCookies();
            console.dryRun();
            page.locator("#login[open]").waitFor();
            console.fillIn(ADMINISTRATOR, ConsoleBroker.passwordOf(ADMINISTRATOR));
            page.locator("#login:not([open])")
                    .waitFor(new com.microsoft.playwright.Locator.WaitForOptions()
                            .setState(com.microsoft.playwright.options.WaitForSelectorState.ATTACHED));
            assertThat(page.locator("#field-signers")).hasValue("broker");
            console.save();
            console.waitUntilSaved();
            console.assertNoComplaints();
        }
    }

    @Tag(Tier.LONG)
    @Test
    void escape_dropsEntriesOnlyTheSecondTime() {
        try (ConsolePage console = open(ADMINISTRATOR).view("policies")) {
            Page page = console.page();
            console.edit("removed");
            page.locator("#field-signers").fill("broker");
            page.keyboard().press("Escape");
            assertThat(console.outcome()).contains("not saved");
            page.keyboard().press("Escape");
            console.waitUntilSaved();
            assertThat(page.locator("button[aria-label='Edit removed']")).isFocused();
            console.assertNoComplaints();
        }
    }

    // ---- rights

    @Test
    void viewer_seesThePolicies_andCannotEdit() {
        try (ConsolePage console = open(VIEWER).view("policies")) {
            assertThat(console.page().locator("#read-only")).isVisible();
            assertThat(console.page().locator("#view-policies table button, #add, #import, #file"))
                    .hasCount(0);
            assertThat(console.page().locator("#export")).isVisible();
            console.assertNoComplaints();
        }
    }

    @Test
    void userWithoutRights_seesOneClearLine() {
        try (ConsolePage console = open(OWNER_OF_QUEUES)) {
            Page page = console.page();
            assertThat(page.locator("#no-rights")).isVisible();
            assertThat(page.locator("#trouble")).containsText("user 'admin' " + FORBIDDEN);
            assertThat(page.locator("nav")).isHidden();
            page.locator("#logout").click();
            page.locator("#login[open]").waitFor();
            assertThat(broker.origin() + "/signet/").isEqualTo(page.url());
            console.assertNoComplaints();
        }
    }

    @Test
    void wrongPassword_isOneLine() {
        try (ConsolePage console = open()) {
            console.fillIn(ADMINISTRATOR, "wrong");
            assertThat(console.page().locator("#login-error")).containsText("rejects this user and password");
            console.signIn(ADMINISTRATOR);
            console.assertNoComplaints();
        }
    }

    /** By Jolokia itself, where management.xml lets all three users call each method. */
    @Test
    void jolokia_givesEachUserTheRightsOnPolicies_andNoOther() throws Exception {
        long version = broker.version();
        String policy = "{\"pattern\":\"jolokia\",\"quality\":\"none\"}";
        for (String attribute : List.of("State", "Policies", "LastChange")) {
            assertThat(broker.read(OWNER_OF_QUEUES, attribute).body())
                    .contains(FORBIDDEN)
                    .doesNotContain("\"value\"");
            assertThat(broker.read(VIEWER, attribute).body()).contains("\"value\"");
        }
        assertThat(broker.call(OWNER_OF_QUEUES, "listPolicies", 0, 0).body()).contains(FORBIDDEN);
        assertThat(broker.call(OWNER_OF_QUEUES, "listCertificates").body()).contains(FORBIDDEN);
        assertThat(broker.call(OWNER_OF_QUEUES, "listNames", "").body()).contains(FORBIDDEN);
        for (String user : List.of(OWNER_OF_QUEUES, VIEWER)) {
            assertThat(broker.call(user, "setPolicy", version, policy).body())
                    .contains("user '" + user + "' " + FORBIDDEN + "='EDIT'");
            assertThat(broker.call(user, "removePolicy", version, "orders").body())
                    .contains(FORBIDDEN);
            assertThat(broker.call(user, "judgeImpact", version, policy).body()).contains(FORBIDDEN);
            assertThat(broker.call(user, "judgeRemoval", version, "orders").body())
                    .contains(FORBIDDEN);
        }
        for (HttpResponse<String> anonymous : List.of(
                broker.read(null, "State"),
                broker.call(null, "listPolicies", 0, 0),
                broker.call(null, "setPolicy", version, policy))) {
            assertThat(anonymous.statusCode()).isEqualTo(403);
            assertThat(anonymous.body()).isEmpty();
        }
        assertThat(broker.call(ADMINISTRATOR, "judgeImpact", version, policy).body())
                .contains("accepted");
    }

    // ---- the browser and the network

    @ParameterizedTest
    @ValueSource(strings = {"/signet/", "/signet/js/main.js", "/signet/uplot/uPlot.esm.js", "/signet/none"})
    void headers_restrictThePage(String path) throws Exception {
        HttpResponse<String> answer = broker.get(path);

        assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "trusted-types 'none'")
                .doesNotContain("unsafe", "http", "*");
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(answer.headers().firstValue("Referrer-Policy")).contains("no-referrer");
    }

    @Test
    void policyForScripts_stopsInjectedMarkup() {
        try (ConsolePage console = open()) {
            console.page()
                    .evaluate(
                            "() => { try { document.body.innerHTML = '<p>'; } catch { document.body.dataset.stopped = 'yes'; } }");
            assertThat(console.page().locator("body[data-stopped]")).hasCount(1);
        }
    }

    @Tag(Tier.LONG)
    @Test
    void brokerThatDoesNotAnswer_isOneLine_andAskedMoreRarely() {
        try (ConsolePage console = ConsolePage.open(browser, broker, ColorScheme.LIGHT)) {
            Page page = console.page();
            page.clock().install();
            console.signIn(ADMINISTRATOR);
            assertThat(page.locator("#freshness")).containsText("again every 5 seconds");
            AtomicInteger asked = new AtomicInteger();
            page.route("**/console/jolokia", route -> {
                asked.incrementAndGet();
                route.abort();
            });
            page.clock().runFor(5_000);
            assertThat(page.locator("#trouble")).hasText("The broker does not answer.");
            assertThat(page.locator("#freshness")).containsText("the next try is in 10 seconds");
            page.clock().runFor(9_000);
            assertThat(asked).hasValue(1);
            page.clock().runFor(1_500);
            assertThat(page.locator("#freshness")).containsText("the next try is in 20 seconds");
            page.unroute("**/console/jolokia");
            page.clock().runFor(21_000);
            assertThat(page.locator("#freshness")).containsText("again every 5 seconds");
            assertThat(page.locator("#trouble")).isEmpty();
        }
    }

    @Tag(Tier.LONG)
    @Test
    void hiddenPage_asksNothing() {
        try (ConsolePage console = ConsolePage.open(browser, broker, ColorScheme.LIGHT)) {
            Page page = console.page();
            page.clock().install();
            console.signIn(ADMINISTRATOR);
            assertThat(page.locator("#freshness")).containsText("again every 5 seconds");
            AtomicInteger asked = new AtomicInteger();
            page.onRequest(request -> asked.incrementAndGet());
            page.evaluate(
                    "Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })");
            page.clock().runFor(60_000);
            assertThat(asked).hasValue(0);
            page.evaluate(
                    "Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true })");
            page.waitForRequest("**/console/jolokia", console::look);
            console.assertNoComplaints();
        }
    }

    /** The wire is that of the broker; only the text of the policies is longer than here. */
    @Tag(Tier.LONG)
    @Test
    void hundredThousandPolicies_areReadInParts_andSearched() throws Exception {
        ObjectNode document = JSON.createObjectNode().put("schema", 1).put("version", 9);
        ArrayNode policies = document.putArray("policies");
        IntStream.range(0, 100_000)
                .forEach(i -> policies.addObject()
                        .put("pattern", "queue." + i)
                        .put("quality", "confidentiality")
                        .putArray("recipients")
                        .add("alice"));
        String text = JSON.writeValueAsString(document);
        AtomicInteger requests = new AtomicInteger();
        try (ConsolePage console = open(ADMINISTRATOR)) {
            Page page = console.page();
            page.route("**/console/jolokia", route -> {
                if (route.request().postData().contains("listPolicies")) {
                    requests.incrementAndGet();
                    answerParts(route, text);
                } else {
                    route.resume();
                }
            });
            console.view("policies");
            assertThat(page.locator("#count")).containsText(Pattern.compile("100.000 policies, version 9"));
            assertThat(page.locator("#list tbody tr")).hasCount(50);
            page.locator("#search").fill("queue.99999");
            assertThat(page.locator("#list tbody tr")).hasCount(1);
            assertThat(requests.get()).isLessThan(50);
            console.assertNoComplaints();
        }
    }

    private static void answerParts(Route route, String text) {
        try {
            ArrayNode answers = JSON.createArrayNode();
            JSON.readTree(route.request().postData()).forEach(request -> {
                int offset = request.at("/arguments/1").intValue();
                ObjectNode part = JSON.createObjectNode()
                        .put("version", 9)
                        .put("length", text.length())
                        .put("offset", offset)
                        .put("text", text.substring(offset, Math.min(text.length(), offset + 30_000)));
                answers.addObject().put("status", 200).put("value", part.toString());
            });
            route.fulfill(new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody(answers.toString()));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
