/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.install.Instance.UnusableInstanceException;

final class InstallRecordTest {
    @Test
    void noFile_isAnEmptyRecord() {
        InstallRecord record = InstallRecord.parse(Optional.empty());

        assertThat(record.formerList(BrokerXml.PLUGINS)).isEmpty();
        assertThat(record.isNativeLibraryLeftOut()).isFalse();
    }

    @Test
    void formattedRecord_isReadBack() {
        InstallRecord record = InstallRecord.parse(Optional.empty());
        record.listWas(BrokerXml.PLUGINS, "<broker-plugins/>");
        record.leaveNativeLibraryOut(true);

        InstallRecord read = InstallRecord.parse(Optional.of(record.format()));

        assertThat(read.formerList(BrokerXml.PLUGINS)).contains("<broker-plugins/>");
        assertThat(read.isNativeLibraryLeftOut()).isTrue();
    }

    @Test
    void secondInstall_keepsThePluginsOfTheFirst() {
        InstallRecord record = InstallRecord.parse(Optional.empty());

        record.listWas(BrokerXml.PLUGINS, "");
        record.listWas(BrokerXml.PLUGINS, "<broker-plugins></broker-plugins>");

        assertThat(record.formerList(BrokerXml.PLUGINS)).contains("");
    }

    @Test
    void nativeLibrary_wantedAgain_isForgotten() {
        InstallRecord record = InstallRecord.parse(Optional.empty());

        record.leaveNativeLibraryOut(true);
        record.leaveNativeLibraryOut(false);

        assertThat(record.isNativeLibraryLeftOut()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{\"a\": {}}", "{", "<xml/>"})
    void fileOfOthers_isRejected_withAdvice(String json) {
        assertThatThrownBy(() -> InstallRecord.parse(Optional.of(json.getBytes(StandardCharsets.UTF_8))))
                .isInstanceOf(UnusableInstanceException.class)
                .hasMessage("etc/signet-install.json: not readable; restore broker.xml from its backup, and delete"
                        + " this file");
    }
}
