/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The text of a broker.xml, and where the plugin and the acceptors stand in it. Editing gives a new one. */
final class BrokerXml {
    static final String PLUGIN_CLASS = "org.signetmq.interceptor.SignetPlugin";
    static final String PLUGINS = "broker-plugins";
    static final String PLUGIN = "broker-plugin";
    private static final String FILE = Instance.BROKER_XML;

    private final String text;
    private final XmlElement root;
    private final XmlElement core;

    /** @throws UnusableInstanceException if the text is no broker configuration */
    BrokerXml(String text) {
        this.text = text;
        this.root = XmlParser.parse(text, FILE);
        this.core = root.first("core")
                .filter(element -> root.name().equals("configuration") && !element.isEmptyTag())
                .orElseThrow(() -> new UnusableInstanceException(FILE + ": has no <core> in <configuration>"));
    }

    String text() {
        return text;
    }

    XmlElement root() {
        return root;
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

    /** Returns the lines of an entry of Signet's plugin, indented as they stand within each other. */
    static List<String> entry(Map<String, String> properties) {
        List<String> lines = new ArrayList<>();
        lines.add("<" + PLUGIN + " class-name=\"" + PLUGIN_CLASS + "\">");
        properties.forEach(
                (key, value) -> lines.add("<property key=\"" + escape(key) + "\" value=\"" + escape(value) + "\"/>"));
        lines.add("</" + PLUGIN + ">");
        return lines;
    }

    private static String escape(String value) {
        return value.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }

    Optional<XmlElement> signet() {
        return plugins()
                .flatMap(plugins ->
                        plugins.all(PLUGIN).stream().filter(BrokerXml::isSignet).findFirst());
    }

    private Optional<XmlElement> plugins() {
        return core.first(PLUGINS);
    }

    /** Whether the plugin of Signet comes first. Others before it, or includes, would see messages in clear. */
    boolean isSignetFirst() {
        return plugins().stream()
                .flatMap(plugins -> plugins.children().stream().limit(1))
                .anyMatch(BrokerXml::isSignet);
    }

    /** Returns the same text with the plugin of Signet, which is not there yet, first among the plugins. */
    BrokerXml withPlugin(Map<String, String> properties, InstallRecord record) {
        StringBuilder entry = new StringBuilder();
        List<String> lines = entry(properties);
        for (int i = 0; i < lines.size(); i++) {
            entry.append(line(i == 0 || i == lines.size() - 1 ? 2 : 3, lines.get(i)));
        }
        Optional<XmlElement.Place> plugins = plugins().map(XmlElement::place);
        if (plugins.isPresent() && !plugins().get().isEmptyTag()) {
            int start = plugins.get().contentStart();
            return replaced(start, start, entry.toString());
        }
        String list = "<" + PLUGINS + ">" + entry + line(1, "</" + PLUGINS + ">");
        if (plugins.isPresent()) {
            record.pluginsWere(
                    text.substring(plugins.get().start(), plugins.get().end()));
            return replaced(plugins.get().start(), plugins.get().end(), list);
        }
        record.pluginsWere("");
        XmlElement.Place place = core.place();
        int end = place.contentStart()
                + text.substring(place.contentStart(), place.contentEnd())
                        .stripTrailing()
                        .length();
        return replaced(end, end, line(1, list));
    }

    /** Returns a line break and a line that is indented by some steps from the core element. */
    private String line(int depth, String line) {
        String coreIndent = indent(core);
        String childIndent =
                core.children().isEmpty() ? "" : indent(core.children().get(0));
        boolean deeper = childIndent.length() > coreIndent.length() && childIndent.startsWith(coreIndent);
        String step = deeper ? childIndent.substring(coreIndent.length()) : "   ";
        return (text.contains("\r\n") ? "\r\n" : "\n") + coreIndent + step.repeat(depth) + line;
    }

    private String indent(XmlElement element) {
        return text.substring(
                startOfIndent(element.place().start()), element.place().start());
    }

    private int startOfIndent(int place) {
        int start = place;
        while (start > 0 && (text.charAt(start - 1) == ' ' || text.charAt(start - 1) == '\t')) {
            start--;
        }
        return start;
    }

    /** Returns the same text without the entry of Signet. */
    BrokerXml withoutEntry() {
        return signet().map(this::without).orElse(this);
    }

    /** Returns the same text without the plugin of Signet, and without the list that was made for it. */
    BrokerXml withoutPlugin(InstallRecord record) {
        Optional<XmlElement> signet = signet();
        Optional<String> former = record.formerPlugins();
        if (signet.isEmpty()
                || former.isEmpty()
                || !isAlone(signet.get(), plugins().orElseThrow())) {
            return withoutEntry();
        }
        XmlElement plugins = plugins().orElseThrow();
        return former.get().isEmpty()
                ? without(plugins)
                : replaced(plugins.place().start(), plugins.place().end(), former.get());
    }

    /** Tells whether it is the only node of its parent, comments included. */
    private boolean isAlone(XmlElement child, XmlElement parent) {
        String before =
                text.substring(parent.place().contentStart(), child.place().start());
        return (before + text.substring(child.place().end(), parent.place().contentEnd())).isBlank();
    }

    /** Removes an element; if it begins a line, with the blanks before it and the line break before those. */
    private BrokerXml without(XmlElement element) {
        int start = startOfIndent(element.place().start());
        if (start > 0 && text.charAt(start - 1) == '\n') {
            start -= start > 1 && text.charAt(start - 2) == '\r' ? 2 : 1;
        } else {
            start = element.place().start();
        }
        return replaced(start, element.place().end(), "");
    }

    /** Returns the same text with former values of the parameters of acceptors that an earlier version set. */
    BrokerXml withFormerParameters(InstallRecord record) {
        BrokerXml edited = this;
        int acceptors = acceptors().size();
        for (int i = 0; i < acceptors; i++) {
            XmlElement acceptor = edited.acceptors().get(i);
            XmlElement.Place place = acceptor.place();
            String url = edited.text.substring(place.contentStart(), place.contentEnd());
            String name = acceptor.attributes().getOrDefault("name", "#" + i);
            edited = edited.replaced(place.contentStart(), place.contentEnd(), record.formerUrl(name, url));
        }
        return edited;
    }

    private List<XmlElement> acceptors() {
        return core.first("acceptors").map(element -> element.all("acceptor")).orElse(List.of());
    }

    private BrokerXml replaced(int start, int end, String replacement) {
        return text.substring(start, end).equals(replacement)
                ? this
                : new BrokerXml(text.substring(0, start) + replacement + text.substring(end));
    }
}
