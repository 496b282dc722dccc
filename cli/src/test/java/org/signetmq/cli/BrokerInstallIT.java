/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.PolicyMark;

/** What {@code signet broker install} warns of; it needs the plugin's jar, which packaging puts beside the classes. */
final class BrokerInstallIT {
    @TempDir
    private Path folder;

    @BeforeEach
    void makeInstance() throws IOException {
        Files.createDirectories(folder.resolve("artemis/etc"));
        Files.createDirectories(folder.resolve("artemis/lib"));
        Files.createDirectories(folder.resolve("artemis/bin"));
        Files.createFile(folder.resolve("artemis/bin/artemis"));
        Files.writeString(folder.resolve("artemis/etc/broker.xml"), "<configuration><core> </core></configuration>");
    }

    @Test
    void completeHome_nothingToWarnOf_againWithoutSayingWhichHome() throws Exception {
        makeHome();
        checkCallsOfTheManagement();
        Files.writeString(folder.resolve("home/password"), "correct horse");
        Files.setPosixFilePermissions(folder.resolve("home/password"), PosixFilePermissions.fromString("rw-------"));

        Result first = install("--home", "home", "--identity", "seller", "--admin-role", "keepers", "--quiet");
        Result second = install("--quiet");

        assertThat(first.err()).isEmpty();
        assertThat(second.err()).isEmpty();
        assertThat(second.out()).contains("nothing to do");
    }

    @Test
    void homeWithoutPassword_isWarnedOf() throws Exception {
        makeHome();
        checkCallsOfTheManagement();

        Result result = install("--home", "home", "--identity", "seller", "--admin-role", "keepers", "--quiet");

        assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(result.err().lines())
                .singleElement()
                .asString()
                .startsWith("signet: warning: " + folder.resolve("home/password") + ": not there yet");
    }

    @Test
    void passwordOfTheEnvironment_isKept_nothingToWarnOf() {
        makeHome();
        CliRun signet = new CliRun(folder);

        String[] command = {
            "broker",
            "install",
            "artemis",
            "--home",
            "home",
            "--identity",
            "seller",
            "--policy-store",
            "file",
            "--quiet"
        };
        Result first = signet.ok(command);
        Result other = signet.environment("SIGNET_PASSWORD", "another").ok(command);

        assertThat(first.err()).isEmpty();
        assertThat(folder.resolve("artemis/etc/signet-password")).hasContent("correct horse");
        assertThat(other.err()).contains("etc/signet-password stays as it is");
    }

    @Test
    void passwordThatDoesNotOpenTheKey_isRejected_andNothingIsChanged() throws Exception {
        makeHome();
        String before = Files.readString(folder.resolve("artemis/etc/broker.xml"));

        Result fromFile = installWithPasswordFile("another horse\n");
        Result fromEnvironment = new CliRun(folder)
                .environment("SIGNET_PASSWORD", "another horse")
                .run("broker install artemis --home home --identity seller");

        for (Result result : List.of(fromFile, fromEnvironment)) {
            assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
            assertThat(result.err()).contains("seller", "password", "nothing was changed");
        }
        assertThat(Files.readString(folder.resolve("artemis/etc/broker.xml"))).isEqualTo(before);
        assertThat(folder.resolve("artemis/lib")).isEmptyDirectory();
        assertThat(folder.resolve("artemis/etc/signet-password")).doesNotExist();
        assertThat(installWithPasswordFile("correct horse\n").exitCode()).isEqualTo(ExitCode.OK);
    }

    private Result installWithPasswordFile(String line) throws Exception {
        Path file = Files.writeString(folder.resolve("home/password"), line);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return install("--home", "home", "--identity", "seller", "--password-file", "home/password");
    }

    @Test
    void otherIdentity_isChanged_andTheIdentityIsSaidWhenThereIsNothingToDo() throws Exception {
        makeHome();
        CliRun signet = new CliRun(folder);
        signet.ok("identity create buyer --dn CN=buyer --home home");
        signet.ok("broker install artemis --home home --identity seller");

        Result other = signet.ok("broker install artemis --identity buyer");
        Result same = signet.environment("SIGNET_HOME", "elsewhere").ok("broker install artemis");

        assertThat(other.out()).contains("etc/broker.xml: edited");
        assertThat(other.err()).contains("the broker signs as 'buyer' of " + folder.resolve("home"));
        assertThat(Files.readString(folder.resolve("artemis/etc/broker.xml"))).contains("value=\"buyer\"");
        assertThat(same.out()).contains("nothing to do");
        assertThat(same.err())
                .contains("signs as 'buyer'")
                .contains("keeps its home " + folder.resolve("home") + "; --home " + folder.resolve("elsewhere"));
    }

