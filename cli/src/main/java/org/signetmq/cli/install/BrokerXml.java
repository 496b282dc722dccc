/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The text of a broker.xml, and where the plugin stands in it. Editing gives a new one. */
record BrokerXml(String text, XmlElement core) {
    static final String PLUGIN_CLASS = "org.signetmq.interceptor.SignetPlugin";
    static final String PLUGINS = "broker-plugins";
    static final String PLUGIN = "broker-plugin";

    /** @throws UnusableInstanceException if the text is no broker configuration */
    static BrokerXml of(String text) {
        XmlElement root = XmlElement.parse(text, Instance.BROKER_XML);
        return root.first("core")
                .filter(core -> root.name().equals("configuration") && !core.isEmptyTag())
                .map(core -> new BrokerXml(text, core))
                .orElseThrow(() ->
                        new UnusableInstanceException(Instance.BROKER_XML + ": has no <core> in <configuration>"));
    }

    /** @throws UnusableInstanceException if the bytes are no broker configuration in UTF-8 */
    static BrokerXml of(byte[] utf8) {
        try {
            return of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString());
        } catch (CharacterCodingException e) {
            throw new UnusableInstanceException(Instance.BROKER_XML + ": not UTF-8, which is all that can be edited");
        }
    }

    byte[] bytes() {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Whether an element is the entry of Signet's plugin. */
    static boolean isSignet(XmlElement plugin) {
        return plugin.attribute("class-name").strip().equals(PLUGIN_CLASS);
    }

    /** Returns the properties of a plugin's entry. */
    static Map<String, String> properties(XmlElement plugin) {
        Map<String, String> properties = new LinkedHashMap<>();
        plugin.all("property")
                .forEach(property -> properties.put(property.attribute("key"), property.attribute("value")));
        return properties;
    }

    /** Returns an entry of Signet's plugin, with these line breaks before each property and before the end tag. */
    static String entry(Map<String, String> properties, String beforeProperty, String beforeEnd) {
        return properties.entrySet().stream()
                .map(property -> beforeProperty + "<property key=\"" + escape(property.getKey()) + "\" value=\""
                        + escape(property.getValue()) + "\"/>")
                .collect(Collectors.joining(
                        "", "<" + PLUGIN + " class-name=\"" + PLUGIN_CLASS + "\">", beforeEnd + "</" + PLUGIN + ">"));
    }

    private static String escape(String value) {
        return value.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }

    private Optional<XmlElement> plugins() {
        return core.first(PLUGINS);
    }

    Optional<XmlElement> signet() {
        return plugins()
                .flatMap(list ->
                        list.all(PLUGIN).stream().filter(BrokerXml::isSignet).findFirst());
    }

    /** Whether the plugin of Signet comes first. Others before it, or includes, would see messages in clear. */
    boolean isSignetFirst() {
        return plugins().stream()
                .flatMap(list -> list.children().stream().limit(1))
                .anyMatch(BrokerXml::isSignet);
    }

    /** Returns the same text with the plugin of Signet, which is not there yet, first among the plugins. */
    BrokerXml withPlugin(Map<String, String> properties, InstallRecord record) {
        String entry = lineBreak(2) + entry(properties, lineBreak(3), lineBreak(2));
        Optional<XmlElement> plugins = plugins();
        if (plugins.isPresent() && !plugins.get().isEmptyTag()) {
            int start = plugins.get().place().contentStart();
            return replaced(start, start, entry);
        }
        String list = "<" + PLUGINS + ">" + entry + lineBreak(1) + "</" + PLUGINS + ">";
        record.pluginsWere(plugins.map(XmlElement::place)
                .map(empty -> text.substring(empty.start(), empty.end()))
                .orElse(""));
        int end = text.substring(0, core.place().contentEnd()).stripTrailing().length();
        return plugins.map(empty -> replaced(empty, list)).orElseGet(() -> replaced(end, end, lineBreak(1) + list));
    }

    /** Returns a line break, and the blanks before a line that is indented by some steps from the core element. */
    private String lineBreak(int steps) {
        String ofCore = indent(core);
        String ofChild = core.children().stream().findFirst().map(this::indent).orElse("");
        boolean deeper = ofChild.length() > ofCore.length() && ofChild.startsWith(ofCore);
        String step = deeper ? ofChild.substring(ofCore.length()) : "   ";
        return (text.contains("\r\n") ? "\r\n" : "\n") + ofCore + step.repeat(steps);
    }

    /** Returns the blanks before an element, on its line. */
    private String indent(XmlElement element) {
        String before = text.substring(0, element.place().start());
        String white = before.substring(before.stripTrailing().length());
        return white.substring(white.lastIndexOf('\n') + 1);
    }

    /** Returns the same text without the entry of Signet. */
    BrokerXml withoutEntry() {
        return signet().map(this::without).orElse(this);
    }

    /** Returns the same text without the plugin of Signet, and without the list that was made for it. */
    BrokerXml withoutPlugin(InstallRecord record) {
        BrokerXml rest = withoutEntry();
        Optional<String> former = record.formerPlugins();
        Optional<XmlElement> emptied =
                rest.plugins().filter(plugins -> rest.contentOf(plugins).isBlank());
        if (signet().isEmpty() || former.isEmpty() || emptied.isEmpty()) {
            return rest;
        }
        return former.get().isEmpty() ? rest.without(emptied.get()) : rest.replaced(emptied.get(), former.get());
    }

    /** Removes an element; if it begins a line, with the blanks before it and the line break before those. */
    private BrokerXml without(XmlElement element) {
        int start = element.place().start();
        String before = text.substring(0, start - indent(element).length());
        if (before.endsWith("\n")) {
            start = before.length() - (before.endsWith("\r\n") ? 2 : 1);
        }
        return replaced(start, element.place().end(), "");
    }

    private String contentOf(XmlElement element) {
        return text.substring(element.place().contentStart(), element.place().contentEnd());
    }

    private BrokerXml replaced(XmlElement element, String replacement) {
        return replaced(element.place().start(), element.place().end(), replacement);
    }

    private BrokerXml replaced(int start, int end, String replacement) {
        return of(text.substring(0, start) + replacement + text.substring(end));
    }
}
