/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A broker.xml: where the plugin and the acceptors stand in it. Editing it gives a new one. */
final class BrokerXml {
    static final String PLUGIN_CLASS = "org.signetmq.interceptor.SignetPlugin";
    private static final String FILE = Instance.BROKER_XML;
    static final String PLUGINS = "broker-plugins";
    static final String PLUGIN = "broker-plugin";

    private final String text;
    private final XmlElement root;
    private final XmlElement core;

    /** An acceptor; one without a name is known by its number. */
    record Acceptor(String name, AcceptorUrl url, XmlElement element) {}

    /** @throws UnusableInstanceException if the text is no broker configuration */
    BrokerXml(String text) {
        this.text = text;
        this.root = XmlText.root(text, FILE);
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

    List<Acceptor> acceptors() {
        List<Acceptor> acceptors = new ArrayList<>();
        core.first("acceptors")
                .map(element -> element.all("acceptor"))
                .orElse(List.of())
                .forEach(element -> acceptors.add(new Acceptor(
                        element.attributes().getOrDefault("name", "#" + acceptors.size()),
                        new AcceptorUrl(element.content(text)),
                        element)));
        return acceptors;
    }

    Optional<XmlElement> plugins() {
        return core.first(PLUGINS);
    }

    Optional<XmlElement> ours() {
        return plugins()
                .flatMap(plugins ->
                        plugins.all(PLUGIN).stream().filter(BrokerXml::isOurs).findFirst());
    }

    /** Whether plugins stand before ours, which see messages in clear; what is included there may be some. */
    boolean hasPluginsBeforeOurs() {
        List<XmlElement> children = plugins().map(XmlElement::children).orElse(List.of());
        return !children.isEmpty() && !isOurs(children.get(0));
    }

    private static boolean isOurs(XmlElement element) {
        return entry(element).isOurs();
    }

    private static PluginEntry entry(XmlElement element) {
        return new PluginEntry(element, Path.of(FILE));
    }

    /** The properties of our entry, escaped as they are written. */
    Map<String, String> properties() {
        return ours().map(ours -> entry(ours).properties()).orElse(Map.of());
    }

    /** The same with the plugin, which is not there yet, first among the plugins. Properties are escaped. */
    BrokerXml withPlugin(Map<String, String> properties, InstallRecord record) {
        Layout layout = new Layout(text, core);
        TextEdits edits = new TextEdits();
        Optional<XmlElement> plugins = plugins();
        if (plugins.isEmpty()) {
            record.pluginsWere("");
            edits.insert(
                    layout.endOfContent(core),
                    layout.line(1, "<" + PLUGINS + ">")
                            + entry(layout, properties)
                            + layout.line(1, "</" + PLUGINS + ">"));
        } else if (plugins.get().isEmptyTag()) {
            XmlElement.Place place = plugins.get().place();
            record.pluginsWere(text.substring(place.start(), place.end()));
            edits.replace(
                    place.start(),
                    place.end(),
                    "<" + PLUGINS + ">" + entry(layout, properties) + layout.line(1, "</" + PLUGINS + ">"));
        } else {
            edits.insert(plugins.get().place().contentStart(), entry(layout, properties));
        }
        return new BrokerXml(edits.applyTo(text));
    }

    private static String entry(Layout layout, Map<String, String> properties) {
        StringBuilder entry = new StringBuilder(layout.line(2, "<" + PLUGIN + " class-name=\"" + PLUGIN_CLASS + "\">"));
        properties.forEach((key, value) ->
                entry.append(layout.line(3, "<property key=\"" + key + "\" value=\"" + value + "\"/>")));
        return entry.append(layout.line(2, "</" + PLUGIN + ">")).toString();
    }

    /** The same without our entry, which is there. */
    BrokerXml withoutEntry() {
        TextEdits edits = new TextEdits();
        ours().ifPresent(entry -> edits.removeLines(text, entry.place()));
        return new BrokerXml(edits.applyTo(text));
    }

    /** The same without the plugin, and without what was made for it. */
    BrokerXml withoutPlugin(InstallRecord record) {
        Optional<XmlElement> plugins = plugins();
        Optional<XmlElement> ours = ours();
        if (plugins.isEmpty() || ours.isEmpty()) {
            return this;
        }
        String former = record.formerPlugins().orElse(null);
        if (former == null || !isAlone(ours.get(), plugins.get())) {
            return withoutEntry();
        }
        TextEdits edits = new TextEdits();
        if (former.isEmpty()) {
            edits.removeLines(text, plugins.get().place());
        } else {
            XmlElement.Place place = plugins.get().place();
            edits.replace(place.start(), place.end(), former);
        }
        return new BrokerXml(edits.applyTo(text));
    }

    /** Whether nothing else stands in the element, no comment either. */
    private boolean isAlone(XmlElement child, XmlElement parent) {
        return (text.substring(parent.place().contentStart(), child.place().start())
                        + text.substring(child.place().end(), parent.place().contentEnd()))
                .isBlank();
    }

    /** The same with this URL for the acceptor. */
    BrokerXml withUrl(Acceptor acceptor, AcceptorUrl url) {
        TextEdits edits = new TextEdits();
        edits.replace(
                acceptor.element().place().contentStart(),
                acceptor.element().place().contentEnd(),
                url.text());
        return new BrokerXml(edits.applyTo(text));
    }
}