    @Test
    void installedTwiceWithAChange_isGoneWithAllItsFiles() throws Exception {
        makeHome();
        CliRun signet = new CliRun(folder);
        signet.ok("identity create buyer --dn CN=buyer --home home");
        String before = Files.readString(folder.resolve("artemis/etc/broker.xml"));
        signet.ok("broker install artemis --home home --identity seller");
        signet.ok("broker install artemis --identity buyer");
        assertThat(folder.resolve("artemis/etc/broker.xml.signet-backup-2")).exists();

        signet.ok("broker uninstall artemis");

        assertThat(Files.readString(folder.resolve("artemis/etc/broker.xml"))).isEqualTo(before);
        assertThat(folder.resolve("artemis/etc")).isDirectoryNotContaining("glob:**signet*");
    }

    @Test
    void homeIdentityOrPasswordThatIsNotThere_isRefusedForABrokerThatHasThem() throws Exception {
        makeHome();
        CliRun signet = new CliRun(folder);
        signet.ok("broker install artemis --home home --identity seller");
        String before = Files.readString(folder.resolve("artemis/etc/broker.xml"));

        for (List<String> typo : List.of(
                List.of("--home", "hme"), List.of("--identity", "sellr"), List.of("--password-file", "home/pasword"))) {
            Result result = install(typo.toArray(String[]::new));

            assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
            assertThat(result.err()).contains("not there, and the broker", "nothing was changed");
        }
        assertThat(Files.readString(folder.resolve("artemis/etc/broker.xml"))).isEqualTo(before);
        Files.move(folder.resolve("home"), folder.resolve("moved"));
        assertThat(install("--home", "moved").exitCode()).isEqualTo(ExitCode.OK);
    }

