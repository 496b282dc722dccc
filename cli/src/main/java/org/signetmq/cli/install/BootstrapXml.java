/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The text of a bootstrap.xml, which names the applications of the broker's web server. Editing gives a new one. */
record BootstrapXml(String text, XmlElement root) {
    private static final String APP = "app";
    private static final String WAR = "war";
    private static final String ENTRY = "<app name=\"signet\" url=\"signet\" war=\"signet-console.war\"/>";
    private static final String CONSOLE = "console";

    /** @throws UnusableInstanceException if the bytes are no XML in UTF-8 */
    static BootstrapXml of(byte[] utf8) {
        try {
            return of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString());
        } catch (CharacterCodingException e) {
            throw new UnusableInstanceException(
                    Instance.BOOTSTRAP_XML + ": not UTF-8, which is all that can be edited");
        }
    }

    private static BootstrapXml of(String text) {
        return new BootstrapXml(text, XmlElement.parse(text, Instance.BOOTSTRAP_XML));
    }

    byte[] bytes() {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Optional<XmlElement> application(String attribute, String value) {
        return root.all("web").stream()
                .flatMap(web -> web.allWithin(APP).stream())
                .filter(app -> app.attribute(attribute).equals(value))
                .findFirst();
    }

    /** Whether the web server has the page. */
    boolean hasPage() {
        return application(WAR, Instance.nameOf(Instance.CONSOLE_WAR)).isPresent();
    }

    /**
     * Returns the same text with the page behind the broker's console, on the same port.
     *
     * @throws UnusableInstanceException if there is no console, whose sign-in the page needs
     */
    BootstrapXml withPage() {
        if (hasPage()) {
            return this;
        }
        XmlElement console = application("url", CONSOLE)
                .orElseThrow(() -> new UnusableInstanceException(Instance.BOOTSTRAP_XML
                        + ": has no web server with the console of the broker, whose sign-in the page needs; leave "
                        + "--console out, or add <web path=\"web\"> as artemis create without --no-web does"));
        String folder = root.first("web").map(web -> web.attribute("path")).orElse("");
        UnusableInstanceException.unless(
                folder.equals("web"),
                Instance.BOOTSTRAP_XML + ": the web server has its applications in '" + folder
                        + "', and installing knows only 'web'; put signet-console.war there by hand");
        UnusableInstanceException.unless(
                application("url", "signet").isEmpty(),
                Instance.BOOTSTRAP_XML + ": another application has the URL signet; rename it first");
        int end = console.place().end();
        String before = text.substring(0, console.place().start());
        String indent = before.substring(before.stripTrailing().length());
        return of(text.substring(0, end) + indent + ENTRY + text.substring(end));
    }

    /** Returns the same text without the page, and without the blanks before it. */
    BootstrapXml withoutPage() {
        return application(WAR, Instance.nameOf(Instance.CONSOLE_WAR))
                .map(page -> of(text.substring(0, page.place().start()).stripTrailing()
                        + text.substring(page.place().end())))
                .orElse(this);
    }
}
