/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyFile;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.WildcardSyntax;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code signet policy list}. */
@Command(
        name = "list",
        description = "Lists the policies of the home.",
        footerHeading = "%nExamples:%n",
        footer = {"  signet policy list", "  signet policy list --json"})
final class PolicyList implements Callable<Integer> {
    private final Session session;

    @Mixin
    private final JsonOption json = new JsonOption();

    PolicyList(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws IOException {
        PolicySet policies = new PolicyStore(session.existingHome()).read();
        if (json.wanted) {
            Json.print((ObjectNode) Json.parse(PolicyFile.format(policies)), session.out());
        } else if (policies.policies().isEmpty()) {
            session.say(session.existingHome().root() + " has no policies; " + others(policies));
        } else {
            table(policies).lines().forEach(session.out()::println);
            session.say("version " + policies.version() + "; " + others(policies));
            if (!policies.wildcards().equals(WildcardSyntax.DEFAULT)) {
                session.say("wildcards: " + policies.wildcards().describe());
            }
        }
        return ExitCode.OK;
    }

    /** What happens to messages of addresses that no policy covers. */
    static String others(PolicySet policies) {
        return "messages of other addresses "
                + (policies.unmatched() == UnmatchedAddress.PASS ? "pass" : "are refused (unmatched: reject)");
    }

    static TextTable table(PolicySet policies) {
        TextTable table = TextTable.of("PATTERN", "QUALITY", "SIGNERS", "RECIPIENTS", "KEY REUSE");
        for (Policy policy : policies.policies()) {
            QualityOfProtection quality = policy.quality();
            table.row(
                    policy.pattern(),
                    quality.label(),
                    quality.signs() ? PolicyLines.signers(policy) : "-",
                    quality.encrypts() ? String.join("; ", policy.encryption().recipients()) : "-",
                    quality == QualityOfProtection.CONFIDENTIALITY ? PolicyLines.keyReuse(policy) : "-");
        }
        return table;
    }
}
