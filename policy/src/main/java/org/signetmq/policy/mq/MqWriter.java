/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Encryption;
import org.signetmq.policy.Policy.Signing;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.internal.text.Quoted;

/** Writes policies as {@code setmqspl} commands. */
final class MqWriter {
    private static final int LATIN_1 = 0xff;

    private final String queueManager;
    private final MqMapping mapping;

    private MqWriter(String queueManager, WildcardSyntax wildcards) {
        this.queueManager = queueManager;
        this.mapping = new MqMapping(wildcards, Toleration.ENFORCE);
    }

    static MqExport write(PolicySet policies, String queueManager) {
        if (!MqMapping.isName(queueManager)) {
            throw new IllegalArgumentException("queue manager: no name of one, found " + Quoted.text(queueManager));
        }
        return new MqWriter(queueManager, policies.wildcards()).write(policies);
    }

    private MqExport write(PolicySet policies) {
        StringBuilder text = new StringBuilder();
        List<PolicyProblem> refused = new ArrayList<>();
        if (policies.unmatched() == UnmatchedAddress.REJECT) {
            text.append("# Signet rejects messages of addresses without a policy, and MQ does not\n");
        }
        if (!policies.recovery().isEmpty()) {
            text.append("# the recovery recipients of Signet stand among the recipients of each policy\n");
        }
        for (Policy policy : policies.policies()) {
            try {
                text.append(command(policies.applied(policy))).append('\n');
            } catch (MqRefusal e) {
                refused.add(new PolicyProblem(policy.pattern(), e.reason()));
                text.append("# ")
                        .append(Quoted.text(policy.pattern()))
                        .append(": ")
                        .append(e.reason())
                        .append('\n');
            }
        }
        return new MqExport(text.toString(), refused);
    }

    private String command(Policy policy) throws MqRefusal {
        Optional<String> problem = problemWith(policy);
        if (problem.isPresent()) {
            throw new MqRefusal(problem.get());
        }
        Policy expressed = normalised(policy);
        String line = line(expressed);
        // the last word: the command must mean this policy, all settings included
        if (!mapping.map(SetmqsplCommand.parse(line)).policy().equals(expressed)) {
            throw new MqRefusal("it has settings that MQ does not know");
        }
        return line;
    }

    private Optional<String> problemWith(Policy policy) {
        Signing signing = policy.signing();
        KeyLimits limits = policy.encryption().limits();
        if (mapping.wildcards().isWild(policy.pattern())) {
            return Optional.of("a pattern with wildcards, and MQ knows names of queues only");
        }
        if (!MqMapping.isName(policy.pattern())) {
            return Optional.of(MqMapping.noName(policy.pattern()));
        }
        if (policy.acceptance().toleration().until() != null) {
            return Optional.of("tolerates messages in clear until "
                    + policy.acceptance().toleration().until() + ", and MQ knows no end");
        }
        if (policy.quality().signs() && signing.algorithm() != SignatureAlgorithm.SHA_512) {
            return Optional.of("signs by " + signing.algorithm().label() + ", which MQ does not know");
        }
        if (!signing.brokers().isEmpty()) {
            return Optional.of("names brokers that vouch for senders, which MQ does not know");
        }
        return policy.quality() == QualityOfProtection.CONFIDENTIALITY
                        && limits.messages() > MqMapping.MOST_REUSE
                        && limits.messages() != KeyLimits.MOST_MESSAGES
                ? Optional.of("uses a key for " + limits.messages() + " messages, and MQ for at most "
                        + MqMapping.MOST_REUSE + ", or any number")
                : Optional.empty();
    }

    private static Policy normalised(Policy policy) throws MqRefusal {
        Signing signing = policy.signing();
        Encryption encryption = policy.encryption();
        return policy.with(new Signing(
                        signing.algorithm(), names(signing.signers()), signing.certificate(), signing.brokers()))
                .with(new Encryption(encryption.algorithm(), names(encryption.recipients()), encryption.limits()));
    }

    private static List<String> names(List<String> names) throws MqRefusal {
        List<String> normalised = new ArrayList<>();
        for (String name : names) {
            if (name.chars().anyMatch(c -> c > LATIN_1)) {
                throw new MqRefusal("the name " + Quoted.text(name) + " has characters outside of Latin-1");
            }
            normalised.add(MqDistinguishedName.normalised(name));
        }
        return normalised;
    }

    private String line(Policy policy) {
        QualityOfProtection quality = policy.quality();
        StringBuilder line = new StringBuilder("setmqspl -m " + queueManager + " -p " + policy.pattern())
                .append(quality.signs() ? " -s SHA512" : " -s NONE")
                .append(quality.encrypts() ? " -e AES256" : " -e NONE");
        policy.encryption().recipients().forEach(name -> line.append(" -r ").append(quoted(name)));
        policy.signing().signers().forEach(name -> line.append(" -a ").append(quoted(name)));
        line.append(" -t 0");
        if (quality == QualityOfProtection.CONFIDENTIALITY) {
            line.append(" -c ").append(keyReuse(policy.encryption().limits().messages()));
        }
        return line.toString();
    }

    private static String keyReuse(long messages) {
        if (messages == KeyLimits.MOST_MESSAGES) {
            return "\"*\"";
        }
        return messages == 1 ? "0" : String.valueOf(messages);
    }

    private static String quoted(String name) {
        StringBuilder quoted = new StringBuilder("\"");
        name.chars()
                .forEach(
                        c -> quoted.append("\"\\$`".indexOf(c) >= 0 ? "\\" : "").append((char) c));
        return quoted.append('"').toString();
    }
}
