/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.signature;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.DerNode;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.envelope.internal.signature.SignerCertificates.CertificateComplexity;

final class CertificateComplexityTest {
    private static final DerNode NULL = DerNode.primitive(0x05, new byte[0]);

    static Stream<Arguments> limits() {
        return Stream.of(
                Arguments.of("elements", Limits.CERTIFICATE_ELEMENTS, (IntFunction<DerNode>)
                        count -> many(DerReader.SEQUENCE, count - 1)),
                Arguments.of("elements in an extension", Limits.CERTIFICATE_ELEMENTS, (IntFunction<DerNode>)
                        count -> DerNode.primitive(
                                DerReader.OCTET_STRING,
                                many(DerReader.SEQUENCE, count - 2).encoded())),
                Arguments.of("attributes", Limits.CERTIFICATE_ATTRIBUTES, (IntFunction<DerNode>)
                        count -> many(DerReader.SET, count)),
                Arguments.of(
                        "levels", Limits.CERTIFICATE_DEPTH, (IntFunction<DerNode>) CertificateComplexityTest::nested));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("limits")
    void limitPasses_andOneMoreIsRejected(String name, int most, IntFunction<DerNode> certificate) {
        assertThatCode(() -> CertificateComplexity.require(
                        Slice.of(certificate.apply(most).encoded())))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> CertificateComplexity.require(
                        Slice.of(certificate.apply(most + 1).encoded())))
                .isInstanceOf(MalformedEnvelopeException.class)
                .hasMessageContaining("a certificate of more than " + most);
    }

    /** A key identifier is a string inside the string of an extension, and may begin with any byte. */
    @Test
    void stringThatOnlyBeginsAsAnElement_passes() {
        byte[] identifier = {0x30, 0x7F, 1, 2, 3};
        DerNode string = DerNode.primitive(DerReader.OCTET_STRING, identifier);

        assertThatCode(() -> CertificateComplexity.require(Slice.of(string.encoded())))
                .doesNotThrowAnyException();
    }

    @Test
    void lengthBeyondTheEnd_isRejected() {
        assertThatThrownBy(() -> CertificateComplexity.require(Slice.of(new byte[] {0x30, 0x03, 0x05, 0x00})))
                .isInstanceOf(MalformedEnvelopeException.class);
    }

    private static DerNode many(int tag, int count) {
        return DerNode.constructed(tag, Collections.nCopies(count, NULL).toArray(new DerNode[0]));
    }

    private static DerNode nested(int depth) {
        DerNode node = NULL;
        for (int i = 1; i < depth; i++) {
            node = DerNode.constructed(DerReader.SEQUENCE, node);
        }
        return node;
    }
}
