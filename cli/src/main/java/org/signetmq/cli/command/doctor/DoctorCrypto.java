/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.doctor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.signetmq.cli.console.CommandContext;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.Json;
import org.signetmq.cli.console.JsonOption;
import org.signetmq.keystore.CryptoProviders;
import org.signetmq.keystore.CryptoSpeed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code signet doctor crypto}. */
@Command(
        name = "crypto",
        description = {
            "Says which provider serves which primitive, and how fast it is here: microseconds for one operation,",
            "on 2,048 bytes where there is a payload and no other length stands beside its name."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  signet doctor crypto", "  signet doctor crypto --json"})
public final class DoctorCrypto implements Callable<Integer> {
    private static final Duration EACH = Duration.ofMillis(250);

    private final CommandContext context;

    @Mixin
    private final JsonOption json = new JsonOption();

    public DoctorCrypto(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        context.say("measuring, for about ten seconds");
        List<CryptoSpeed.Primitive> primitives = new CryptoSpeed(EACH).measure();
        String accelerated = CryptoProviders.standard()
                .accelerated()
                .map(provider -> provider.getName() + " " + provider.getVersionStr())
                .orElse("none");
        if (json.wanted) {
            ObjectNode answer = Json.answer().put("native", accelerated);
            ArrayNode rows = answer.putArray("primitives");
            primitives.forEach(primitive -> rows.addObject()
                    .put("name", primitive.name())
                    .put("provider", primitive.provider())
                    .put("us_per_op", primitive.microseconds()));
            Json.print(answer, context.out());
        } else {
            context.out().println("%-28s %-30s %10s".formatted("PRIMITIVE", "PROVIDER", "µs"));
            for (CryptoSpeed.Primitive primitive : primitives) {
                context.out()
                        .println(String.format(
                                Locale.ROOT,
                                "%-28s %-30s %10.2f",
                                primitive.name(),
                                primitive.provider(),
                                primitive.microseconds()));
            }
            context.out().println();
            context.out().println("native provider: " + accelerated);
        }
        return ExitCode.OK;
    }
}
