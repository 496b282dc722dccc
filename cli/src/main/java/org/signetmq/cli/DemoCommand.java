/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code signet demo}. */
@Command(
        name = "demo",
        description = "Shows the whole path with a real broker, on loopback ports and in a temporary folder.",
        footerHeading = "%nExamples:%n",
        footer = {"  signet demo", "  signet demo --messages 20 --json"})
final class DemoCommand implements Callable<Integer> {
    private final Session session;

    @Option(
            names = "--messages",
            paramLabel = "N",
            description = "How many messages per protocol and quality; default 200.")
    private int messages = 200;

    @Mixin
    private final JsonOption json = new JsonOption();

    DemoCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        throw CliException.failure("demo: " + messages + json.wanted + session.home());
    }
}