    @Test
    void runningBroker_keepsItsPluginWithoutForce() throws Exception {
        makeHome();
        CliRun signet = new CliRun(folder);
        signet.ok("broker install artemis --home home --identity seller");
        Path lock = Files.createDirectory(folder.resolve("artemis/lock")).resolve("cli.lock");
        try (FileChannel run = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = run.lock()) {
            assertThat(held.isValid()).isTrue();

            Result refused = signet.run("broker uninstall artemis");
            Result shown = signet.run("broker uninstall artemis --dry-run");

            assertThat(refused.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
            assertThat(refused.err()).contains(lock + ": the broker runs", "--force");
            assertThat(shown.exitCode()).isEqualTo(ExitCode.OK);
            assertThat(folder.resolve("artemis/lib/signet-plugin.jar")).exists();
            signet.ok("broker uninstall artemis --force");
            assertThat(folder.resolve("artemis/lib/signet-plugin.jar")).doesNotExist();
            assertThat(signet.out("broker uninstall artemis")).contains("nothing to do");
        }
    }

    @Test
    void backupOfAnotherConfiguration_staysAndIsNamed() throws Exception {
        makeHome();
        CliRun signet = new CliRun(folder);
        signet.ok("broker install artemis --home home --identity seller");
        Path broker = folder.resolve("artemis/etc/broker.xml");
        Files.writeString(broker, Files.readString(broker).replace("</core>", "<name>later</name></core>"));

        Result result = signet.ok("broker uninstall artemis");

        assertThat(folder.resolve("artemis/etc/broker.xml.signet-backup")).exists();
        assertThat(result.err()).contains("etc/broker.xml.signet-backup stays");
    }

    @Test
    void emptyHome_isWarnedOf() {
        Result result = install("--home", "home", "--quiet");

        assertThat(result.err())
                .contains(
                        "home/policies.json: not there, and the broker protects no message until signet policy set",
                        "no user may read or change the policies of this broker over the network",
                        "home: holds no key of 'broker' yet",
                        "password: not there");
    }

    @Test
    void otherWildcardsThanThoseOfThePolicies_areWarnedOf() throws Exception {
        makeHome();
        Files.writeString(folder.resolve("home/password"), "correct horse");
        Files.setPosixFilePermissions(folder.resolve("home/password"), PosixFilePermissions.fromString("rw-------"));
        Files.writeString(
                folder.resolve("artemis/etc/broker.xml"),
                "<configuration><core><wildcard-addresses><delimiter>/</delimiter><any-words> &gt; </any-words>"
                        + "</wildcard-addresses></core></configuration>");

        Result other = install("--home", "home", "--identity", "seller", "--viewer-role", "watchers", "--quiet");
        new CliRun(folder).ok("policy wildcards --delimiter / --any-words > --home home");
        Result same = install("--quiet");

        assertThat(other.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(other.err())
                .contains("policies.json: patterns have delimiter \".\", any-words \"#\", single-word \"*\", but"
                        + " broker.xml has delimiter \"/\", any-words \">\", single-word \"*\"")
                .contains("signet policy wildcards --delimiter '/' --any-words '>' --single-word '*'");
        assertThat(same.err()).isEmpty();
    }

    @Test
    void storeOfPolicies_isTheBrokerAtFirst_andStaysAsItIsWithoutTheOption() throws Exception {
        makeHome();
        Path broker = folder.resolve("artemis/etc/broker.xml");

        Result first = install("--home", "home", "--identity", "seller");
        assertThat(Files.readString(broker)).contains("key=\"policy-store\" value=\"broker\"");
        Result file = install("--policy-store", "file");
        Result same = install("--identity", "seller");

        assertThat(first.err())
                .contains("the broker takes over the policies of " + folder.resolve("home/policies.json") + " once");
        assertThat(file.err()).doesNotContain("takes over", "--admin-role");
        assertThat(same.out()).contains("nothing to do");
        assertThat(Files.readString(broker)).contains("key=\"policy-store\" value=\"file\"");
        assertThat(install("--policy-store", "disk").exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void storeIsMarkedAsNew_once_inTheHomeOrTheNamedFolder() throws Exception {
        makeHome();
        Path broker = folder.resolve("artemis/etc/broker.xml");
        PolicyMark mark = new Home(folder.resolve("home")).policyMark();

        install("--home", "home", "--identity", "seller", "--dry-run");
        assertThat(mark.read()).isEmpty();
        install("--home", "home", "--identity", "seller");
        assertThat(mark.read()).contains(PolicyMark.Content.NEW);
        mark.replace(PolicyMark.Content.of(7, "{}"));
        Result other = install("--policy-mark", "marks", "--require-policies");

        assertThat(other.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(Files.readString(broker))
                .contains("key=\"policy-mark\" value=\"" + folder.resolve("marks") + "\"")
                .contains("key=\"require-policies\" value=\"true\"");
        assertThat(new PolicyMark(folder.resolve("marks")).read()).contains(PolicyMark.Content.of(7, "{}"));

        new PolicyMark(folder.resolve("marks")).replace(PolicyMark.Content.of(9, "{}"));
        install("--policy-mark", "others");
        assertThat(new PolicyMark(folder.resolve("others")).read()).contains(PolicyMark.Content.of(9, "{}"));

        new CliRun(folder).ok("broker uninstall artemis");
        Result again = install("--home", "home", "--identity", "seller");
        assertThat(again.err()).contains(mark.file() + ": says that policies were in force");
        assertThat(mark.read()).contains(PolicyMark.Content.of(7, "{}"));
    }

    @Test
    void homeThatTheBrokerCannotWrite_hasItsMarkInTheInstance() throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("r-xr-xr-x"));
        if (Files.isWritable(home)) { // by root; the broker's user is another one
            Files.setAttribute(home, "unix:uid", 65534);
        }

        install("--home", "home", "--identity", "seller");

        assertThat(Files.readString(folder.resolve("artemis/etc/broker.xml")))
                .contains("key=\"policy-mark\" value=\"" + folder.resolve("artemis/etc") + "\"");
        assertThat(new PolicyMark(folder.resolve("artemis/etc")).read()).contains(PolicyMark.Content.NEW);
    }

    @Test
    void entryOfAnEarlierVersion_keepsItsFile() throws Exception {
        makeHome();
        Path broker = folder.resolve("artemis/etc/broker.xml");
        install("--home", "home", "--identity", "seller");
        Files.writeString(
                broker,
                Files.readString(broker).replaceAll(" *<property key=\"policy-store\" value=\"broker\"/>\\R", ""));

        Result again = install("--identity", "seller");

        assertThat(again.out()).contains("nothing to do");
        assertThat(Files.readString(broker)).doesNotContain("policy-store");
    }

    @Test
    void roles_areShownByADryRun_andRejectedWhereOthersAre() throws Exception {
        makeHome();
        Path broker = folder.resolve("artemis/etc/broker.xml");

        Result dry = install("--home", "home", "--admin-role", "keepers", "--viewer-role", "watchers", "--dry-run");
        Files.writeString(
                broker,
                "<configuration><core><security-settings><security-setting match=\"mops.signet.#\">"
                        + "<permission type=\"edit\" roles=\"all\"/></security-setting></security-settings></core>"
                        + "</configuration>");
        Result other = install("--home", "home", "--admin-role", "keepers");
        Result wrong = install("--home", "home", "--admin-role", "a,b");

        assertThat(dry.out())
                .contains("<security-setting match=\"mops.signet.#\">")
                .contains("<permission type=\"edit\" roles=\"keepers\"/>")
                .contains("<permission type=\"view\" roles=\"keepers,watchers\"/>");
        assertThat(dry.err()).doesNotContain("--admin-role ROLE");
        assertThat(other.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(other.err()).contains("mops.signet.# (edit: all), which is not overwritten");
        assertThat(wrong.exitCode()).isEqualTo(ExitCode.USAGE);
    }

    private void checkCallsOfTheManagement() throws IOException {
        Files.writeString(
                folder.resolve("artemis/etc/broker.xml"),
                "<configuration><core><management-message-rbac>true</management-message-rbac></core></configuration>");
    }

    private void makeHome() {
        CliRun signet = new CliRun(folder);
        signet.ok("identity create seller --dn CN=seller --home home");
        signet.ok("policy set orders --quality integrity --home home");
    }

    private Result install(String... more) {
        String[] command = new String[3 + more.length];
        System.arraycopy(new String[] {"broker", "install", "artemis"}, 0, command, 0, 3);
        System.arraycopy(more, 0, command, 3, more.length);
        return new CliRun(folder).withoutPassword().run(command);
    }
}
