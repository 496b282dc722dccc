/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.signetmq.cli.install.FileChange.Kind;

/** Plans how the plugin gets into a broker instance, and out of it. */
public final class Installation {
    private final Instance instance;
    private final Plan plan;
    private final InstallRecord record;

    private Installation(Path folder) throws IOException {
        this.instance = Instance.at(folder);
        this.plan = new Plan(instance);
        this.record = InstallRecord.parse(instance.read(Instance.RECORD));
    }

    /**
     * The settings of an installation.
     *
     * @param jars the jars for the folder lib
     * @param given properties that hold in any case
     * @param defaults properties for an entry that does not have them yet
     * @param password the broker's password, which the instance keeps if no property names its file
     */
    public record Request(Jars jars, PluginProperties given, PluginProperties defaults, Optional<String> password) {}

    /**
     * Plans an installation.
     *
     * @param folder of the instance
     * @throws UnusableInstanceException if it cannot be installed there
     */
    public static Plan plan(Path folder, Request request) throws IOException {
        return new Installation(folder).plan(request);
    }

    private Plan plan(Request request) throws IOException {
        instance.requireNoOtherPlugin();
        BrokerXml before = instance.brokerXml();
        WholeConfiguration whole = new WholeConfiguration(instance, before.root());
        Optional<Path> included = whole.includedPlugins();
        Map<String, String> properties = properties(before, request);
        BrokerXml after = before;
        if (included.isPresent()) {
            properties = requireIncludedEntry(included.get(), whole.plugins(), properties, request.given());
        } else if (!before.isSignetFirst()
                || !before.signet().map(BrokerXml::properties).equals(Optional.of(properties))) {
            after = before.withoutEntry().withPlugin(properties, record);
        }
        after = after.withFormerParameters(record);
        boolean leftOut = isNativeLibraryLeftOut(request.jars().choice());
        boolean edited = !after.text().equals(before.text());
        if (edited) {
            byte[] original = bytes(before.text());
            write(instance.backup(original), original, Kind.TEXT);
        }
        if (edited || leftOut != record.isNativeLibraryLeftOut()) {
            record.leaveNativeLibraryOut(leftOut);
            write(Instance.RECORD, record.format(), Kind.TEXT);
        }
        writePlugin(request.jars().plugin());
        placeNativeLibrary(request.jars(), leftOut);
        if (instance.path(Instance.PASSWORD).toString().equals(properties.get(PluginProperties.PASSWORD_FILE))) {
            keepPassword(request.password());
        }
        write(Instance.BROKER_XML, bytes(after.text()), Kind.TEXT);
        if (!whole.unread().isEmpty()) {
            plan.warn(Instance.BROKER_XML + " includes what cannot be read here, " + String.join(", ", whole.unread())
                    + ": if it lists plugins, the broker will not start; signet broker status shows that the plugin"
                    + " was loaded");
        }
        plan.brokerHas(PluginProperties.of(properties, instance), whole.wildcards());
        return plan;
    }

    private Map<String, String> properties(BrokerXml xml, Request request) {
        Map<String, String> properties = new LinkedHashMap<>(request.defaults().byName());
        if (request.password().isPresent()) {
            properties.putIfAbsent(
                    PluginProperties.PASSWORD_FILE,
                    instance.path(Instance.PASSWORD).toString());
        }
        properties.putAll(xml.signet().map(BrokerXml::properties).orElse(Map.of()));
        properties.putAll(request.given().byName());
        return properties;
    }

    /**
     * Returns the properties of the entry in an included file, which is not edited. A second list of plugins in
     * broker.xml would keep the broker from starting.
     *
     * @throws UnusableInstanceException if the entry is not the first, or lacks a given property
     */
    private static Map<String, String> requireIncludedEntry(
            Path file, List<WholeConfiguration.Part> plugins, Map<String, String> wanted, PluginProperties given) {
        String entry = String.join("", BrokerXml.entry(wanted));
        if (plugins.isEmpty() || !BrokerXml.isSignet(plugins.get(0).element())) {
            throw new UnusableInstanceException(file + ": is included by " + Instance.BROKER_XML
                    + " and lists its plugins; install again when this is the first of them: " + entry);
        }
        Map<String, String> properties = BrokerXml.properties(plugins.get(0).element());
        if (!properties.entrySet().containsAll(given.byName().entrySet())) {
            throw new UnusableInstanceException(plugins.get(0).file() + ": is included by " + Instance.BROKER_XML
                    + " and not edited; install again when the entry of Signet there is " + entry);
        }
        return properties;
    }

