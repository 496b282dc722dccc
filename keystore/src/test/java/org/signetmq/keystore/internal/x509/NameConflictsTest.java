/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.KeyPair;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;

final class NameConflictsTest {
    private static final KeyPair ONE = TestCertificates.ec();
    private static final KeyPair TWO = TestCertificates.ec();

    private static Recipient entry(String file, KeyPair pair) {
        return new Recipient(file, CertificateForge.of("CN=alice", pair).make().certificate());
    }

    @Test
    void entriesOfOneKey_doNotConflict() {
        List<Recipient> renewed = List.of(entry("alice", ONE), entry("alice-2026", ONE));

        assertThat(NameConflicts.conflict(renewed)).isEmpty();
        assertThatCode(() -> NameConflicts.reject(renewed, "share a name")).doesNotThrowAnyException();
    }

    @Test
    void noEntryOrOne_doesNotConflict() {
        assertThat(NameConflicts.conflict(List.of())).isEmpty();
        assertThat(NameConflicts.conflict(List.of(entry("alice", ONE)))).isEmpty();
        assertThatCode(() -> NameConflicts.reject(List.of(), "share a name")).doesNotThrowAnyException();
    }

    @Test
    void entriesOfTwoKeys_areNamedWithTheFirstThatDiffers() {
        List<Recipient> entries = List.of(entry("alice", ONE), entry("alice-2026", ONE), entry("mallory", TWO));

        assertThat(NameConflicts.conflict(entries)).contains("'alice' and 'mallory'");
        assertThatThrownBy(() -> NameConflicts.reject(entries, "have the name CN=alice"))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessage("recipients/: 'alice' and 'mallory' have the name CN=alice; remove the wrong one, or where"
                        + " only the distinguished name is shared use the file's name");
    }
}
