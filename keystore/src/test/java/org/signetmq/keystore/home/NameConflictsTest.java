/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.KeyPair;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates;

final class NameConflictsTest {
    private static final KeyPair ONE = TestCertificates.ec();
    private static final KeyPair TWO = TestCertificates.ec();

    private static Recipient entry(String file, KeyPair pair) {
        return new Recipient(file, CertificateForge.of("CN=alice", pair).make().certificate());
    }

    @Test
    void entriesOfOneKey_doNotConflict() {
        List<Recipient> renewed = List.of(entry("alice", ONE), entry("alice-2026", ONE));

        assertThat(RecipientIndex.conflict(renewed)).isEmpty();
        assertThatCode(() -> RecipientIndex.reject(renewed, "share a name")).doesNotThrowAnyException();
    }

    @Test
    void noEntryOrOne_doesNotConflict() {
        assertThat(RecipientIndex.conflict(List.of())).isEmpty();
        assertThat(RecipientIndex.conflict(List.of(entry("alice", ONE)))).isEmpty();
        assertThatCode(() -> RecipientIndex.reject(List.of(), "share a name")).doesNotThrowAnyException();
    }

    @Test
    void entriesOfTwoKeys_areNamedWithTheFirstThatDiffers() {
        List<Recipient> entries = List.of(entry("alice", ONE), entry("alice-2026", ONE), entry("mallory", TWO));

        assertThat(RecipientIndex.conflict(entries)).contains("'alice' and 'mallory'");
        assertThatThrownBy(() -> RecipientIndex.reject(entries, "have the name CN=alice"))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessage("recipients/: 'alice' and 'mallory' have the name CN=alice; remove the wrong one, or where"
                        + " only the distinguished name is shared use the file's name");
    }
}
