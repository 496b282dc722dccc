/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What was there before installing, so that uninstalling can put it back: for each changed parameter of an acceptor its
 * former value, and the former {@code <broker-plugins>}. Empty stands for nothing. It also keeps whether the
 * administrator left the native library out.
 */
final class InstallRecord {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final String ACCEPTOR = "acceptor ";
    private static final String PLUGINS = "broker-plugins";

    private static final String NATIVE_LIBRARY = "native library";
    private static final String LEFT_OUT = "left out";

    private final Map<String, String> former;

    private InstallRecord(Map<String, String> former) {
        this.former = former;
    }

    static InstallRecord empty() {
        return new InstallRecord(new TreeMap<>());
    }

    /** @throws UnusableInstanceException if somebody has edited it badly */
    static InstallRecord parse(byte[] json) {
        try {
            return new InstallRecord(MAPPER.readValue(json, new TypeReference<TreeMap<String, String>>() {}));
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

    /** Says that a parameter is as it was, or is another's now. */
    void forget(String acceptor, String parameter) {
        former.remove(key(acceptor, parameter));
    }

    boolean isChanged(String acceptor, String parameter) {
        return former.containsKey(key(acceptor, parameter));
    }

    /** The former value of a changed parameter; empty if it was not there. */
    Optional<String> formerValue(String acceptor, String parameter) {
        return Optional.ofNullable(former.get(key(acceptor, parameter))).filter(value -> !value.isEmpty());
    }

    /** Says that {@code <broker-plugins>} was this text; empty if it was not there. */
    void pluginsWere(String text) {
        former.putIfAbsent(PLUGINS, text);
    }

    /** The former text of {@code <broker-plugins>}, if all of it is ours. */
    Optional<String> formerPlugins() {
        return Optional.ofNullable(former.get(PLUGINS));
    }

    void leaveNativeLibraryOut() {
        former.put(NATIVE_LIBRARY, LEFT_OUT);
    }

    void wantNativeLibrary() {
        former.remove(NATIVE_LIBRARY);
    }

    boolean isNativeLibraryLeftOut() {
        return former.containsKey(NATIVE_LIBRARY);
    }

    private static String key(String acceptor, String parameter) {
        return ACCEPTOR + acceptor + ": " + parameter;
    }
}
