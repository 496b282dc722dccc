/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** A command that prints its result as text or, with {@code --json}, as JSON. */
public abstract class ReportingCommand extends Subcommand {
    @Option(names = "--json", description = "The result as JSON; its schema is in docs/cli.md.")
    protected boolean json;

    /** Prints the result: a record or a tree for JSON, without the number of its schema. */
    protected final void report(Object answer, Supplier<List<String>> text) {
        if (json) {
            context.print(Json.answer(answer).toPrettyString());
        } else {
            text.get().forEach(context::print);
        }
    }
}
