/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.signetmq.policy.internal.text.DocumentLimits;
import org.signetmq.policy.text.Quoted;

/**
 * The addresses that a broker reserves for its own messages. No policy applies to these messages. Some addresses have
 * fixed names; broker.xml names the others.
 *
 * @param management the address of requests to the broker's management
 * @param notifications the address of the broker's notifications
 * @param internalPrefix the prefix of the names that the broker generates; empty for none
 */
public record BrokerAddresses(String management, String notifications, String internalPrefix) {
    /** The addresses of a broker with the defaults of broker.xml. */
    public static final BrokerAddresses DEFAULT =
            new BrokerAddresses("activemq.management", "activemq.notifications", "$.artemis.internal.");

    /** The prefix of the address of a retained MQTT message. The address of its topic follows. */
    public static final String RETAINED = "$sys.mqtt.retain.";

    /** The address at which clients receive the policies in force. Signet alone sends there. */
    public static final String POLICIES = "SIGNET.POLICIES";

    private static final String MQTT = "$sys.mqtt.";
    private static final String MIRROR = "$ACTIVEMQ_ARTEMIS_MIRROR";
    private static final String FEDERATION = "$ACTIVEMQ_ARTEMIS_FEDERATION";
    private static final String ADVISORY = "ActiveMQ.Advisory.";

    /** The purposes for which a broker reserves an address. */
    public enum Use {
        /** Requests to the broker's management. */
        MANAGEMENT("requests to its management"),
        /** The broker's notifications. */
        NOTIFICATIONS("its notifications"),
        /** Advisories for OpenWire clients. */
        ADVISORIES("advisories of OpenWire"),
        /** Sessions and retained messages of MQTT. */
        MQTT("sessions and retained messages of MQTT"),
        /** Commands to the broker's mirrors. */
        MIRROR("commands to its mirrors"),
        /** Commands and events between federated brokers. */
        FEDERATION("commands and events of federation"),
        /** The policies for clients. */
        POLICIES("the policies that clients receive"),
        /** Names that the broker generates. */
        INTERNAL("its internal queues");

        private final String label;

        Use(String label) {
            this.label = label;
        }

        /** Returns a description of these messages, as part of a sentence. */
        public String label() {
            return label;
        }
    }

    /** Returns the purpose of a reserved address; empty if clients may use it. */
    public Optional<Use> useOf(String address) {
        if (address.equals(management)) {
            return Optional.of(Use.MANAGEMENT);
        } else if (address.equals(notifications)) {
            return Optional.of(Use.NOTIFICATIONS);
        } else if (address.equals(POLICIES)) {
            return Optional.of(Use.POLICIES);
        }
        return useOfBeginning(address);
    }

    private Optional<Use> useOfBeginning(String beginning) {
        if (beginning.startsWith(ADVISORY)) {
            return Optional.of(Use.ADVISORIES);
        } else if (beginning.startsWith(MQTT)) {
            return Optional.of(Use.MQTT);
        } else if (beginning.startsWith(MIRROR)) {
            return Optional.of(Use.MIRROR);
        } else if (beginning.startsWith(FEDERATION)) {
            return Optional.of(Use.FEDERATION);
        }
        return !internalPrefix.isEmpty() && beginning.startsWith(internalPrefix)
                ? Optional.of(Use.INTERNAL)
                : Optional.empty();
    }

    /** Returns the reason why a policy cannot have this pattern, which matches reserved addresses only. */
    Optional<String> problemWith(String pattern, WildcardSyntax syntax) {
        Optional<Use> use =
                syntax.isWild(pattern) ? useOfBeginning(syntax.pattern(pattern).beginning()) : useOf(pattern);
        return use.map(kept -> problem(pattern, kept));
    }

    private static String problem(String pattern, Use use) {
        return pattern.startsWith(RETAINED)
                ? "the broker's copy of a retained message, found " + Quoted.text(pattern)
                        + "; the policy of its topic covers it: write the part after " + Quoted.text(RETAINED)
                : "kept by the broker for " + use.label() + ", found " + Quoted.text(pattern)
                        + "; no policy applies to these: name addresses of your own";
    }

    /** Returns the reasons why this broker cannot apply the policies; an empty list if it can. */
    public List<PolicyProblem> problems(PolicySet policies) {
        List<Policy> all = policies.policies();
        return PolicyProblem.first(IntStream.range(0, all.size())
                .boxed()
                .flatMap(i -> problemWith(all.get(i).pattern(), policies.wildcards())
                        .map(message -> new PolicyProblem("policies[" + i + "].pattern", message))
                        .stream())
                .limit(DocumentLimits.MOST_PROBLEMS + 1L)
                .toList());
    }
}
