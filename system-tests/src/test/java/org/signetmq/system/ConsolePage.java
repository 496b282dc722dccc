/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The page in a tab of its own session. It notes what a browser complains of.
 *
 * @param page the tab
 * @param complaints of the console, of scripts and of requests to other origins
 */
record ConsolePage(Page page, List<String> complaints) implements AutoCloseable {
    /** The browser's own word for an answer that the page expects: there is no session yet, or no longer. */
    private static final String NO_SESSION = "Failed to load resource: the server responded with a status of 403";

    private static final String DRY_RUN = "Dry run";

    static ConsolePage open(HeadlessBrowser browser, ConsoleBroker broker, ColorScheme scheme) {
        return open(browser, broker, new Browser.NewContextOptions().setColorScheme(scheme));
    }

    static ConsolePage open(HeadlessBrowser browser, ConsoleBroker broker, Browser.NewContextOptions options) {
        BrowserContext context = browser.browser().newContext(options.setViewportSize(1440, 900));
        context.setDefaultTimeout(15_000);
        Page page = context.newPage();
        List<String> complaints = new CopyOnWriteArrayList<>();
        page.onConsoleMessage(message -> {
            if (!message.text().startsWith(NO_SESSION)) {
                complaints.add(message.type() + ": " + message.text());
            }
        });
        page.onPageError(complaints::add);
        page.onDialog(dialog -> {
            complaints.add("dialog: " + dialog.message());
            dialog.dismiss();
        });
        page.onRequest(request -> {
            if (!request.url().startsWith(broker.origin() + "/")) {
                complaints.add("request to " + request.url());
            }
        });
        page.addInitScript("addEventListener('securitypolicyviolation', (event) => "
                + "console.error('policy violated: ' + event.violatedDirective + ' ' + event.blockedURI));");
        page.navigate(broker.page());
        return new ConsolePage(page, complaints);
    }

    ConsolePage signIn(String user) {
        fillIn(user, ConsoleBroker.passwordOf(user));
        page.locator("#views h1:visible").waitFor();
        return this;
    }

    void fillIn(String user, String password) {
        page.locator("#login-user").fill(user);
        page.locator("#login-password").fill(password);
        page.keyboard().press("Enter");
    }

    /** Goes to a view, and waits until it shows what it is about. */
    ConsolePage view(String name) {
        page.locator("nav a[href='#" + name + "']").click();
        Locator view = page.locator("#view-" + name);
        view.locator("h1").waitFor();
        view.getByText("Loading …")
                .waitFor(new Locator.WaitForOptions()
                        .setState(com.microsoft.playwright.options.WaitForSelectorState.HIDDEN));
        if (name.equals("policies")) {
            page.locator("#list > *").first().waitFor();
        }
        return this;
    }

    /** Has the page read all again, as it does when it becomes visible. */
    void look() {
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    }

    Locator row(String text) {
        return page.locator("#list tbody tr").filter(new Locator.FilterOptions().setHasText(text));
    }

    /** Opens the dialog that edits a policy. */
    void edit(String pattern) {
        page.locator("#search").fill(pattern);
        page.locator("button[aria-label='Edit " + pattern + "']").click();
        page.locator("dialog[open]").waitFor();
    }

    /** Has the broker judge what the dialog has. */
    void dryRun() {
        assertThat(page.locator("#save")).hasText(DRY_RUN);
        page.locator("#save").click();
    }

    /** Does what the broker has judged. */
    void confirm() {
        assertThat(page.locator("#save")).not().hasText(DRY_RUN);
        page.locator("#save").click();
    }

    void save() {
        dryRun();
        confirm();
    }

    String outcome() {
        Locator outcome = page.locator("#outcome > *").first();
        outcome.waitFor();
        return page.locator("#outcome").innerText();
    }

    void waitUntilSaved() {
        page.locator("dialog:not(#login)")
                .waitFor(new Locator.WaitForOptions()
                        .setState(com.microsoft.playwright.options.WaitForSelectorState.DETACHED));
    }

    /** The width by which the content is wider than the window. */
    int overflow(int width) {
        page.setViewportSize(width, 900);
        return ((Number) page.evaluate(
                        "() => Math.max(...[document.documentElement, ...document.querySelectorAll('dialog[open]')]"
                                + ".map((element) => element.scrollWidth - element.clientWidth))"))
                .intValue();
    }

    void assertNoComplaints() {
        assertThat(complaints).isEmpty();
    }

    @Override
    public void close() {
        page.context().close();
    }
}
