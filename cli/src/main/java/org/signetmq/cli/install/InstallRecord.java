/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.signetmq.cli.install.Instance.UnusableInstanceException;

/**
 * The state before installing, which uninstalling restores: the former {@code <broker-plugins>} and
 * {@code <security-settings>}. It also keeps the settings of security and of addresses that were made, and whether the
 * administrator left the native library out.
 */
record InstallRecord(Map<String, String> former) {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final String NATIVE_LIBRARY = "native library";
    private static final String MANAGEMENT_RIGHTS = "management rights";
    private static final String ADDRESS_SETTING = DeadLetterSettings.SETTING + " ";

    /**
     * Reads a record; without a file it is empty.
     *
     * @throws UnusableInstanceException if it is no record
     */
    static InstallRecord parse(Optional<byte[]> json) {
        try {
            return new InstallRecord(MAPPER.readValue(
                    json.orElse(new byte[] {'{', '}'}), new TypeReference<TreeMap<String, String>>() {}));
        } catch (IOException e) {
            throw new UnusableInstanceException(
                    Instance.RECORD + ": not readable; restore broker.xml from its backup, and delete this file");
        }
    }

    byte[] format() {
        return MAPPER.<JsonNode>valueToTree(former).toPrettyString().getBytes(StandardCharsets.UTF_8);
    }

    /** Notes that a list was this text, such as {@code <broker-plugins>}; an empty one if it was absent. */
    void listWas(String list, String text) {
        former.putIfAbsent(list, text);
    }

    /** Returns the former text of a list, if installing made the present one. */
    Optional<String> formerList(String list) {
        return Optional.ofNullable(former.get(list));
    }

    /** Notes the text of the setting of security that installing made. */
    void settingIs(String text) {
        former.put(Roles.SETTING, text);
    }

    /** Returns the text of the setting of security that installing made. */
    Optional<String> setting() {
        return Optional.ofNullable(former.get(Roles.SETTING));
    }

    /** Notes the text with rights on the management that installing inserted; empty if it inserted none. */
    void managementRightsAre(String text) {
        former.compute(MANAGEMENT_RIGHTS, (key, before) -> text.isEmpty() ? null : text);
    }

    /** Returns the text with rights on the management that installing inserted; empty if it inserted none. */
    String managementRights() {
        return former.getOrDefault(MANAGEMENT_RIGHTS, "");
    }

    /** Notes the text of an address setting that installing made. */
    void addressSettingIs(String match, String text) {
        former.put(ADDRESS_SETTING + match, text);
    }

    /** Returns the texts of the address settings that installing made. */
    List<String> addressSettings() {
        return former.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(ADDRESS_SETTING))
                .map(Map.Entry::getValue)
                .toList();
    }

    void leaveNativeLibraryOut(boolean leftOut) {
        former.compute(NATIVE_LIBRARY, (key, before) -> leftOut ? "left out" : null);
    }

    boolean isNativeLibraryLeftOut() {
        return former.containsKey(NATIVE_LIBRARY);
    }
}
