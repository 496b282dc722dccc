/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.KeystoreUnusableException;

final class TokenListingTest {
    private static final String LISTED =
            "T 5 =YWxpY2U=\nC 5 =AQ== =Y2VydA==\nT 6 =Ym9i\nT 7 =Ym9i\nT 4294967296 =eA==\nEND\n";

    @Test
    void list_isRead() throws Exception {
        TokenListing listing = TokenListing.parse(LISTED);

        assertThat(listing.slotOf("alice")).isEqualTo(5);
        assertThat(listing.withId(5, new byte[] {1})).containsExactly("cert".getBytes(US_ASCII));
        assertThat(listing.withId(6, new byte[] {1})).isEmpty();
        assertThat(listing.idOf(5, "other".getBytes(US_ASCII))).isEmpty();
    }

    @Test
    void label_ofSeveralTokens_isRefused() throws Exception {
        TokenListing listing = TokenListing.parse(LISTED);

        assertThatThrownBy(() -> listing.slotOf("bob"))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessage("token 'bob': 2 tokens have this label; name one by slot-id instead of token");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "T 5 =YWxpY2U=\n", "END of it", "C 5 =AQ==\n"})
    void list_withoutItsEnd_isRejected(String output) {
        assertThatThrownBy(() -> TokenListing.parse(output)).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"T 5 =%\nEND\n", "T x =YQ==\nEND\n", "T 5 \nEND\n"})
    void list_thatIsDamaged_isRejected(String output) {
        assertThatThrownBy(() -> TokenListing.parse(output)).isInstanceOf(RuntimeException.class);
    }
}
