/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import java.util.List;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Signing;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.mq.MqPolicies.MqImport;

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

    /** Returns the command of the command line that makes this policy. */
    static String setmqspl(Policy policy) {
        QualityOfProtection quality = policy.quality();
        StringBuilder line = new StringBuilder("setmqspl -m QM1 -p " + policy.pattern())
                .append(quality.signs() ? " -s SHA512" : " -s NONE")
                .append(quality.encrypts() ? " -e AES256" : " -e NONE");
        policy.encryption().recipients().forEach(name -> line.append(" -r ").append(quoted(name)));
        policy.signing().signers().forEach(name -> line.append(" -a ").append(quoted(name)));
        return line.append(" -t 0 -c ")
                .append(keyReuse(policy).replace("UNLIMITED", "\"*\""))
                .toString();
    }

    private static String keyReuse(Policy policy) {
        long messages = policy.encryption().limits().messages();
        return messages == KeyLimits.MOST_MESSAGES ? "UNLIMITED" : messages == 1 ? "0" : String.valueOf(messages);
    }

    private static String quoted(String name) {
        return '"' + name.replaceAll("([\"\\\\$`])", "\\\\$1") + '"';
    }

    /** Returns the command of MQSC that makes this policy. */
    static String setPolicy(Policy policy) {
        QualityOfProtection quality = policy.quality();
        StringBuilder line = new StringBuilder("SET POLICY('" + policy.pattern() + "')")
                .append(quality.signs() ? " SIGNALG(SHA512)" : " SIGNALG(NONE)")
                .append(quality.encrypts() ? " ENCALG(AES256)" : " ENCALG(NONE)");
        policy.encryption()
                .recipients()
                .forEach(name ->
                        line.append(" RECIP('").append(name.replace("'", "''")).append("')"));
        policy.signing()
                .signers()
                .forEach(name ->
                        line.append(" SIGNER('").append(name.replace("'", "''")).append("')"));
        return line.append(" ENFORCE KEYREUSE(")
                .append(keyReuse(policy))
                .append(')')
                .toString();
    }
}
