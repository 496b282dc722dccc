/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.der;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.bouncycastle.asn1.DEROctetString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.cms.Oids;

final class DerReaderTest {
    private static DerReader reader(String hex) {
        return new DerReader(Slice.of(HexFormat.of().parseHex(hex)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 127, 128, 255, 256, 65_535, 65_536, 1 << 24})
    void writtenElement_isThatOfBouncyCastleAndReadBack(int length) throws Exception {
        byte[] content = new byte[length];

        byte[] written = DerWriter.element(DerReader.OCTET_STRING, content);

        assertThat(written).isEqualTo(new DEROctetString(content).getEncoded());
        assertThat(written).hasSize(DerWriter.sizeOf(length));
        DerReader reader = new DerReader(Slice.of(written));
        assertThat(reader.content(DerReader.OCTET_STRING).length()).isEqualTo(length);
        assertThat(reader.hasMore()).isFalse();
        reader.end();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "04",
                "0401",
                "0480",
                "048100",
                "04817f",
                "0482007f",
                "04820080",
                "04ff",
                "0484ffffffff",
                "04847fffffff",
                "048500000000ff",
                "0500",
                "0483"
            })
    void lengthThatLiesOrIsNotMinimal_rejected(String hex) {
        assertThatThrownBy(() -> reader(hex).content(DerReader.OCTET_STRING))
                .isInstanceOf(MalformedEnvelopeException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1f8101", "bf0100", "3001", "0484ffffffff"})
    void elementThatIsNone_rejected(String hex) {
        assertThatThrownBy(() -> reader(hex).element()).isInstanceOf(MalformedEnvelopeException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0200", "02020001", "020180", "0201ff", "0401"})
    void integerThatIsNotSmall_rejected(String hex) {
        assertThatThrownBy(() -> reader(hex).smallInteger()).isInstanceOf(MalformedEnvelopeException.class);
    }

    @Test
    void child_doesNotReachBeyondItsParent() {
        DerReader child = reader("3003040200ff").enter(DerReader.SEQUENCE);

        assertThatThrownBy(() -> child.content(DerReader.OCTET_STRING)).isInstanceOf(MalformedEnvelopeException.class);
    }

    @Test
    void leftover_rejected() {
        DerReader reader = reader("02010105");

        assertThat(reader.smallInteger()).isEqualTo(1);
        assertThat(reader.nextIs(5)).isTrue();
        assertThatThrownBy(reader::end).isInstanceOf(MalformedEnvelopeException.class);
    }

    @Test
    void unexpectedElement_rejected() {
        assertThatThrownBy(() -> reader("020101").expect(Oids.DATA, "content type"))
                .isInstanceOf(MalformedEnvelopeException.class)
                .hasMessageContaining("content type");
    }
}
