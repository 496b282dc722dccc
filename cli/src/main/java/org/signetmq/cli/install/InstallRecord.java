/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The state before installing, which uninstalling restores: the former {@code <broker-plugins>}. It also keeps whether
 * the administrator left the native library out.
 */
record InstallRecord(Map<String, String> former) {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final String NATIVE_LIBRARY = "native library";

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

    /** Notes that {@code <broker-plugins>} was this text; an empty one if it was absent. */
    void pluginsWere(String text) {
        former.putIfAbsent(BrokerXml.PLUGINS, text);
    }

    /** Returns the former text of {@code <broker-plugins>}, if installing made the present one. */
    Optional<String> formerPlugins() {
        return Optional.ofNullable(former.get(BrokerXml.PLUGINS));
    }

    void leaveNativeLibraryOut(boolean leftOut) {
        former.compute(NATIVE_LIBRARY, (key, before) -> leftOut ? "left out" : null);
    }

    boolean isNativeLibraryLeftOut() {
        return former.containsKey(NATIVE_LIBRARY);
    }
}
