/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.install.Instance.UnusableInstanceException;
import org.signetmq.cli.install.Jars.Page;

/** The page for administrators in instances. */
final class WebConsoleTest {
    private static final String BOOTSTRAP = """
            <broker xmlns="http://activemq.apache.org/schema">
               <jaas-security domain="activemq"/>
               <!-- the port -->
               <web path="web" rootRedirectLocation="console">
                   <binding name="artemis" uri="http://localhost:8161">
                       <app name="console" url="console" war="console.war"/>
                   </binding>
               </web>
            </broker>
            """;
    private static final String ENTRY = "<app name=\"signet\" url=\"signet\" war=\"signet-console.war\"/>";
    private static final String MANAGEMENT = """
            <management-context xmlns="http://activemq.apache.org/schema"><authorisation><role-access>
            <match domain="org.apache.activemq.artemis">
            <access method="list*" roles="others"/><access method="*" roles="amq"/></match>
            </role-access></authorisation></management-context>
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void makeInstance() throws IOException {
        for (String name : new String[] {"bin", "etc", "lib"}) {
            Files.createDirectories(folder.resolve(name));
        }
        Files.writeString(folder.resolve("bin/artemis"), "");
        Files.writeString(
                folder.resolve("etc/broker.xml"), "<configuration><core><name>a</name></core></configuration>");
        Files.writeString(folder.resolve("etc/management.xml"), MANAGEMENT);
        Files.writeString(folder.resolve("etc/artemis.profile"), "A=1\nHAWTIO_ROLES='amq'\n");
        bootstrap(BOOTSTRAP);
    }

    private void bootstrap(String xml) throws IOException {
        Files.writeString(folder.resolve("etc/bootstrap.xml"), xml);
    }

    private String bootstrap() throws IOException {
        return Files.readString(folder.resolve("etc/bootstrap.xml"));
    }

    private Plan plan(Optional<Boolean> wanted, Roles roles, int war) throws IOException {
        return Installation.plan(
                folder,
                new Installation.Request(
                        new Jars(new byte[0], Optional.empty()),
                        Optional.empty(),
                        Path.of("/home"),
                        new Installation.Given(Map.of(), roles),
                        Optional.empty()),
                new Page(wanted, new byte[] {(byte) war}));
    }

    private Plan plan(boolean wanted) throws IOException {
        return plan(Optional.of(wanted), Roles.NONE, 1);
    }

    @Test
    void page_isAdded_andTheSecondTimeThereIsNothingToDo() throws Exception {
        plan(true).carryOut();

        String console = "war=\"console.war\"/>";
        assertThat(bootstrap()).isEqualTo(BOOTSTRAP.replace(console, console + "\n" + " ".repeat(11) + ENTRY));
        assertThat(Files.readAllBytes(folder.resolve("web/signet-console.war"))).containsExactly(1);
        assertThat(Files.readString(folder.resolve("etc/bootstrap.xml.signet-backup")))
                .isEqualTo(BOOTSTRAP);
        assertThat(plan(true).isEmpty()).isTrue();
        assertThat(plan(Optional.empty(), Roles.NONE, 1).isEmpty()).isTrue();
    }

    @Test
    void newerPage_replacesTheOldOne_withoutTheOption() throws Exception {
        plan(true).carryOut();

        assertThat(plan(Optional.empty(), Roles.NONE, 2).summary()).containsExactly("web/signet-console.war: replaced");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void removal_restoresAllFiles(boolean whole) throws Exception {
        plan(true).carryOut();

        (whole ? Installation.planRemoval(folder) : plan(false)).carryOut();

        assertThat(bootstrap()).isEqualTo(BOOTSTRAP);
        assertThat(folder.resolve("web")).doesNotExist();
        assertThat(folder.resolve("etc/bootstrap.xml.signet-backup")).doesNotExist();
    }

    @Test
    void removal_keepsOtherApplicationsAndChanges() throws Exception {
        plan(true).carryOut();
        Files.writeString(folder.resolve("web/other.war"), "");
        bootstrap(bootstrap().replace("8161", "8443"));

        plan(false).carryOut();

        assertThat(bootstrap()).isEqualTo(BOOTSTRAP.replace("8161", "8443"));
        assertThat(folder.resolve("web/other.war")).exists();
        assertThat(folder.resolve("etc/bootstrap.xml.signet-backup")).exists();
    }

    @Test
    void withoutTheOption_nothingIsAdded() throws Exception {
        plan(Optional.empty(), Roles.NONE, 1).carryOut();
        plan(false).carryOut();

        assertThat(bootstrap()).isEqualTo(BOOTSTRAP);
        assertThat(folder.resolve("web")).doesNotExist();
    }

    @Test
    void brokerWithoutAConsole_isRefusedByOneLine() throws Exception {
        bootstrap("<broker><jaas-security domain=\"activemq\"/></broker>");

        assertThatThrownBy(() -> plan(true))
                .isInstanceOf(UnusableInstanceException.class)
                .hasMessageStartingWith("etc/bootstrap.xml: has no web server with the console")
                .hasMessageNotContaining("\n");
        bootstrap(BOOTSTRAP.replace("path=\"web\"", "path=\"apps\""));
        assertThatThrownBy(() -> plan(true)).hasMessageContaining("'apps'");
        bootstrap(BOOTSTRAP.replace("</binding>", "<app url=\"signet\" war=\"other.war\"/></binding>"));
        assertThatThrownBy(() -> plan(true)).hasMessageContaining("another application");
        Files.delete(folder.resolve("etc/bootstrap.xml"));
        assertThatThrownBy(() -> plan(true)).hasMessageContaining("etc/bootstrap.xml: not there");
        plan(Optional.empty(), Roles.NONE, 1).carryOut();
    }

    @Test
    void rolesThatTheConsoleDoesNotKnow_areWarnings_withTheLinesToWrite() throws Exception {
        Roles roles = new Roles(Optional.of("amq"), Optional.of("watchers"));

        assertThat(ofTheConsole(plan(Optional.of(true), roles, 1)))
                .containsExactly(
                        "etc/artemis.profile: users with the role watchers cannot sign in to the console; write "
                                + "HAWTIO_ROLES='amq,watchers'",
                        "etc/management.xml: lets no user with the role watchers call Signet from the console; write "
                                + "this into <role-access>: <match domain=\"org.apache.activemq.artemis\" "
                                + "key=\"component=signet\"><access method=\"*\" roles=\"amq,watchers\"/></match>");
        Files.writeString(folder.resolve("etc/artemis.profile"), "HAWTIO_ROLES='amq,watchers'\n");
        Files.writeString(
                folder.resolve("etc/management.xml"),
                MANAGEMENT.replace(
                        "<role-access>",
                        "<role-access><match domain=\"org.apache.activemq.artemis\" key=\"component=signet\">"
                                + "<access method=\"*\" roles=\"amq, watchers\"/></match>"));
        assertThat(ofTheConsole(plan(Optional.of(true), roles, 1))).isEmpty();
    }

    @Test
    void roleOfTheConsole_needsNothing() throws Exception {
        assertThat(ofTheConsole(plan(Optional.of(true), new Roles(Optional.of("amq"), Optional.empty()), 1)))
                .isEmpty();
    }

    /** The other warnings are those of roles at a broker that does not check the calls of its management. */
    private static List<String> ofTheConsole(Plan plan) {
        return plan.warnings().stream()
                .filter(warning -> warning.startsWith("etc/"))
                .toList();
    }
}
