/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.internal.x509.Selector.ByDn;
import org.signetmq.keystore.internal.x509.Selector.ByIssuedDn;
import org.signetmq.keystore.internal.x509.Selector.ByKey;
import org.signetmq.keystore.internal.x509.Selector.ByName;

final class SelectorTest {
    private static final String COMMON_NAME = "2.5.4.3=";

    @ParameterizedTest
    @ValueSource(strings = {"alice", "alice.2026", "a b", "sk", "ski", "ski-1", ";", "a;b", "\\", "../alice"})
    void textWithoutEqualsSign_isName(String text) {
        assertThat(Selector.parse(text)).contains(new ByName(text));
    }

    @Test
    void emptyText_isNone() {
        assertThat(Selector.parse("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ski:00ff7f", "SKI:00FF7F", "Ski:00:ff:7F", "ski: 00ff7f ", "ski::00:ff:7f:"})
    void keyIdentifier_isReadInEachUsualSpelling(String text) {
        byte[] bytes = {0, (byte) 0xff, 0x7f};

        assertThat(Selector.parse(text)).contains(new ByKey(KeyIdentifier.of(bytes)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ski:", "ski: ", "ski:::", "ski:0", "ski:0g", "ski:00 ff", "ski:CN=alice", "ski:00;issuer=ca"})
    void malformedKeyIdentifier_isNone(String text) {
        assertThat(Selector.parse(text)).isEmpty();
    }

    @Test
    void dn_isComparedInAnyOrder() {
        ByDn expected = new ByDn(DistinguishedName.parse("O=Example,CN=alice").orElseThrow());

        assertThat(Selector.parse("cn=Alice, o=example")).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"=", "=a", "CN=", "CN=a,", "CN=a,O=", "XX=a", "CN=\\", "CN=a,=b", "CN=\"a"})
    void malformedDn_isNone(String text) {
        assertThat(Selector.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "CN=alice; issuer=ca        | alice     | ca",
                "CN=alice;issuer=ca         | alice     | ca",
                "CN=alice ;  issuer  =  ca  | alice     | ca",
                "CN=alice;issuer=a b        | alice     | a b",
                "CN=alice;issuer=x=y        | alice     | x=y",
                "CN=a\\;b;issuer=ca         | a;b       | ca",
                "CN=\"a;b\";issuer=ca       | a;b       | ca",
            })
    void dnWithIssuer_isReadWithTheSemicolonBehindTheDn(String text, String commonName, String issuer) {
        List<List<String>> name = List.of(List.of(COMMON_NAME + commonName));

        assertThat(Selector.parse(text)).contains(new ByIssuedDn(name, issuer));
    }

    @Test
    void dnWithIssuer_keepsTheOrderOfItsParts() {
        ByIssuedDn selector =
                (ByIssuedDn) Selector.parse("CN=alice,O=Example; issuer=ca").orElseThrow();

        assertThat(selector.name()).containsExactly(List.of("2.5.4.10=example"), List.of("2.5.4.3=alice"));
        assertThat(Selector.parse("O=Example,CN=alice; issuer=ca")).isPresent().isNotEqualTo(selector);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CN=alice;",
                "CN=alice;issuer",
                "CN=alice;issuer=",
                "CN=alice;issuer= ",
                "CN=alice;ISSUER=ca",
                "CN=alice;issuers=ca",
                "CN=alice;issuer=ca;",
                "CN=alice;issuer=ca;issuer=cb",
                ";issuer=ca",
                "CN=;issuer=ca",
                "alice;issuer=ca",
            })
    void malformedIssuer_isNone(String text) {
        assertThat(Selector.parse(text)).isEmpty();
    }

    @Test
    void longestKeyIdentifier_isReadWhole() {
        byte[] bytes = new byte[KeyIdentifier.MAX_LENGTH];
        bytes[KeyIdentifier.MAX_LENGTH - 1] = 1;

        assertThat(Selector.parse("ski:" + HexFormat.of().formatHex(bytes)))
                .contains(new ByKey(KeyIdentifier.of(bytes)));
    }
}
