/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.activemq.artemis.core.security.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.install.Instance.UnusableInstanceException;

/** The roles that may manage policies, in the settings of security of a broker. */
final class PolicyRolesTest extends BrokerXmlTest {
    private static final Roles BOTH = roles("keepers", "watchers");
    private static final String OTHER =
            "<security-setting match=\"#\"><permission type=\"send\" roles=\"amq\"/>" + "</security-setting>";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\n   <name>a</name>\n",
                "\n   <name>a</name>\n   <security-settings/>\n",
                "\n   <name>a</name>\n   <security-settings>\n      " + OTHER + "\n   </security-settings>\n",
                "\n   <name>a</name>\n   <security-settings>\n   </security-settings>\n",
                "<security-settings></security-settings>",
            })
    void roles_areWritten_andGoneAfterUninstalling(String content) throws Exception {
        for (String xml : List.of(broker(content), broker(content).replace("\n", "\r\n"))) {
            write(xml);

            install(BOTH);

            assertThat(permissions("edit")).containsExactly("keepers");
            assertThat(permissions("view")).containsExactlyInAnyOrder("keepers", "watchers");
            assertThat(plan(BOTH).isEmpty()).isTrue();
            Installation.planRemoval(folder).carryOut();
            assertThat(read()).isEqualTo(xml);
        }
    }

    @Test
    void viewersAlone_mayNotEdit() throws Exception {
        write(broker(""));

        install(new Roles(Optional.empty(), Optional.of("watchers")));

        assertThat(permissions("edit")).isEmpty();
        assertThat(permissions("view")).containsExactly("watchers");
    }

    @Test
    void otherRolesLater_replaceThoseOfInstalling() throws Exception {
        write(broker(""));
        install(BOTH);

        install(roles("others", "watchers"));

        assertThat(permissions("edit")).containsExactly("others");
        Installation.planRemoval(folder).carryOut();
        assertThat(read()).isEqualTo(broker(""));
    }

    @Test
    void rightsOnTheManagement_areAddedToThoseOfOthers_orMadeFromThoseForAllAddresses() throws Exception {
        String own = """
                <security-setting match="activemq.management.#">
                <permission type="manage" roles="amq"/>
                </security-setting>
                """;
        for (String there : List.of(own, "")) {
            String xml = broker("<security-settings>\n" + there + OTHER + "\n</security-settings>");
            write(xml);

            install(BOTH);

            assertThat(onManagement("manage"))
                    .containsExactlyInAnyOrder(
                            there.isEmpty()
                                    ? new String[] {"keepers", "watchers"}
                                    : new String[] {"amq", "keepers", "watchers"});
            assertThat(onManagement("send")).contains("keepers", "watchers");
            assertThat(onManagement("send").contains("amq")).isEqualTo(there.isEmpty());
            assertThat(onManagement("deleteAddress")).isEmpty();
            install(roles("others", "watchers"));
            assertThat(onManagement("manage")).contains("others", "watchers").doesNotContain("keepers");
            Installation.planRemoval(folder).carryOut();
            assertThat(read()).isEqualTo(xml);
        }
    }

    @Test
    void rightsOnTheManagement_areTakenFromTheirSettingAlone() throws Exception {
        String own = "<security-setting match=\"activemq.management.#\">"
                + "<permission type=\"manage\" roles=\"keepers,watchers\"/>"
                + "<permission type=\"send\" roles=\"keepers,watchers\"/>"
                + "<permission type=\"consume\" roles=\"keepers,watchers\"/>"
                + "<permission type=\"createNonDurableQueue\" roles=\"keepers,watchers\"/>\n</security-setting>";
        write(broker("<security-settings>\n" + own + "\n</security-settings>"));
        install(BOTH);
        String inserted = read().replaceAll("(?s).*(\n *<permission type=\"createAddress\"[^\n]*).*", "$1");
        String other = "<security-setting match=\"orders.#\">" + inserted + "\n</security-setting>";
        String xml = broker("<security-settings>\n" + other + "\n" + own + "\n</security-settings>");
        write(xml);

        install(BOTH);
        assertThat(read().split("createAddress", -1)).hasSize(3);
        Installation.planRemoval(folder).carryOut();

        assertThat(read()).isEqualTo(xml);
    }

    @Test
    void rightsOnTheManagementThatOthersChangedLater_stay_andAreWarnedOf() throws Exception {
        write(broker(""));
        install(BOTH);
        write(read().replace("\"manage\" roles=\"keepers,watchers\"", "\"manage\" roles=\"keepers,others\""));

        Plan removal = Installation.planRemoval(folder);
        removal.carryOut();

        assertThat(removal.warnings())
                .anySatisfy(warning -> assertThat(warning)
                        .contains(
                                "the rights on the management stay in etc/broker.xml: others have changed them since"));
        assertThat(read()).contains("keepers,others").doesNotContain("broker-plugin");
    }

    @Test
    void rightsOnTheManagement_areNotWritten_whereAnotherSettingMayBeInForce() throws Exception {
        write(broker("<security-settings><security-setting match=\"activemq.#\"/>" + OTHER + "</security-settings>"));

        Plan plan = plan(BOTH);
        plan.carryOut();

        assertThat(plan.warnings())
                .singleElement()
                .asString()
                .contains("need the permissions manage, send, consume", "activemq.management");
        assertThat(read()).doesNotContain("activemq.management");
    }

    @Test
    void rightsOnTheManagement_withoutChecksOfItsCalls_areWarnedOfOnce() throws Exception {
        write(broker(""));

        assertThat(plan(BOTH).warnings()).singleElement().asString().contains("management-message-rbac is not true");
        install(BOTH);
        assertThat(plan(BOTH).warnings()).isEmpty();
        write(broker("<management-message-rbac>true</management-message-rbac>"));
        assertThat(plan(BOTH).warnings()).isEmpty();
    }

    @Test
    void installedAgainWithoutRoles_keepsThem() throws Exception {
        write(broker(""));
        install(BOTH);

        assertThat(plan(Roles.NONE).isEmpty()).isTrue();
        assertThat(plan(Roles.NONE).warnings()).isEmpty();
    }

    @Test
    void settingOfOthers_isNotOverwritten_andItIsSaidWhatItIs() throws Exception {
        String theirs = "<security-setting match=\"mops.signet.#\"><permission type=\"edit\" roles=\"all\"/>"
                + "</security-setting>";
        write(broker("<security-settings>" + theirs + "</security-settings>"));

        assertThatThrownBy(() -> plan(BOTH))
                .isInstanceOf(UnusableInstanceException.class)
                .hasMessageContaining("mops.signet.# (edit: all), which is not overwritten");
        assertThat(plan(Roles.NONE).warnings()).isEmpty();
    }

    @Test
    void sameSettingOfOthers_needsNothing_andStaysAfterUninstalling() throws Exception {
        String theirs =
                "<security-setting match=\"mops.signet.#\"><permission type=\"view\" roles=\"watchers, keepers\"/>"
                        + "<permission type=\"edit\" roles=\"keepers\"/></security-setting>";
        write(broker("<security-settings>" + theirs + "</security-settings>"));

        install(BOTH);

        assertThat(read()).containsOnlyOnce("mops.signet.#").contains(theirs);
        Installation.planRemoval(folder).carryOut();
        assertThat(read()).contains(theirs);
    }

    @Test
    void settingThatOthersChangedLater_staysAfterUninstalling_andIsWarnedOf() throws Exception {
        write(broker(""));
        install(BOTH);
        write(read().replace("keepers", "thieves"));

        Plan removal = Installation.planRemoval(folder);
        removal.carryOut();

        assertThat(removal.warnings()).anySatisfy(warning -> assertThat(warning).contains("others have changed it"));
        assertThat(read()).contains("thieves").doesNotContain("broker-plugin");
    }

    @Test
    void settingThatOthersRemovedLater_isNotWarnedOf() throws Exception {
        write(broker(""));
        install(BOTH);
        write(read().replaceAll("(?s)<security-setting .*</security-setting>", ""));

        assertThat(Installation.planRemoval(folder).warnings())
                .noneSatisfy(warning -> assertThat(warning).contains("security"));
    }

    @Test
    void settingsInAnIncludedFile_areNotEdited_theSettingIsShown() throws Exception {
        Files.writeString(
                folder.resolve("etc/security.xml"),
                "<security-settings xmlns=\"urn:activemq:core\">" + OTHER + "</security-settings>");
        write(broker(
                "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"" + folder + "/etc/security.xml\"/>"));

        assertThatThrownBy(() -> plan(BOTH))
                .hasMessageStartingWith(folder + "/etc/security.xml: is included by etc/broker.xml")
                .hasMessageContaining("<permission type=\"edit\" roles=\"keepers\"/>");
    }

    @Test
    void otherWildcards_areThoseOfTheMatch() throws Exception {
        write(broker("<wildcard-addresses><any-words>&gt;</any-words></wildcard-addresses>"));

        install(BOTH);

        assertThat(read()).contains("match=\"mops.signet.>\"");
    }

    @Test
    void noRole_isWarnedOf_unlessPoliciesLiveInTheFile() throws Exception {
        write(broker(""));

        assertThat(plan(Roles.NONE).warnings())
                .singleElement()
                .asString()
                .contains("no user may read or change", "--admin-role");
        assertThat(plan(new Installation.Given(Map.of("policy-store", "file"), Roles.NONE))
                        .warnings())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a,b", "a ", "a\nb"})
    void textThatIsNoRole_isRejected(String role) {
        assertThatThrownBy(() -> roles(role, "b")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void roleWithMarkup_isEscaped() throws Exception {
        write(broker(""));

        install(roles("a\"/><b", "c & d"));

        assertThat(permissions("edit")).containsExactly("a\"/><b");
        assertThat(permissions("view")).contains("c & d");
    }

    private static Roles roles(String admin, String viewer) {
        return new Roles(Optional.of(admin), Optional.of(viewer));
    }

    private void install(Roles roles) throws IOException {
        plan(roles).carryOut();
    }

    private Plan plan(Roles roles) throws IOException {
        return plan(new Installation.Given(Map.of(), roles));
    }

    /** The roles that have a permission on the management, as Artemis reads them. */
    private List<String> onManagement(String type) throws Exception {
        return configuration().getSecurityRoles().getOrDefault("activemq.management.#", Set.of()).stream()
                .filter(role -> switch (type) {
                    case "manage" -> role.isManage();
                    case "send" -> role.isSend();
                    default -> role.isDeleteAddress();
                })
                .map(Role::getName)
                .toList();
    }

    /** The roles that have a permission on operations of the plugin, as Artemis reads them. */
    private List<String> permissions(String type) throws Exception {
        Set<Role> roles = configuration().getSecurityRoles().getOrDefault("mops.signet.#", Set.of());
        return roles.stream()
                .filter(role -> type.equals("edit") ? role.isEdit() : role.isView())
                .map(Role::getName)
                .toList();
    }
}
