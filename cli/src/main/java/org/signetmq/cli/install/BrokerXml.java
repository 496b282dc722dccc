/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.signetmq.cli.install.Instance.UnusableInstanceException;

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
        return of(XmlElement.decoded(utf8, Instance.BROKER_XML));
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

    static String escape(String value) {
        return value.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }

    Optional<XmlElement> signet() {
        return child(PLUGINS, PLUGIN, BrokerXml::isSignet);
    }

    /** Returns the first element of a list that is wanted. */
    private Optional<XmlElement> child(String list, String element, Predicate<XmlElement> isWanted) {
        return core.first(list).stream()
                .flatMap(there -> there.all(element).stream())
                .filter(isWanted)
                .findFirst();
    }

    /** Whether the plugin of Signet comes first. Others before it, or includes, would see messages in clear. */
    boolean isSignetFirst() {
        return core.first(PLUGINS).stream()
                .flatMap(list -> list.children().stream().limit(1))
                .anyMatch(BrokerXml::isSignet);
    }

    /** Returns the same text with the plugin of Signet, which is not there yet, first among the plugins. */
    BrokerXml withPlugin(Map<String, String> properties, InstallRecord record) {
        return withFirst(PLUGINS, entry(properties, lineBreak(3), lineBreak(2)), record);
    }

    /** Returns the setting of security with this match that Artemis takes, if this file has it. */
    Optional<XmlElement> setting(String match) {
        return child(
                Roles.SETTINGS,
                Roles.SETTING,
                setting -> setting.attribute("match").equals(match));
    }

    /** Returns the same text with a setting of security that has these permissions, in place of one for this match. */
    BrokerXml withSetting(String match, List<String> permissions, InstallRecord record) {
        BrokerXml rest = setting(match).map(this::without).orElse(this);
        String setting = setting(Roles.SETTING, match, permissions);
        record.settingIs(setting);
        return rest.withFirst(Roles.SETTINGS, setting, record);
    }

    /** Returns the same text with these permissions last in the setting of security with this match, which is there. */
    BrokerXml withMorePermissions(String match, List<String> permissions, InstallRecord record) {
        XmlElement setting = setting(match).orElseThrow();
        String more = permissions.stream().map(lineBreak(3)::concat).collect(Collectors.joining());
        record.managementRightsAre(more);
        if (setting.isEmptyTag()) {
            throw new UnusableInstanceException(Instance.BROKER_XML + ": has a setting of security for " + match
                    + " without permissions; remove it, and install again");
        }
        int end =
                text.substring(0, setting.place().contentEnd()).stripTrailing().length();
        return replaced(end, end, more);
    }

    /** Returns the same text with a new setting of security for the management, which has these permissions. */
    BrokerXml withManagementSetting(String match, List<String> permissions, InstallRecord record) {
        String setting = setting(Roles.SETTING, match, permissions);
        record.managementRightsAre(lineBreak(2) + setting);
        return withFirst(Roles.SETTINGS, setting, record);
    }

    /**
     * Returns the same text without the rights that installing inserted into the setting with this match, or made it
     * of, unless others changed them. Another setting may have the same lines.
     */
    BrokerXml withoutManagementRights(String match, InstallRecord record) {
        String inserted = record.managementRights();
        Optional<XmlElement> own = inserted.isEmpty() ? Optional.empty() : setting(match);
        int start = own.map(
                        setting -> text.lastIndexOf(inserted, setting.place().end() - inserted.length()))
                .orElse(-1);
        return start < 0
                        || start + inserted.length()
                                <= own.orElseThrow().place().start()
                ? this
                : replaced(start, start + inserted.length(), "").withoutEmptied(Roles.SETTINGS, record);
    }

    /** Returns the same text without the settings that installing made, unless others changed them since. */
    BrokerXml withoutSettings(InstallRecord record) {
        return without(Roles.SETTINGS, Roles.SETTING, record.setting().stream().toList(), record)
                .without(DeadLetterSettings.SETTINGS, DeadLetterSettings.SETTING, record.addressSettings(), record);
    }

    private BrokerXml without(String list, String element, List<String> made, InstallRecord record) {
        BrokerXml rest = this;
        for (String text : made) {
            BrokerXml before = rest;
            rest = before.child(list, element, setting -> before.textOf(setting).equals(text))
                    .map(before::without)
                    .orElse(before);
        }
        return rest.withoutEmptied(list, record);
    }

    /** Returns the setting of security that installing made, if it is as it was made. */
    Optional<XmlElement> made(InstallRecord record) {
        return child(Roles.SETTINGS, Roles.SETTING, setting -> record.setting().equals(Optional.of(textOf(setting))));
    }

    private String textOf(XmlElement element) {
        return text.substring(element.place().start(), element.place().end());
    }

    /** Returns the same text with a setting of this address first among the address settings. */
    BrokerXml withAddressSetting(String match, List<String> lines, InstallRecord record) {
        String setting = setting(DeadLetterSettings.SETTING, match, lines);
        record.addressSettingIs(match, setting);
        return withFirst(DeadLetterSettings.SETTINGS, setting, record);
    }

    private String setting(String name, String match, List<String> elements) {
        return setting(name, match, elements, lineBreak(3), lineBreak(2));
    }

    /** Returns a setting for the addresses of a match, with these texts before each of its elements and its end. */
    static String setting(String name, String match, List<String> elements, String beforeEach, String beforeEnd) {
        return elements.stream()
                .map(beforeEach::concat)
                .collect(Collectors.joining(
                        "", "<" + name + " match=\"" + escape(match) + "\">", beforeEnd + "</" + name + ">"));
    }

    /** Returns the same text with an element first in a list, which is made if it is absent or empty. */
    private BrokerXml withFirst(String list, String element, InstallRecord record) {
        String entry = lineBreak(2) + element;
        Optional<XmlElement> there = core.first(list);
        if (there.isPresent() && !there.get().isEmptyTag()) {
            int start = there.get().place().contentStart();
            return replaced(start, start, entry);
        }
        String made = "<" + list + ">" + entry + lineBreak(1) + "</" + list + ">";
        record.listWas(list, there.map(this::textOf).orElse(""));
        int end = text.substring(0, core.place().contentEnd()).stripTrailing().length();
        return there.map(empty -> replaced(empty, made)).orElseGet(() -> replaced(end, end, lineBreak(1) + made));
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
        return signet().isEmpty() ? this : withoutEntry().withoutEmptied(PLUGINS, record);
    }

    /**
     * Returns the same text with a list as it was before installing, if installing made it and nothing is left in it.
     */
    private BrokerXml withoutEmptied(String list, InstallRecord record) {
        Optional<String> former = record.formerList(list);
        Optional<XmlElement> emptied =
                core.first(list).filter(there -> contentOf(there).isBlank());
        if (former.isEmpty() || emptied.isEmpty()) {
            return this;
        }
        return former.get().isEmpty() ? without(emptied.get()) : replaced(emptied.get(), former.get());
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
