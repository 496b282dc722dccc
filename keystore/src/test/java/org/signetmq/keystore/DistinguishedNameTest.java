/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.DERBMPString;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DistinguishedNameTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "CN=alice,O=Example | O=Example,CN=alice",
                "CN=alice           | cn=ALICE",
                "CN=alice           | 2.5.4.3=alice",
                "CN=a  b            | CN=a b",
                "CN=a\\2C b         | CN=\"a, b\"",
                "CN=a+O=b           | O=b+CN=a",
                "CN=K\\C3\\B6ln     | CN=köln",
            })
    void namesThatDifferInOrderCaseOrSpacing_areEqual(String one, String other) {
        assertThat(DistinguishedName.parse(one)).isPresent().isEqualTo(DistinguishedName.parse(other));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "CN=alice           | CN=alicia",
                "CN=alice           | O=alice",
                "CN=alice           | CN=alice,CN=alice",
                "CN=a,O=b           | CN=a+O=b",
                "CN=a b             | CN=ab",
                "CN=a               | CN=\u0430",
                "CN=alice,O=Example | CN=alice\\,O\\=Example",
            })
    void otherNames_differ(String one, String other) {
        assertThat(DistinguishedName.parse(one)).isPresent().isNotEqualTo(DistinguishedName.parse(other));
    }

    @Test
    void stringTypes_areNotToldApart() throws IOException {
        assertThat(named(new DERUTF8String("Alice")))
                .isEqualTo(named(new DERPrintableString("alice")))
                .isEqualTo(named(new DERBMPString("ALICE")));
    }

    @Test
    void valueThatIsNoText_isComparedByItsEncoding() throws IOException {
        DistinguishedName bits = named(new DERBitString(new byte[] {1}));

        assertThat(bits.attributes()).containsExactly(List.of("2.5.4.3=#03020001"));
        assertThat(bits).isNotEqualTo(named(new DERBitString(new byte[] {2})));
    }

    private static DistinguishedName named(ASN1Encodable commonName) throws IOException {
        X500Name name = new X500NameBuilder().addRDN(BCStyle.CN, commonName).build();
        return DistinguishedName.of(new X500Principal(name.getEncoded()));
    }

    @Test
    void orderedName_startsAsTheCertificateDoes() {
        X500Principal principal = new X500Principal("CN=Alice,OU=Dev+L=Bonn,O=Example");

        List<List<String>> expected =
                List.of(List.of("2.5.4.10=example"), List.of("2.5.4.11=dev", "2.5.4.7=bonn"), List.of("2.5.4.3=alice"));

        assertThat(DistinguishedName.ordered(principal)).isEqualTo(expected);
        assertThat(DistinguishedName.parseOrdered("cn=ALICE, l=Bonn+ou=dev, o=example"))
                .contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "alice", "=", "CN=", "CN=a,O=", "CN=a,", ",CN=a", "NO=a", "CN=\\", "CN=#"})
    void malformedText_isNone(String text) {
        assertThat(DistinguishedName.parse(text)).isEmpty();
        assertThat(DistinguishedName.parseOrdered(text)).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DistinguishedName.encode(text))
                .withMessageStartingWith("dn: ");
    }

    @Test
    void text_hasALongestLength() {
        String unit = "OU=" + "a".repeat(60);
        String longest = (unit + ",").repeat(31) + unit + "a";

        assertThat(DistinguishedName.parse(longest)).isPresent();
        assertThat(DistinguishedName.parse(longest + "a")).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DistinguishedName.encode(longest + "a"))
                .withMessage("dn: empty or longer than 2048 characters");
    }

    @Test
    void malformedText_isShownWithAnExample() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DistinguishedName.encode("alice"))
                .withMessage("dn: 'alice' is not RFC 4514, such as CN=alice,O=Example");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DistinguishedName.encode("CN=alice,O="))
                .withMessage("dn: 'CN=alice,O=' has an attribute without a value");
    }

    @Test
    void encodedName_isThatOfTheJdk() throws IOException {
        String text = "CN=alice,OU=Dev,O=Example,C=DE";

        X500Principal encoded = new X500Principal(DistinguishedName.encode(text).getEncoded());

        assertThat(encoded).isEqualTo(new X500Principal(text));
        assertThat(encoded.getName()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CN=alice", "CN=Zoë Müller", "CN=Иван", "CN=山田 太郎", "CN=a-b_c.d (e)"})
    void ordinaryName_isReadable(String name) {
        assertThat(DistinguishedName.isReadable(new X500Principal(name))).isTrue();
        assertThat(DistinguishedName.firstUnreadable(new X500Principal(name))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CN=alice\u200b", // zero width space
                "CN=\u202eecila", // right-to-left override
                "CN=ali\u0007ce",
                "CN=\ufeffalice",
                "CN=ali\u00adce", // soft hyphen
                "CN=a\u00a0b", // no-break space
                "CN=a\u3000b", // wide space
                "CN=\uff41lice", // wide letter
                "CN=\u212alaus", // Kelvin sign
                "CN=a\ue000", // private use
                "CN=a\u2028b", // line separator
                "CN=a\u2029b", // paragraph separator
                "CN=e\u0301va", // two characters for one letter
            })
    void nameWithHiddenOrMisleadingCharacters_isNotReadable(String name) {
        assertThat(DistinguishedName.isReadable(new X500Principal(name))).isFalse();
        assertThat(DistinguishedName.firstUnreadable(new X500Principal(name))).isPresent();
    }

    @Test
    void emptyName_isNotReadable() {
        assertThat(DistinguishedName.isReadable(new X500Principal(""))).isFalse();
    }
}
