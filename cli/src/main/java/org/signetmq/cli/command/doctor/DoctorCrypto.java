/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.doctor;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.ReportingCommand;
import org.signetmq.keystore.crypto.CryptoProviders;
import picocli.CommandLine.Command;

/** The command {@code signet doctor crypto}. */
@Command(
        name = "crypto",
        description = {
            "Says which provider serves which primitive, and how fast it is here: microseconds for one operation,",
            "on 2,048 bytes where there is a payload and no other length stands beside its name."
        },
        footer = {"  signet doctor crypto", "  signet doctor crypto --json"})
public final class DoctorCrypto extends ReportingCommand {
    private static final Duration EACH = Duration.ofMillis(250);

    private record Answer(@JsonProperty("native") String nativeProvider, List<CryptoSpeed.Primitive> primitives) {}

    @Override
    public Integer call() {
        context.say("measuring, for about ten seconds");
        CryptoProviders providers = CryptoProviders.standard();
        List<CryptoSpeed.Primitive> rows = new CryptoSpeed(providers, EACH).measure();
        String accelerated = providers
                .accelerated()
                .map(provider -> provider.getName() + " " + provider.getVersionStr())
                .orElse("none");
        report(
                new Answer(accelerated, rows),
                () -> Stream.of(
                                Stream.of("%-28s %-30s %10s".formatted("PRIMITIVE", "PROVIDER", "µs")),
                                rows.stream().map(CryptoSpeed.Primitive::line),
                                Stream.of("", "native provider: " + accelerated))
                        .flatMap(lines -> lines)
                        .toList());
        return ExitCode.OK;
    }
}
