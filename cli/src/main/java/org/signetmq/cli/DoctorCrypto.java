/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.home.CryptoSpeed;
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
final class DoctorCrypto implements Callable<Integer> {
    private static final Duration EACH = Duration.ofMillis(250);

    private final Session session;

    @Mixin
    private final JsonOption json = new JsonOption();

    DoctorCrypto(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        session.say("measuring, for about ten seconds");
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
            Json.print(answer, session.out());
        } else {
            session.out().println("%-28s %-30s %10s".formatted("PRIMITIVE", "PROVIDER", "µs"));
            for (CryptoSpeed.Primitive primitive : primitives) {
                session.out()
                        .println(String.format(
                                Locale.ROOT,
                                "%-28s %-30s %10.2f",
                                primitive.name(),
                                primitive.provider(),
                                primitive.microseconds()));
            }
            session.out().println();
            session.out().println("native provider: " + accelerated);
        }
        return ExitCode.OK;
    }
}
