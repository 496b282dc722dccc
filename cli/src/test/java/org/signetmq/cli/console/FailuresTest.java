/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.cli.console.NamedOutput.ClosedPipeException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.policy.InvalidPolicyException;

final class FailuresTest {
    @Test
    void exitCodes_areThoseOfTheTable() {
        assertThat(Failures.exitCode(CliException.failure("x"))).isEqualTo(1);
        assertThat(Failures.exitCode(new MalformedEnvelopeException("x"))).isEqualTo(1);
        assertThat(Failures.exitCode(new InvalidPolicyException(List.of()))).isEqualTo(1);
        assertThat(Failures.exitCode(new UncheckedIOException(new IOException("x"))))
                .isEqualTo(1);
        assertThat(Failures.exitCode(
                        new CertificateRejectedException(CertificateRejectedException.Reason.EXPIRED, "x")))
                .isEqualTo(1);
        assertThat(Failures.exitCode(CliException.configuration("x"))).isEqualTo(3);
        assertThat(Failures.exitCode(new KeystoreUnusableException("x"))).isEqualTo(3);
        assertThat(Failures.exitCode(new IOException(new ConnectException("x"))))
                .isEqualTo(4);
        assertThat(Failures.exitCode(new NullPointerException("x"))).isEqualTo(70);
        assertThat(Failures.exitCode(new AssertionError("x"))).isEqualTo(70);
    }

    @Test
    void words_neverHoldControlCharacters() {
        assertThat(Failures.inWords(new IOException("a\nb\u001b[31mc\rd"))).isEqualTo("a b [31mc d");
        assertThat(Failures.inWords(new IOException("a\u009b31mb\u0085c"))).isEqualTo("a 31mb c");
    }

    @Test
    void textsOfStrangers_neitherTurnNorBreakALine() {
        assertThat(Failures.oneLine(" a\u202eb\u2028c\ud800d\ufeff ")).isEqualTo("a b c d");
        assertThat(Failures.printable("  \u2066a")).isEqualTo("   a");
        assertThat(Failures.oneLine("\u0645\u06cc\u200c\u062e \ud83d\ude00")) // joiners belong to words
                .isEqualTo("\u0645\u06cc\u200c\u062e \ud83d\ude00");
    }

    @Test
    void textsOfStrangers_haveOnlyCharactersThatPrint() {
        String hostile =
                "x\n\r\u001b\u0085\u009b\u202e\u2066\ufe0f\u2800\u3164\ud800\udc00y".replace("\ud800\udc00", "\udc00");

        assertThat(Failures.inWords(new IOException(hostile))).matches("x +y");
        assertThat(Failures.inWords(new KeystoreUnusableException(hostile))).matches("x\\?+y");
        assertThat(Failures.printable(hostile)).matches("x +y");
    }

    @Test
    void failureOfAType_isFoundAmongTheCauses_theOuterFirst() {
        ClosedPipeException inner = new ClosedPipeException("standard output");
        IOException outer = new IOException("x", new UncheckedIOException(inner));

        assertThat(Failures.find(ClosedPipeException.class, outer)).containsSame(inner);
        assertThat(Failures.find(IOException.class, outer)).containsSame(outer);
        assertThat(Failures.find(ConnectException.class, outer)).isEmpty();
    }

    @Test
    void filesOfTheSystem_areNamedWithTheReason() {
        assertThat(Failures.inWords(new NoSuchFileException("f"))).isEqualTo("f: no such file or folder");
        assertThat(Failures.inWords(new AccessDeniedException("f"))).isEqualTo("f: access denied");
        assertThat(Failures.inWords(new FileAlreadyExistsException("f"))).isEqualTo("f: exists already");
        assertThat(Failures.inWords(new FileSystemException("f"))).isEqualTo("f: cannot be used");
        assertThat(Failures.inWords(new FileSystemException("f", null, "busy"))).isEqualTo("f: busy");
    }

    @Test
    void failureWithoutMessage_isNamedByItsType() {
        assertThat(Failures.inWords(new IOException())).isEqualTo("IOException");
        assertThat(Failures.inWords(new IOException(" "))).isEqualTo("IOException");
        assertThat(Failures.inWords(new UncheckedIOException("x", new IOException("inner"))))
                .isEqualTo("inner");
    }
}
