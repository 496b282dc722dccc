/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.install.Instance.UnusableInstanceException;
import org.signetmq.cli.install.Jars.Page;
import org.signetmq.cli.install.Roles.ManagementRights;
import org.signetmq.cli.install.Roles.PolicyRoles;

/** Plans how the plugin gets into a broker instance, and out of it. */
public final class Installation {
    /** The property with the broker's home. */
    public static final String HOME = "home";

    /** The property with the broker's identity. */
    public static final String IDENTITY = "identity";

    /** The property with the file of its password. */
    public static final String PASSWORD_FILE = "password-file";

    /** The property with the token of its private key. */
    public static final String KEY_STORE = "key-store";

    /** The property with the store of the policies. */
    public static final String POLICY_STORE = "policy-store";

    /** The property with the folder of the mark of the policies that a broker stores. */
    public static final String POLICY_MARK = "policy-mark";

    /** The property that lets a broker without policies reject every message. */
    public static final String REQUIRE_POLICIES = "require-policies";

    /** The store of policies of new installations: the broker itself. */
    public static final String IN_BROKER = "broker";

    /** The identity that the broker signs as unless another is named. */
    public static final String DEFAULT_IDENTITY = "broker";

    private final Instance instance;
    private final List<Plan.Change> changes = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final InstallRecord record;
    private final BrokerXml before;
    private final WholeConfiguration whole;
    private final PolicyRoles roles;
    private final ManagementRights management;
    private final DeadLetterSettings deadLetters;
    private final WebConsole console;

    private Installation(Path folder) throws IOException {
        this.instance = Instance.at(folder);
        this.record = InstallRecord.parse(instance.read(Instance.RECORD));
        this.before = instance.brokerXml();
        this.whole = new WholeConfiguration(instance, before.text());
        this.roles = new PolicyRoles(whole, record);
        this.management = new ManagementRights(whole, record);
        this.deadLetters = new DeadLetterSettings(whole, record);
        this.console = new WebConsole(instance);
    }

    /**
     * The settings of an installation.
     *
     * @param jars the jars for the folder lib
     * @param nativeLibrary whether the native library is installed; empty if an earlier choice holds, at first true
     * @param home the broker's home, unless an earlier installation named one
     * @param given what replaces choices of an earlier installation
     * @param password the broker's password, which the instance keeps if no property names its file
     */
    public record Request(
            Jars jars, Optional<Boolean> nativeLibrary, Path home, Given given, Optional<String> password) {}

    /**
     * What the administrator chooses.
     *
     * @param properties of the plugin
     * @param roles of users who may manage policies over the network; none to leave them as they are
     * @param deadLetters whether the addresses of dead letters and expired messages get settings of their own
     */
    public record Given(Map<String, String> properties, Roles roles, DeadLetters deadLetters) {
        public Given {
            properties = Map.copyOf(properties);
        }

        /** Leaves the addresses of dead letters as they are. */
        public Given(Map<String, String> properties, Roles roles) {
            this(properties, roles, DeadLetters.AS_THEY_ARE);
        }
    }

    /** The settings of the addresses of dead letters and expired messages. */
    public enum DeadLetters {
        /** They stay as they are. */
        AS_THEY_ARE,
        /** Addresses without a setting of their own get one. */
        WITH_SETTINGS
    }

    /**
     * Plans an installation.
     *
     * @param folder of the instance
     * @throws UnusableInstanceException if it cannot be installed there
     */
    public static Plan plan(Path folder, Request request, Page page) throws IOException {
        return new Installation(folder).plan(request, Optional.of(page));
    }

    /** Plans an installation that leaves the page for administrators as it is. */
    static Plan plan(Path folder, Request request) throws IOException {
        return new Installation(folder).plan(request, Optional.empty());
    }

