/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HexFormat;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.keystore.token.TokenLogin.TokenListing;

final class TokenListingTest {
    private static final Party ALICE = CertificateForge.of("CN=alice").make();

    @Test
    void list_isRead() throws Exception {
        String encoded = HexFormat.of().formatHex(ALICE.certificate().getEncoded());
        TokenListing listing = TokenListing.parse("T 5 616c696365\nC 5 " + encoded + " 01\nC 5 " + encoded
                + " \nC 6 00 02\nT 6 626f62\nT 7 626f62\nT 4294967296 626f62\nEND\n");

        assertThat(listing.slotOf("alice", OptionalInt.empty())).isEqualTo(5);
        assertThat(listing.slotOf("bob", OptionalInt.of(7))).isEqualTo(7);
        assertThat(listing.idsOf(5, ALICE.certificate())).containsExactly("01", "");
        assertThat(listing.idsOf(6, ALICE.certificate())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ob  | | token 'ob': not there; plug it in, or check its label",
                "bob | 5 | token 'bob': not in slot 5",
                "bob | | token 'bob': 2 tokens have this label; name one by slot-id instead of token",
            })
    void label_thatNamesNoTokenOrSeveral_isRefused(String label, @Nullable Integer slot, String reason)
            throws Exception {
        TokenListing listing = TokenListing.parse("T 5 616c696365\nT 6 626f62\nT 7 626f62\nEND\n");

        assertThatThrownBy(() -> listing.slotOf(label, slot == null ? OptionalInt.empty() : OptionalInt.of(slot)))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessage(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "T 5 616c696365\n", "END of it", "C 5 01\n", "END\nT 5 61\n"})
    void list_withoutItsEnd_isRejected(String output) {
        assertThatThrownBy(() -> TokenListing.parse(output)).isInstanceOf(IOException.class);
    }
}
