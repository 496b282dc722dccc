/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.postoffice.Bindings;
import org.apache.activemq.artemis.core.postoffice.PostOffice;
import org.apache.activemq.artemis.core.settings.HierarchicalRepository;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.home.BrokerNaming;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;

/**
 * Checks where messages of protected addresses go that no consumer opens. The broker notes only the last move of a
 * message. After a second move no consumer knows the address inside the envelope.
 */
final class DeadLetterCheck implements Check {
    /** The greatest numbers of addresses and of patterns. The broker remembers the settings of each name. */
    static final int MOST_ADDRESSES = 10_000;

    static final int MOST_PATTERNS = 1000;

    private final Broker broker;
    private final BrokerNaming naming;
    private final PolicySet policies;
    private final Map<SimpleString, Target> targets = new LinkedHashMap<>();
    private int withoutTarget;
    private @Nullable String firstWithoutTarget;

    /**
     * The parts of the broker that the check reads.
     *
     * @param settings the address settings in force
     */
    record Broker(HierarchicalRepository<AddressSettings> settings, PostOffice postOffice) {}

    /**
     * An address that the broker moves messages to.
     *
     * @param kind the kind of messages
     * @param from a protected address
     * @param creates whether the broker creates its queues
     */
    private record Target(String kind, String from, boolean creates) {}

    DeadLetterCheck(Broker broker, BrokerNaming naming, PolicySet policies) {
        this.broker = broker;
        this.naming = naming;
        this.policies = policies;
    }

    @Override
    public void look(Findings found) throws Exception {
        Stream<String> addresses = broker.postOffice().getAddresses().stream()
                .map(SimpleString::toString)
                .limit(MOST_ADDRESSES);
        Stream<String> patterns =
                policies.policies().stream().map(policy -> policy.pattern()).limit(MOST_PATTERNS);
        Stream.concat(addresses, patterns).filter(this::isProtected).distinct().forEach(this::note);
        if (firstWithoutTarget != null) {
            found.warn(
                    withoutTarget + " protected addresses or patterns have no dead-letter-address, such as "
                            + Shown.name(firstWithoutTarget)
                            + ": the broker deletes a message that no consumer can open, after its delivery attempts",
                    "set a <dead-letter-address> in their <address-setting>");
        }
        for (Map.Entry<SimpleString, Target> target : targets.entrySet()) {
            judge(target.getKey(), target.getValue(), found);
        }
    }

    private boolean isProtected(String name) {
        return naming.addresses().useOf(name).isEmpty()
                && policies.find(name)
                        .map(EffectivePolicy::policy)
                        .filter(policy -> policy.quality() != QualityOfProtection.NONE)
                        .isPresent();
    }

    private void note(String address) {
        AddressSettings settings = broker.settings().getMatch(address);
        if (settings.getMaxDeliveryAttempts() > 0) {
            if (isNone(settings.getDeadLetterAddress())) {
                withoutTarget++;
                firstWithoutTarget = firstWithoutTarget == null ? address : firstWithoutTarget;
            } else {
                targets.putIfAbsent(
                        settings.getDeadLetterAddress(),
                        new Target("dead letters", address, settings.isAutoCreateDeadLetterResources()));
            }
        }
        if (!isNone(settings.getExpiryAddress())) {
            targets.putIfAbsent(
                    settings.getExpiryAddress(),
                    new Target("expired messages", address, settings.isAutoCreateExpiryResources()));
        }
    }

    private static boolean isNone(@Nullable SimpleString address) {
        return address == null || address.isEmpty();
    }

    private void judge(SimpleString address, Target target, Findings found) throws Exception {
        AddressSettings settings = broker.settings().getMatch(address.toString());
        String what = Shown.name(address) + ", for " + target.kind() + " of " + Shown.name(target.from()) + ", ";
        String remedy = "add an <address-setting> with match " + Shown.name(address) + " and ";
        if (settings.getMaxDeliveryAttempts() > 0) {
            found.wrong(
                    what
                            + (isNone(settings.getDeadLetterAddress())
                                    ? "has no setting of its own: the broker deletes a message there after "
                                    : "has no setting of its own: the broker moves a message a second time, to "
                                            + Shown.name(settings.getDeadLetterAddress()) + ", after ")
                            + settings.getMaxDeliveryAttempts() + " delivery attempts, and it then opens nowhere",
                    remedy + "<max-delivery-attempts>-1</max-delivery-attempts>");
        }
        if (settings.getExpiryDelay() >= 0 && !isNone(settings.getExpiryAddress())) {
            found.wrong(
                    what + "has an expiry-delay: the broker moves a message a second time, to "
                            + Shown.name(settings.getExpiryAddress()) + ", and it then opens nowhere",
                    remedy + "<expiry-delay>-1</expiry-delay>");
        }
        @Nullable Bindings bindings = broker.postOffice().lookupBindingsForAddress(address);
        if (!target.creates() && (bindings == null || bindings.getBindings().isEmpty())) {
            found.warn(
                    what + "has no queue: the broker deletes the messages",
                    "create a queue of the address " + Shown.name(address) + " in broker.xml");
        }
    }
}
