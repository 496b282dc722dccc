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
import org.signetmq.cli.install.BrokerXml.Acceptor;

/** Plans how the plugin gets into a broker instance. */
public final class Installation {
    /** Earlier versions set these, which changed messages to addresses without a policy. */
    private static final List<String> FORMER_PARAMETERS =
            List.of("amqpMinLargeMessageSize", "stompMinLargeMessageSize");

    /** What earlier versions set them to. */
    private static final String IN_MEMORY = "-1";

    private final Instance instance;
    private final Plan plan;
    private final InstallRecord record;

    private Installation(Instance instance) throws IOException {
        this.instance = instance;
        this.plan = new Plan(instance);
        this.record = instance.record();
    }

    /**
     * What to install.
     *
     * @param jars what goes into the folder lib
     * @param said properties that hold in any case
     * @param otherwise properties for an entry that does not have them yet
     * @param password to be kept in the instance for the broker; only if nothing says where else it is
     */
    public record Request(Jars jars, PluginProperties said, PluginProperties otherwise, Optional<String> password) {}

    /**
     * What goes into the folder lib.
     *
     * @param plugin the plugin
     * @param nativeLibrary the native library for cryptography
     */
    public record Jars(PluginJar plugin, NativeLibrary nativeLibrary) {}

    /**
     * Plans it.
     *
     * @param folder of the instance
     * @throws UnusableInstanceException if it cannot be installed there
     */
    public static Plan plan(Path folder, Request request) throws IOException {
        return new Installation(Instance.at(folder)).plan(request);
    }

    private Plan plan(Request request) throws IOException {
        instance.requireNoOtherPlugin();
        BrokerXml before = instance.brokerXml();
        WholeConfiguration whole = instance.whole(before);
        Optional<IncludedPlugins> included = IncludedPlugins.of(whole);
        Map<String, String> properties = properties(before, request);
        BrokerXml after = before;
        if (included.isPresent()) {
            properties = included.get().ours(properties, escaped(request.said()));
        } else {
            after = withPluginFirst(before, properties);
        }
        after = asBefore(after);
        boolean wasLeftOut = record.isNativeLibraryLeftOut();
        remember(request.jars().nativeLibrary().choice());
        if (!after.text().equals(before.text())) {
            backUp(before.text().getBytes(StandardCharsets.UTF_8));
        }
        if (!after.text().equals(before.text()) || wasLeftOut != record.isNativeLibraryLeftOut()) {
            write(Instance.RECORD, record.format(), FileChange.Kind.TEXT);
        }
        backUpJar(request.jars().plugin());
        write(Instance.JAR, request.jars().plugin().bytes(), FileChange.Kind.JAR);
        placeNativeLibrary(request.jars().nativeLibrary());
        if (XmlText.escape(instance.path(Instance.PASSWORD).toString())
                .equals(properties.get(PluginProperties.PASSWORD_FILE))) {
            keepPassword(request.password());
        }
        write(Instance.BROKER_XML, after.text().getBytes(StandardCharsets.UTF_8), FileChange.Kind.TEXT);
        warnOfIncludes(whole);
        plan.brokerHas(whole.wildcards());
        plan.brokerWillHave(PluginProperties.written(properties, instance.startProperties()));
        return plan;
    }

    private void remember(NativeLibrary.Choice choice) {
        switch (choice) {
            case INSTALL -> record.wantNativeLibrary();
            case LEAVE_OUT -> record.leaveNativeLibraryOut();
            case AS_BEFORE -> {
                // the record says what holds
            }
        }
    }

    private void placeNativeLibrary(NativeLibrary library) throws IOException {
        if (record.isNativeLibraryLeftOut()) {
            remove(Instance.NATIVE_JAR, FileChange.Kind.JAR);
        } else if (library.jar().isPresent() && !instance.hasOtherNativeJar()) {
            write(Instance.NATIVE_JAR, library.jar().get(), FileChange.Kind.JAR);
        } else if (library.choice() == NativeLibrary.Choice.INSTALL
                && library.jar().isEmpty()) {
            plan.warn("the native library for cryptography does not work on this machine, and is not installed; "
                    + "signet doctor crypto says what serves instead");
        }
    }

    private void warnOfIncludes(WholeConfiguration whole) {
        if (!whole.unread().isEmpty()) {
            plan.warn(Instance.BROKER_XML + " includes what cannot be read here, " + String.join(", ", whole.unread())
                    + ": if it lists plugins, the broker will not start; signet broker status shows that the plugin"
                    + " was loaded");
        }
    }

    private Map<String, String> properties(BrokerXml xml, Request request) {
        Map<String, String> properties = new LinkedHashMap<>(escaped(request.otherwise()));
        if (request.password().isPresent()) {
            properties.putIfAbsent(
                    PluginProperties.PASSWORD_FILE,
                    XmlText.escape(instance.path(Instance.PASSWORD).toString()));
        }
        properties.putAll(xml.properties());
        properties.putAll(escaped(request.said()));
        return properties;
    }

