/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The state before installing, which uninstalling restores: the former {@code <broker-plugins>}, and former values of
 * acceptor parameters that an earlier version changed. An empty text stands for nothing. It also keeps whether the
 * administrator left the native library out.
 */
final class InstallRecord {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final String PLUGINS = "broker-plugins";
    private static final String NATIVE_LIBRARY = "native library";

    /** Earlier versions set these to -1, which changed messages to addresses without a policy. */
    private static final List<String> FORMER_PARAMETERS =
            List.of("amqpMinLargeMessageSize", "stompMinLargeMessageSize");

    private final Map<String, String> former;

    private InstallRecord(Map<String, String> former) {
        this.former = former;
    }

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
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(former);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("record: cannot be written", e);
        }
    }

    /** Notes that {@code <broker-plugins>} was this text; an empty one if it was absent. */
    void pluginsWere(String text) {
        former.putIfAbsent(PLUGINS, text);
    }

    /** Returns the former text of {@code <broker-plugins>}, if installing made the present one. */
    Optional<String> formerPlugins() {
        return Optional.ofNullable(former.get(PLUGINS));
    }

    void leaveNativeLibraryOut(boolean leftOut) {
        former.remove(NATIVE_LIBRARY);
        if (leftOut) {
            former.put(NATIVE_LIBRARY, "left out");
        }
    }

    boolean isNativeLibraryLeftOut() {
        return former.containsKey(NATIVE_LIBRARY);
    }

    /** Returns an acceptor's URL with the values that parameters had before an earlier version, and forgets these. */
    String formerUrl(String acceptor, String url) {
        String restored = url;
        for (String parameter : FORMER_PARAMETERS) {
            String value = former.remove("acceptor " + acceptor + ": " + parameter);
            if (value != null) {
                restored = restored(restored, parameter, value);
            }
        }
        return restored;
    }

    /** Leaves a value alone that is not the one of the earlier version: an administrator chose it. */
    private static String restored(String url, String parameter, String value) {
        Matcher set = Pattern.compile("([?;]|&amp;)(\\s*" + parameter + "=)([^;&\\s]*)")
                .matcher(url);
        if (!set.find() || !set.group(3).equals("-1")) {
            return url;
        }
        String rest = url.substring(set.end());
        if (!value.isEmpty()) {
            return url.substring(0, set.start(3)) + value + rest;
        }
        boolean firstOfMore = set.group(1).equals("?") && rest.startsWith(";");
        return url.substring(0, set.start()) + (firstOfMore ? "?" + rest.substring(1) : rest);
    }
}
