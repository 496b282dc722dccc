/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.install.Installation.DeadLetters;
import org.signetmq.cli.install.Instance.UnusableInstanceException;

/** The settings of the addresses of dead letters and expired messages, in a broker.xml. */
final class DeadLetterSettingsTest extends BrokerXmlTest {
    private static final String ALL = "<address-setting match=\"#\"><dead-letter-address>DLQ</dead-letter-address>"
            + "<expiry-address>ExpiryQueue</expiry-address></address-setting>";

    @Test
    void missingSettings_areWrittenOnce_andGoneAfterUninstalling() throws Exception {
        String made = broker("\n   <address-settings>\n      " + ALL + "\n   </address-settings>\n");
        for (String xml : List.of(made, made.replace("\n", "\r\n"))) {
            write(xml);

            install(DeadLetters.WITH_SETTINGS);

            assertThat(attempts("DLQ")).isEqualTo(-1);
            assertThat(attempts("ExpiryQueue")).isEqualTo(-1);
            assertThat(attempts("orders")).isEqualTo(10);
            assertThat(plan(DeadLetters.WITH_SETTINGS).isEmpty()).isTrue();
            assertThat(plan(DeadLetters.AS_THEY_ARE).isEmpty()).isTrue();
            assertThat(warnings(DeadLetters.AS_THEY_ARE)).isEmpty();
            Installation.planRemoval(folder).carryOut();
            assertThat(read()).isEqualTo(xml);
        }
    }

    @Test
    void withoutTheOption_aWarningNamesIt_andTheSettingsStay() throws Exception {
        write(broker("<address-settings>" + ALL + "</address-settings>"));

        assertThat(warnings(DeadLetters.AS_THEY_ARE))
                .singleElement()
                .asString()
                .contains("DLQ, ExpiryQueue", "--dead-letter-settings");
        install(DeadLetters.AS_THEY_ARE);

        assertThat(read()).contains("<address-settings>" + ALL + "</address-settings>");
    }

    /** A setting of others is never overwritten. */
    @Test
    void ownSettingThatMovesOn_isWarnedOf() throws Exception {
        write(broker("<address-settings>" + ALL
                + "<address-setting match=\"DLQ\"><max-delivery-attempts>3</max-delivery-attempts></address-setting>"
                + "</address-settings>"));

        assertThat(warnings(DeadLetters.WITH_SETTINGS))
                .singleElement()
                .asString()
                .contains(" DLQ, need <max-delivery-attempts>-1<");
        install(DeadLetters.WITH_SETTINGS);

        assertThat(attempts("DLQ")).isEqualTo(3);
        assertThat(attempts("ExpiryQueue")).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<address-settings/>",
                "<address-settings><address-setting match=\"#\"><dead-letter-address> </dead-letter-address>"
                        + "</address-setting></address-settings>",
                "<address-settings><address-setting match=\"#\"><dead-letter-address>DLQ</dead-letter-address>"
                        + "<max-delivery-attempts>-1</max-delivery-attempts></address-setting></address-settings>",
                "<address-settings><address-setting match=\"#\"><dead-letter-address>a.#</dead-letter-address>"
                        + "</address-setting></address-settings>",
            })
    void brokerThatMovesNothingOn_needsNoSetting(String content) throws Exception {
        write(broker(content));

        assertThat(warnings(DeadLetters.AS_THEY_ARE)).isEmpty();
        install(DeadLetters.WITH_SETTINGS);

        assertThat(read()).contains(content);
    }

    @Test
    void addressWithMarkup_isEscaped() throws Exception {
        write(broker("<address-settings><address-setting match=\"#\"><dead-letter-address>a&lt;b&gt;&amp;\"</dead-"
                + "letter-address></address-setting></address-settings>"));

        install(DeadLetters.WITH_SETTINGS);

        assertThat(attempts("a<b>&\"")).isEqualTo(-1);
    }

    @Test
    void settingThatOthersChanged_staysAfterUninstalling() throws Exception {
        write(broker("<address-settings>" + ALL + "</address-settings>"));
        install(DeadLetters.WITH_SETTINGS);
        write(read().replaceFirst("<expiry-delay>-1</expiry-delay>", "<expiry-delay>-1</expiry-delay><!-- ours -->"));

        Installation.planRemoval(folder).carryOut();

        assertThat(read()).contains("<!-- ours -->").contains("match=\"DLQ\"").doesNotContain("match=\"ExpiryQueue\"");
    }

    @Test
    void includedSettings_areNotEdited() throws Exception {
        Files.writeString(
                folder.resolve("etc/addresses.xml"),
                "<address-settings xmlns=\"urn:activemq:core\">" + ALL + "</address-settings>");
        write("<configuration xmlns=\"urn:activemq\" xmlns:xi=\"http://www.w3.org/2001/XInclude\">"
                + "<core xmlns=\"urn:activemq:core\"><xi:include href=\"" + folder.resolve("etc/addresses.xml")
                + "\"/></core></configuration>");

        assertThatThrownBy(() -> plan(DeadLetters.WITH_SETTINGS))
                .isInstanceOf(UnusableInstanceException.class)
                .hasMessageContaining("addresses.xml")
                .hasMessageContaining("<address-setting match=\"DLQ\">");
    }

    private void install(DeadLetters deadLetters) throws IOException {
        plan(deadLetters).carryOut();
    }

    private List<String> warnings(DeadLetters deadLetters) throws IOException {
        return plan(deadLetters).warnings().stream()
                .filter(warning -> !warning.contains("--admin-role"))
                .toList();
    }

    private Plan plan(DeadLetters deadLetters) throws IOException {
        return plan(new Installation.Given(Map.of(), Roles.NONE, deadLetters));
    }

    /** The delivery attempts at an address, as Artemis reads them. */
    private int attempts(String address) throws Exception {
        var settings = configuration().getAddressSettings().get(address);
        return settings == null ? 10 : settings.getMaxDeliveryAttempts();
    }
}
