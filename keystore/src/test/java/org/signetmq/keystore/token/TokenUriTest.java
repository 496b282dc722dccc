/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.KeystoreUnusableException;

final class TokenUriTest {
    private static final String MODULE = "?module-path=/usr/lib/p11.so";

    @Test
    void uri_withAllAttributes_isRead() {
        TokenUri uri = TokenUri.parse("pkcs11:token=My%20token;object=%C3%A4lice;id=%01%ff;slot-id=7"
                + "?module-path=/usr/lib/softhsm/libsofthsm2.so&pin-source=file:/etc/pin");

        assertThat(uri.token()).contains("My token");
        assertThat(uri.object()).contains("älice");
        assertThat(uri.id()).contains("01ff");
        assertThat(uri.slot()).hasValue(7);
        assertThat(uri.module()).isEqualTo(Path.of("/usr/lib/softhsm/libsofthsm2.so"));
        assertThat(uri.pinSource()).contains(Path.of("/etc/pin"));
        assertThat(uri).hasToString("TokenUri[token 'My token']");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/pin", "file:/etc/pin", "file:///etc/pin", "file:%2Fetc%2Fpin"})
    void pinSource_inEachForm_isAPath(String source) {
        assertThat(TokenUri.parse("pkcs11:slot-id=0" + MODULE + "&pin-source=" + source)
                        .pinSource())
                .contains(Path.of("/etc/pin"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http:token=a | must be a URI that begins with pkcs11:",
                "pkcs11:token=a | attribute 'module-path': missing",
                "pkcs11:?module-path=/a | it names no token",
                "pkcs11:token=a;serial=1?module-path=/a | attribute 'serial': unknown here; known are token, object",
                "pkcs11:token=a?module-path=/a&module-name=b | attribute 'module-name': unknown here",
                "pkcs11:token=a;module-path=/a | attribute 'module-path': unknown here",
                "pkcs11:token=a;token=b?module-path=/a | attribute 'token': given twice",
                "pkcs11:token=?module-path=/a | attribute 'token': must have 1 to 32 bytes",
                "pkcs11:token=123456789012345678901234567890123?module-path=/a | must have 1 to 32 bytes",
                "pkcs11:token=a;?module-path=/a | an attribute is not of the form name=value",
                "pkcs11:token=a%2?module-path=/a | two hexadecimal digits must follow '%'",
                "pkcs11:token=a%?module-path=/a | two hexadecimal digits must follow '%'",
                "pkcs11:token=a%zz?module-path=/a | two hexadecimal digits must follow '%'",
                "pkcs11:token=a%ff?module-path=/a | attribute 'token': not UTF-8 text",
                "pkcs11:token=a%0a?module-path=/a | has a character that cannot be shown",
                "pkcs11:token=a%1b[2J?module-path=/a | has a character that cannot be shown",
                "pkcs11:token=a%e2%80%ae?module-path=/a | has a character that cannot be shown",
                "pkcs11:token=a b?module-path=/a | must be percent-encoded",
                "pkcs11:token=ä?module-path=/a | must be percent-encoded",
                "pkcs11:slot-id=-1?module-path=/a | attribute 'slot-id': must be a number up to",
                "pkcs11:slot-id=4294967296?module-path=/a | attribute 'slot-id': must be a number up to",
                "pkcs11:slot-id=99999999999?module-path=/a | attribute 'slot-id': must be a number up to",
                "pkcs11:token=a?module-path=relative.so | must be an absolute path",
                "pkcs11:token=a?module-path=/a%0aslot | cannot be shown",
                "pkcs11:token=a?module-path=/a%20b | must be an absolute path of letters",
                "pkcs11:token=a?module-path=/$%7buser.home%7d | must be an absolute path of letters",
                "pkcs11:token=a?module-path=/a&pin-source=pin | must be file: and an absolute path",
                "pkcs11:token=a?module-path=/a&pin-source=/a%00 | cannot be shown",
            })
    void uri_malformed_isRejectedWithItsReason(String text, String reason) {
        assertThatThrownBy(() -> TokenUri.parse(text))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageStartingWith("key-store: ")
                .hasMessageContaining(reason);
    }

    @Test
    void pinInTheUri_isRefusedAndNotShown() {
        assertThatThrownBy(() -> TokenUri.parse("pkcs11:token=a" + MODULE + "&pin-value=1234"))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("use pin-source")
                .hasMessageNotContaining("1234");
    }

    @Test
    void nameOfAnAttribute_thatCannotBeShown_isNotShown() {
        assertThatThrownBy(() -> TokenUri.parse("pkcs11:\u001b[2J=a" + MODULE))
                .hasMessage("key-store: an attribute is not of the form name=value");
    }

    static Stream<Arguments> tooLong() {
        String encoded = "%41".repeat(256);
        return Stream.of(
                Arguments.of("token=" + "%41".repeat(33) + MODULE, "attribute 'token': must have 1 to 32 bytes"),
                Arguments.of("token=a;object=" + encoded + MODULE, "attribute 'object': must have 1 to 255 bytes"),
                Arguments.of("token=a;id=" + encoded + MODULE, "attribute 'id': must have 1 to 255 bytes"),
                Arguments.of("slot-id=" + "0".repeat(256) + MODULE, "attribute 'slot-id': must have 1 to 255 bytes"),
                Arguments.of("slot-id=" + "0".repeat(11) + MODULE, "attribute 'slot-id': must be a number up to"),
                Arguments.of("token=a?module-path=/" + "a".repeat(1024), "'module-path': must have 1 to 1024 bytes"),
                Arguments.of(
                        "token=a" + MODULE + "&pin-source=/" + "a".repeat(1024),
                        "'pin-source': must have 1 to 1024 bytes"),
                Arguments.of("token=a" + ";".repeat(4000) + MODULE, "an attribute is not of the form name=value"),
                Arguments.of("token=a;" + "x".repeat(3000) + "=1" + MODULE, "is not of the form name=value"),
                Arguments.of("%".repeat(10_000_000), "longer than 4096 characters"));
    }

    @ParameterizedTest
    @MethodSource("tooLong")
    void partOfAUri_tooLong_isRejectedWithoutItsText(String text, String reason) {
        assertThatThrownBy(() -> TokenUri.parse("pkcs11:" + text))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining(reason)
                .satisfies(refused ->
                        assertThat(String.valueOf(refused.getMessage())).hasSizeLessThan(200));
    }

    @Test
    void uri_tooLong_isRejected() {
        assertThatThrownBy(() -> TokenUri.parse("pkcs11:token=" + "a".repeat(5000) + MODULE))
                .hasMessageContaining("longer than 4096 characters");
    }
}