    private Plan plan(Request request, Optional<Page> page) throws IOException {
        instance.requireNoOtherPlugin();
        Map<String, String> properties = properties(request);
        BrokerXml after = before;
        if (whole.includedPlugins().isPresent()) {
            properties = requireIncludedEntry(
                    whole.includedPlugins().get(), properties, request.given().properties());
        } else if (!before.isSignetFirst()
                || !before.signet().map(BrokerXml::properties).equals(Optional.of(properties))) {
            after = before.withoutEntry().withPlugin(properties, record);
        }
        after = roles.into(after, request.given().roles());
        after = management.into(after, request.given().roles(), warnings);
        if (request.given().deadLetters() == DeadLetters.WITH_SETTINGS) {
            after = deadLetters.into(after);
        }
        warnOfDeadLetters(request.given().deadLetters());
        boolean leftOut = request.nativeLibrary().map(wanted -> !wanted).orElse(record.isNativeLibraryLeftOut());
        boolean edited = !Arrays.equals(after.bytes(), before.bytes());
        if (edited) {
            write(instance.backup(before.bytes()), before.bytes());
        }
        if (edited || leftOut != record.isNativeLibraryLeftOut()) {
            record.leaveNativeLibraryOut(leftOut);
            write(Instance.RECORD, record.format());
        }
        writePlugin(request.jars().plugin());
        placeNativeLibrary(request, leftOut);
        if (instance.path(Instance.PASSWORD).toString().equals(properties.get(PASSWORD_FILE))) {
            keepPassword(request.password());
        }
        boolean hasPage = page.isPresent() && console.place(page.get(), this::change);
        write(Instance.BROKER_XML, after.bytes());
        if (hasPage) {
            warnings.addAll(console.warnings(roles.in(after)));
        }
        if (!whole.unread().isEmpty()) {
            warnings.add(Instance.BROKER_XML + " includes what cannot be read here, "
                    + String.join(", ", whole.unread()) + ": if it lists plugins, the broker will not start; "
                    + "signet broker status shows that the plugin was loaded");
        }
        if (IN_BROKER.equals(properties.get(POLICY_STORE)) && !roles.mayManage(after)) {
            warnings.add(
                    "no user may read or change the policies of this broker over the network until a role is named: "
                            + "signet broker install with --admin-role ROLE, and --viewer-role ROLE for those who only read");
        }
        return new Plan(
                instance,
                changes,
                warnings,
                properties,
                whole.wildcards(),
                before.signet().map(BrokerXml::properties));
    }

    private void warnOfDeadLetters(DeadLetters given) {
        List<String> missing = deadLetters.missing();
        if (given == DeadLetters.AS_THEY_ARE && !missing.isEmpty()) {
            warnings.add(Instance.BROKER_XML + " has no settings of their own for the addresses of dead letters and "
                    + "expired messages, " + String.join(", ", missing) + ": the broker may move a sealed message a "
                    + "second time, and no consumer opens it then; signet broker install with "
                    + "--dead-letter-settings adds them");
        }
        List<String> wrong = deadLetters.wrong();
        if (!wrong.isEmpty()) {
            warnings.add(Instance.BROKER_XML + ": the settings of the addresses of dead letters and expired messages, "
                    + String.join(", ", wrong) + ", need <max-delivery-attempts>-1</max-delivery-attempts>, and are "
                    + "not overwritten");
        }
    }

    private Map<String, String> properties(Request request) {
        Path password = request.password().isPresent()
                ? instance.path(Instance.PASSWORD)
                : request.home().resolve("password");
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put(HOME, request.home().toString());
        properties.put(IDENTITY, DEFAULT_IDENTITY);
        properties.put(PASSWORD_FILE, password.toString());
        if (before.signet().isEmpty()) {
            properties.put(POLICY_STORE, IN_BROKER); // an earlier entry keeps its store
        }
        properties.putAll(before.signet().map(BrokerXml::properties).orElse(Map.of()));
        properties.putAll(request.given().properties());
        if (IN_BROKER.equals(properties.get(POLICY_STORE)) && !isForMark(properties.get(HOME))) {
            properties.putIfAbsent(
                    POLICY_MARK,
                    instance.path(Instance.BROKER_XML).resolveSibling("").toString());
        }
        return properties;
    }

    /**
     * Returns whether the broker can write into its home. In a container the home may be read-only, or belong to
     * another user than the instance.
     */
    private boolean isForMark(@Nullable String home) {
        try {
            Optional<Path> folder =
                    Optional.ofNullable(home).flatMap(instance::replaced).map(Path::of);
            return folder.isEmpty()
                    || Files.notExists(folder.get()) // the administrator makes the home later
                    || (Files.isWritable(folder.get())
                            && Files.getOwner(folder.get()).equals(Files.getOwner(instance.folder())));
        } catch (IOException | UnsupportedOperationException | InvalidPathException unknown) {
            return true; // a broker that cannot write there says so
        }
    }

    /**
     * Returns the properties of the entry in an included file, which is not edited. A second list of plugins in
     * broker.xml would keep the broker from starting.
     *
     * @throws UnusableInstanceException if the entry is not the first, or lacks a given property
     */
    private Map<String, String> requireIncludedEntry(
            String file, Map<String, String> wanted, Map<String, String> given) {
        String entry = BrokerXml.entry(wanted, "", "");
        XmlElement first = whole.plugins().stream()
                .findFirst()
                .filter(BrokerXml::isSignet)
                .orElseThrow(() -> new UnusableInstanceException(file + ": is included by " + Instance.BROKER_XML
                        + " and lists its plugins; install again when this is the first of them: " + entry));
        Map<String, String> properties = BrokerXml.properties(first);
        UnusableInstanceException.unless(
                properties.entrySet().containsAll(given.entrySet()),
                first.file() + ": is included by " + Instance.BROKER_XML
                        + " and not edited; install again when the entry of Signet there is " + entry);
        return properties;
    }

