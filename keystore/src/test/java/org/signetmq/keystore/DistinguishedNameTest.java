/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.io.UncheckedIOException;
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
                "CN=a\\2C b         | CN=\"a, b\"",
                "CN=a+O=b           | O=b+CN=a",
                "CN=K\\C3\\B6ln     | CN=köln",
            })
    void namesThatDifferInOrderOrAsciiCase_areEqual(String one, String other) {
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
                "CN=a  b            | CN=a b",
                "CN=K\u00f6ln      | CN=K\u00d6LN",
                "CN=\u212aln        | CN=kln",
                "CN=\u017fa         | CN=sa",
                "CN=e\u0301         | CN=\u00e9",
                "CN=\uff41          | CN=a",
                "CN=\\#03020001   | CN=#03020001",
                "CN=alice,O=Example | CN=alice\\,O\\=Example",
            })
    void otherNames_differ(String one, String other) {
        assertThat(DistinguishedName.parse(one)).isPresent().isNotEqualTo(DistinguishedName.parse(other));
    }

    @Test
    void formsOfOneNameThatLookAlike_shareTheFoldedForm() {
        DistinguishedName bank = new DistinguishedName(List.of(List.of("2.5.4.3=bank one")));

        for (String form : List.of(
                "ban\u212a one",
                "BANK  one",
                "ba\u200bnk\u2003one\u3164",
                "\uff42ank one\u001f ",
                "bank\none\ufe0f",
                "\u200b bank \u200b one")) {
            DistinguishedName other = new DistinguishedName(List.of(List.of("2.5.4.3=" + form)));
            assertThat(other).isNotEqualTo(bank);
            assertThat(other.folded()).as(form).isEqualTo(bank);
        }
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
                "CN=alice\ufe0f", // variation selectors
                "CN=alice\udb40\udd00",
                "CN=alice\u180b",
                "CN=ali\u034fce", // joiners
                "CN=ali\u2060ce",
                "CN=ali\ud804\udc7fce",
                "CN=alice\u2800", // blanks and fillers
                "CN=alice\u115f",
                "CN=alice\u1160",
                "CN=alice\u3164",
                "CN=alice\uffa0",
                "CN=alice\u17b4",
                "CN=alice\u2003",
                "CN=alice\ufffc",
                "CN=alice\ufffd",
                "CN=ali\u001fce",
                "CN=ali\\00ce",
                "CN=ali\\0Ace",
                "CN=alice\udb40\udc41", // tag
                "CN=alice\u0378", // unassigned
                "CN=alice\udbff\udffd", // private use
            })
    void nameWithHiddenOrMisleadingCharacters_isNotReadable(String name) {
        assertThat(DistinguishedName.isReadable(new X500Principal(name))).isFalse();
        assertThat(DistinguishedName.firstUnreadable(new X500Principal(name))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alice\ufe0f",
                "alice\u2800",
                "alice\u00ad",
                "alice\u3164",
                "alice\u001f",
                "alice\n",
                "\u2003alice",
                "alice\ud800",
                "alice\ue000"
            })
    void nameThatDoesNotPrint_isNoNameOfText_andIsShownEscaped(String name) throws IOException {
        X500Principal principal = new X500Principal(new X500NameBuilder()
                .addRDN(BCStyle.CN, name.indexOf('\ud800') < 0 ? new DERUTF8String(name) : new DERBMPString(name))
                .build()
                .getEncoded());

        assertThat(DistinguishedName.parse("CN=" + name)).isEmpty();
        assertThat(DistinguishedName.parseOrdered("CN=" + name)).isEmpty();
        assertThat(DistinguishedName.isReadable(principal)).isFalse();
        assertThat(DistinguishedName.shown(principal)).matches("CN=[ -~]+").contains("\\");
    }

    @Test
    void nameOfEscapesThatDoNotPrint_isNoNameOfText() {
        for (String text : List.of("CN=alice\\0A", "CN=alice\\E2\\80\\8B", "CN=alice\\EF\\B8\\8F", "CN=#0c03610a62")) {
            assertThat(DistinguishedName.parse(text)).as(text).isEmpty();
        }
    }

    @Test
    void namesOfTheInklessList_areInOrder() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            boolean isIgnorable = c == 0x34f
                    || c == 0x115f
                    || c == 0x1160
                    || (c >= 0x17b4 && c <= 0x17b5)
                    || (c >= 0x180b && c <= 0x180f)
                    || c == 0x3164
                    || (c >= 0xfe00 && c <= 0xfe0f)
                    || c == 0xffa0
                    || (c >= 0xe0000 && c <= 0xe0fff)
                    || c == 0x2800;
            if (isIgnorable) {
                DistinguishedName name =
                        new DistinguishedName(List.of(List.of("2.5.4.3=a" + Character.toString(c) + "b")));
                assertThat(name.folded().attributes()).as("U+%04X", c).containsExactly(List.of("2.5.4.3=ab"));
            }
        }
    }

    @Test
    void emptyName_isNotReadable() {
        assertThat(DistinguishedName.isReadable(new X500Principal(""))).isFalse();
    }

    @Test
    void emailAndSerialNumber_areShownByTheirKeywords_andParsedAgain() {
        for (String text :
                List.of("emailAddress=alice@example.com,CN=alice,O=Example", "serialNumber=77,CN=alice,O=a\\,b")) {
            X500Principal principal = new X500Principal(encoded(text));

            assertThat(DistinguishedName.shown(principal)).isEqualTo(text);
            assertThat(DistinguishedName.text(principal)).isEqualTo(text);
            assertThat(DistinguishedName.parse(DistinguishedName.shown(principal)))
                    .contains(DistinguishedName.of(principal));
        }
    }

    private static byte[] encoded(String text) {
        try {
            return DistinguishedName.encode(text).getEncoded();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