    private static Map<String, String> escaped(PluginProperties properties) {
        Map<String, String> escaped = new LinkedHashMap<>();
        properties.said().forEach((key, value) -> escaped.put(key, XmlText.escape(value)));
        return escaped;
    }

    /** Plugins before it would see messages in clear. */
    private BrokerXml withPluginFirst(BrokerXml xml, Map<String, String> properties) {
        if (xml.ours().isPresent()
                && !xml.hasPluginsBeforeOurs()
                && xml.properties().equals(properties)) {
            return xml;
        }
        return (xml.ours().isPresent() ? xml.withoutEntry() : xml).withPlugin(properties, record);
    }

    /**
     * Plans the opposite: what installing changed becomes as it was, and what others changed since stays.
     *
     * @param folder of the instance
     * @throws UnusableInstanceException if that cannot be
     */
    public static Plan planRemoval(Path folder) throws IOException {
        return new Installation(Instance.at(folder)).planRemoval();
    }

    private Plan planRemoval() throws IOException {
        BrokerXml before = instance.brokerXml();
        IncludedPlugins.of(instance.whole(before)).ifPresent(IncludedPlugins::requireNotOurs);
        BrokerXml after = asBefore(before.withoutPlugin(record));
        byte[] restored = after.text().getBytes(StandardCharsets.UTF_8);
        write(Instance.BROKER_XML, restored, FileChange.Kind.TEXT);
        for (String backup : instance.backups()) {
            if (isOfNoMoreUse(backup, restored)) {
                remove(backup, FileChange.Kind.TEXT);
            } else {
                plan.warn(backup + " stays: it is not like broker.xml, which others have changed since");
            }
        }
        remove(Instance.RECORD, FileChange.Kind.TEXT);
        remove(Instance.JAR, FileChange.Kind.JAR);
        remove(Instance.JAR_BACKUP, FileChange.Kind.JAR);
        remove(Instance.NATIVE_JAR, FileChange.Kind.JAR);
        remove(Instance.PASSWORD, FileChange.Kind.SECRET);
        return plan;
    }

    /** A backup that is like the file itself, or with which the broker would want the plugin that is gone. */
    private boolean isOfNoMoreUse(String backup, byte[] restored) throws IOException {
        byte[] content = instance.read(backup).orElse(restored);
        if (Arrays.equals(content, restored)) {
            return true;
        }
        try {
            return new BrokerXml(new String(content, StandardCharsets.UTF_8))
                    .ours()
                    .isPresent();
        } catch (UnusableInstanceException noBrokerXml) {
            return false;
        }
    }

    /** Gives parameters that an earlier version set the values that they had before, and forgets those. */
    private BrokerXml asBefore(BrokerXml xml) {
        BrokerXml edited = xml;
        for (int i = 0; i < xml.acceptors().size(); i++) {
            Acceptor acceptor = edited.acceptors().get(i);
            AcceptorUrl url = acceptor.url();
            for (String parameter : FORMER_PARAMETERS) {
                if (record.isChanged(acceptor.name(), parameter)
                        && url.parameter(parameter).equals(Optional.of(IN_MEMORY))) {
                    Optional<String> former = record.formerValue(acceptor.name(), parameter);
                    url = former.isPresent() ? url.with(parameter, former.get()) : url.without(parameter);
                }
                record.forget(acceptor.name(), parameter);
            }
            edited = edited.withUrl(acceptor, url);
        }
        return edited;
    }

    private void backUpJar(PluginJar jar) throws IOException {
        Optional<byte[]> former = instance.read(Instance.JAR);
        if (former.isPresent() && !Arrays.equals(former.get(), jar.bytes())) {
            write(Instance.JAR_BACKUP, former.get(), FileChange.Kind.JAR);
        }
    }

    /** One that is there already stays: a broker that runs would read another within a second, and refuse all. */
    private void keepPassword(Optional<String> password) throws IOException {
        if (password.isEmpty()) {
            return;
        }
        byte[] line = (password.get() + "\n").getBytes(StandardCharsets.UTF_8);
        Optional<byte[]> there = instance.read(Instance.PASSWORD);
        if (there.isEmpty()) {
            write(Instance.PASSWORD, line, FileChange.Kind.SECRET);
        } else if (!Arrays.equals(there.get(), line)) {
            plan.warn(Instance.PASSWORD + " stays as it is, which is not what SIGNET_PASSWORD says now; "
                    + "delete it to have it written again");
        }
    }

    private void backUp(byte[] brokerXml) throws IOException {
        write(instance.backup(brokerXml), brokerXml, FileChange.Kind.TEXT);
    }

    private void write(String name, byte[] content, FileChange.Kind kind) throws IOException {
        Optional<byte[]> before = instance.read(name);
        if (before.isEmpty() || !Arrays.equals(before.get(), content)) {
            plan.change(new FileChange(name, before, Optional.of(content), kind));
        }
    }

    private void remove(String name, FileChange.Kind kind) throws IOException {
        Optional<byte[]> before = instance.read(name);
        if (before.isPresent()) {
            plan.change(new FileChange(name, before, Optional.empty(), kind));
        }
    }
}