    private void writePlugin(byte[] jar) throws IOException {
        Optional<byte[]> former = instance.read(Instance.JAR);
        if (former.isPresent() && !Arrays.equals(former.get(), jar)) {
            write(Instance.JAR_BACKUP, former.get());
        }
        write(Instance.JAR, jar);
    }

    private void placeNativeLibrary(Request request, boolean leftOut) throws IOException {
        Optional<byte[]> library = request.jars().nativeLibrary();
        if (leftOut) {
            change(Instance.NATIVE_JAR, Optional.empty());
        } else if (library.isPresent() && !instance.hasOtherNativeJar()) {
            write(Instance.NATIVE_JAR, library.get());
        } else if (library.isEmpty() && request.nativeLibrary().isPresent()) {
            warnings.add("the native library for cryptography does not work on this machine, and is not installed; "
                    + "signet doctor crypto says what serves instead");
        }
    }

    /** A password that is there already stays: a running broker would read another within a second, and reject all. */
    private void keepPassword(Optional<String> password) throws IOException {
        if (password.isEmpty()) {
            return;
        }
        byte[] line = (password.get() + "\n").getBytes(StandardCharsets.UTF_8);
        Optional<byte[]> there = instance.read(Instance.PASSWORD);
        if (there.isEmpty()) {
            write(Instance.PASSWORD, line);
        } else if (!Arrays.equals(there.get(), line)) {
            warnings.add(Instance.PASSWORD + " stays as it is, which is not what SIGNET_PASSWORD says now; "
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

    /**
     * Plans the same for a broker that does not run.
     *
     * @throws UnusableInstanceException if the broker runs and has the plugin
     */
    public static Plan planRemovalOfStopped(Path folder) throws IOException {
        Installation installation = new Installation(folder);
        Plan plan = installation.planRemoval();
        UnusableInstanceException.unless(
                plan.isEmpty() || !installation.instance.isRunning(),
                installation.instance.path(Instance.LOCK)
                        + ": the broker runs, and without these files its plugin rejects every message; stop the broker"
                        + " first, or give --force");
        return plan;
    }

    private Plan planRemoval() throws IOException {
        Optional<String> included = whole.includedPlugins();
        if (included.isPresent() && whole.plugins().stream().anyMatch(BrokerXml::isSignet)) {
            // without its jar the broker would not start
            throw new UnusableInstanceException(included.get() + ": is included by " + Instance.BROKER_XML
                    + " and not edited; uninstall again when the entry of Signet there is removed");
        }
        if (roles.areOfOthersNow(before)) {
            warnings.add("the setting of security for policies stays in " + Instance.BROKER_XML
                    + ": others have changed it since");
        }
        BrokerXml rest = management.without(before);
        if (management.areOfOthersNow(before)) {
            warnings.add(
                    "the rights on the management stay in " + Instance.BROKER_XML + ": others have changed them since");
        }
        byte[] restored = rest.withoutPlugin(record).withoutSettings(record).bytes();
        write(Instance.BROKER_XML, restored);
        console.remove(this::change);
        for (String backup : instance.backups()) {
            if (isOfNoMoreUse(backup, restored)) {
                change(backup, Optional.empty());
            } else {
                warnings.add(backup + " stays: it is not like broker.xml, which others have changed since");
            }
        }
        for (String name :
                List.of(Instance.RECORD, Instance.JAR, Instance.JAR_BACKUP, Instance.NATIVE_JAR, Instance.PASSWORD)) {
            change(name, Optional.empty());
        }
        return new Plan(instance, changes, warnings, Map.of(), Optional.empty(), Optional.of(Map.of()));
    }

    /** Whether a backup is like the file itself, or lists the plugin that is gone. */
    private boolean isOfNoMoreUse(String backup, byte[] restored) throws IOException {
        byte[] content = instance.read(backup).orElse(restored);
        try {
            return Arrays.equals(content, restored)
                    || BrokerXml.of(content).signet().isPresent();
        } catch (UnusableInstanceException noBrokerXml) {
            return false;
        }
    }

    private void write(String file, byte[] content) throws IOException {
        change(file, Optional.of(content));
    }

    /** Changes the content of a file, unless it has it already. An empty content removes the file. */
    private void change(String file, Optional<byte[]> after) throws IOException {
        Optional<byte[]> before = instance.read(file);
        if (!Arrays.equals(before.orElse(null), after.orElse(null))) {
            changes.add(new Plan.Change(file, before, after));
        }
    }
}