    private boolean isNativeLibraryLeftOut(Jars.Choice choice) {
        return switch (choice) {
            case INSTALL -> false;
            case LEAVE_OUT -> true;
            case AS_BEFORE -> record.isNativeLibraryLeftOut();
        };
    }

    private void writePlugin(byte[] jar) throws IOException {
        Optional<byte[]> former = instance.read(Instance.JAR);
        if (former.isPresent() && !Arrays.equals(former.get(), jar)) {
            write(Instance.JAR_BACKUP, former.get(), Kind.JAR);
        }
        write(Instance.JAR, jar, Kind.JAR);
    }

    private void placeNativeLibrary(Jars jars, boolean leftOut) throws IOException {
        if (leftOut) {
            remove(Instance.NATIVE_JAR, Kind.JAR);
        } else if (jars.nativeLibrary().isPresent() && !instance.hasOtherNativeJar()) {
            write(Instance.NATIVE_JAR, jars.nativeLibrary().get(), Kind.JAR);
        } else if (jars.choice() == Jars.Choice.INSTALL && jars.nativeLibrary().isEmpty()) {
            plan.warn("the native library for cryptography does not work on this machine, and is not installed; "
                    + "signet doctor crypto says what serves instead");
        }
    }

    /** A password that is there already stays: a running broker would read another within a second, and reject all. */
    private void keepPassword(Optional<String> password) throws IOException {
        if (password.isEmpty()) {
            return;
        }
        byte[] line = bytes(password.get() + "\n");
        Optional<byte[]> there = instance.read(Instance.PASSWORD);
        if (there.isEmpty()) {
            write(Instance.PASSWORD, line, Kind.SECRET);
        } else if (!Arrays.equals(there.get(), line)) {
            plan.warn(Instance.PASSWORD + " stays as it is, which is not what SIGNET_PASSWORD says now; "
                    + "delete it to have it written again");
        }
    }

    /**
     * Plans the opposite: it undoes the installation, and later changes of others stay.
     *
     * @param folder of the instance
     * @throws UnusableInstanceException if that is impossible
     */
    public static Plan planRemoval(Path folder) throws IOException {
        return new Installation(folder).planRemoval();
    }

    private Plan planRemoval() throws IOException {
        BrokerXml before = instance.brokerXml();
        WholeConfiguration whole = new WholeConfiguration(instance, before.root());
        Optional<Path> included = whole.includedPlugins();
        if (included.isPresent() && whole.plugins().stream().anyMatch(plugin -> BrokerXml.isSignet(plugin.element()))) {
            // without its jar the broker would not start
            throw new UnusableInstanceException(included.get() + ": is included by " + Instance.BROKER_XML
                    + " and not edited; uninstall again when the entry of Signet there is removed");
        }
        byte[] restored =
                bytes(before.withoutPlugin(record).withFormerParameters(record).text());
        write(Instance.BROKER_XML, restored, Kind.TEXT);
        for (String backup : instance.backups()) {
            if (isOfNoMoreUse(backup, restored)) {
                remove(backup, Kind.TEXT);
            } else {
                plan.warn(backup + " stays: it is not like broker.xml, which others have changed since");
            }
        }
        remove(Instance.RECORD, Kind.TEXT);
        remove(Instance.JAR, Kind.JAR);
        remove(Instance.JAR_BACKUP, Kind.JAR);
        remove(Instance.NATIVE_JAR, Kind.JAR);
        remove(Instance.PASSWORD, Kind.SECRET);
        return plan;
    }

    /** Whether a backup is like the file itself, or lists the plugin that is gone. */
    private boolean isOfNoMoreUse(String backup, byte[] restored) throws IOException {
        byte[] content = instance.read(backup).orElse(restored);
        if (Arrays.equals(content, restored)) {
            return true;
        }
        try {
            return new BrokerXml(new String(content, StandardCharsets.UTF_8))
                    .signet()
                    .isPresent();
        } catch (UnusableInstanceException noBrokerXml) {
            return false;
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void write(String name, byte[] content, Kind kind) throws IOException {
        plan.change(name, Optional.of(content), kind);
    }

    private void remove(String name, Kind kind) throws IOException {
        plan.change(name, Optional.empty(), kind);
    }
}
