/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts and documents rely on the commands and their options. */
final class HelpTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "micro", "keys", "digest", "rr", "figure", "tls", "mailbox", "filesystem", "report"})
    void help_staysTheSame(String command) throws Exception {
        Ran ran = Ran.perf((command + " --help").strip().split(" "));

        Golden.check("help" + (command.isEmpty() ? "" : "-" + command) + ".txt", ran.exitCode() + "\n" + ran.out());
    }
}
