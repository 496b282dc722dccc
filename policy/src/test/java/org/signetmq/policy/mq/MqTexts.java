/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import java.util.List;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy.Signing;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.WildcardSyntax;

/** Reads texts of MQ as the tests expect them, and makes the values of their policies. */
final class MqTexts {
    private MqTexts() {}

    static MqImport read(String text) {
        return MqPolicies.read(text, WildcardSyntax.DEFAULT, Toleration.ENFORCE);
    }

    static List<String> lines(MqImport read) {
        return read.statements().stream().map(MqImport.Statement::toString).toList();
    }

    static Signing signers(String... names) {
        return new Signing(Signing.DEFAULT.algorithm(), List.of(names), Signing.DEFAULT.certificate());
    }

    static KeyLimits limits(long messages) {
        return new KeyLimits(messages, KeyLimits.MOST_BYTES, KeyLimits.DEFAULT_AGE);
    }
}
