/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.policy.InvalidPolicyException;

final class FailuresTest {
    private final Failures failures = new Failures(new CommandContext(Shell.ofProcess()));

    @Test
    void exitCodes_areThoseOfTheTable() {
        assertThat(failures.getExitCode(CliException.failure("x"))).isEqualTo(1);
        assertThat(failures.getExitCode(new MalformedEnvelopeException("x"))).isEqualTo(1);
        assertThat(failures.getExitCode(new InvalidPolicyException(List.of()))).isEqualTo(1);
        assertThat(failures.getExitCode(new UncheckedIOException(new IOException("x"))))
                .isEqualTo(1);
        assertThat(failures.getExitCode(
                        new CertificateRejectedException(CertificateRejectedException.Reason.EXPIRED, "x")))
                .isEqualTo(1);
        assertThat(failures.getExitCode(CliException.configuration("x"))).isEqualTo(3);
        assertThat(failures.getExitCode(new KeystoreUnusableException("x"))).isEqualTo(3);
        assertThat(failures.getExitCode(new IOException(new ConnectException("x"))))
                .isEqualTo(4);
        assertThat(failures.getExitCode(new NullPointerException("x"))).isEqualTo(70);
        assertThat(failures.getExitCode(new AssertionError("x"))).isEqualTo(70);
    }

    @Test
    void words_neverHoldControlCharacters() {
        assertThat(Failures.inWords(new IOException("a\nb\u001b[31mc\rd"))).isEqualTo("a b [31mc d");
    }
}
