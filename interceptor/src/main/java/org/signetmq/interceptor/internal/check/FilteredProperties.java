/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.WildcardConfiguration;
import org.apache.activemq.artemis.core.filter.Filter;
import org.apache.activemq.artemis.core.postoffice.Address;
import org.apache.activemq.artemis.core.postoffice.Binding;
import org.apache.activemq.artemis.core.postoffice.impl.AddressImpl;
import org.apache.activemq.artemis.core.postoffice.impl.DivertBinding;
import org.apache.activemq.artemis.core.postoffice.impl.LocalQueueBinding;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Consumer;
import org.apache.activemq.artemis.core.server.Queue;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;

/**
 * Finds filters of queues, subscriptions, connected consumers and diverts that read a property which a policy hides.
 * They would match no message of its addresses.
 */
public record FilteredProperties(ActiveMQServer server) {
    private static final Pattern TEXTS = Pattern.compile("'[^']*'");
    private static final Pattern NAMES = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$]*");

    /** Returns the problems of policies that another set does not contain, or that had no such problem in it. */
    public List<PolicyProblem> problems(PolicySet before, PolicySet now) {
        Map<String, String> uses = uses(now);
        List<PolicyProblem> problems = new ArrayList<>();
        Map<String, String> known = uses.isEmpty() ? Map.of() : uses(before);
        for (int i = 0; !uses.isEmpty() && i < now.policies().size(); i++) {
            Policy policy = now.policies().get(i);
            String use = uses.get(policy.pattern());
            if (use != null && (!before.contains(policy) || !use.equals(known.get(policy.pattern())))) {
                problems.add(new PolicyProblem(
                        "policies[" + i + "].hide",
                        use + ", and no filter sees a hidden property; hide another one, or change the filter"));
            }
        }
        return problems;
    }

    /** Adds the filters that read a hidden property now: they came after the policy, or the policies are in a file. */
    void addTo(PolicySet policies, Findings found) {
        uses(policies)
                .forEach((pattern, use) -> found.warn(
                        "policy " + Findings.name(pattern) + " hides a property that a filter reads: " + use,
                        "take it out of hide, or change the filter"));
    }

    /** Returns the first use of a hidden property, by the pattern of the policy. */
    private Map<String, String> uses(PolicySet policies) {
        Map<String, String> uses = new LinkedHashMap<>();
        Set<String> all = policies.policies().stream()
                .flatMap(policy -> policy.enforcement().hide().stream())
                .collect(Collectors.toSet());
        if (!all.isEmpty()) {
            server.getPostOffice().getAllBindings().forEach(binding -> {
                if (use(binding, all).isPresent()) {
                    addresses(policies, binding.getAddress())
                            .forEach(address -> policies.find(address)
                                    .map(EffectivePolicy::policy)
                                    .ifPresent(policy -> use(
                                                    binding,
                                                    Set.copyOf(
                                                            policy.enforcement().hide()))
                                            .ifPresent(use -> uses.putIfAbsent(policy.pattern(), use))));
                }
            });
        }
        return uses;
    }

    /** Returns the addresses whose messages come to a binding of this address, as far as they are known. */
    private Stream<String> addresses(PolicySet policies, SimpleString bound) {
        WildcardConfiguration wildcards = server.getConfiguration().getWildcardConfiguration();
        if (!wildcards.isWild(bound)) {
            return Stream.of(bound.toString());
        }
        Address pattern = new AddressImpl(bound, wildcards);
        return Stream.concat(
                Stream.of(bound.toString()),
                Stream.concat(
                                server.getPostOffice().getAddresses().stream(),
                                policies.policies().stream().map(policy -> SimpleString.of(policy.pattern())))
                        .filter(name -> !wildcards.isWild(name) && new AddressImpl(name, wildcards).matches(pattern))
                        .map(SimpleString::toString));
    }

    private static Optional<String> use(Binding binding, Set<String> hidden) {
        String name = Findings.name(binding.getUniqueName()) + " of address " + Findings.name(binding.getAddress());
        if (binding instanceof DivertBinding) {
            return read(binding.getFilter(), hidden).map(property -> "divert " + name + selects(property));
        }
        if (!(binding instanceof LocalQueueBinding local)) {
            return Optional.empty();
        }
        Queue queue = local.getQueue();
        SimpleString key = queue.getQueueConfiguration().getLastValueKey();
        if (key != null && hidden.contains(key.toString())) {
            return Optional.of("queue " + name + " keeps the last value by the property " + Findings.name(key));
        }
        return read(queue.getFilter(), hidden)
                .map(property -> "queue " + name + selects(property))
                .or(() -> queue.getConsumers().stream()
                        .map(Consumer::getFilter)
                        .flatMap(filter -> read(filter, hidden).stream())
                        .findFirst()
                        .map(property -> "a consumer of queue " + name + selects(property)));
    }

    private static String selects(String property) {
        return " selects by the property " + Findings.name(property);
    }

    /** Returns a hidden property that a filter reads. */
    private static Optional<String> read(@Nullable Filter filter, Set<String> hidden) {
        if (filter == null || filter.getFilterString() == null) {
            return Optional.empty();
        }
        String outsideOfTexts = TEXTS.matcher(filter.getFilterString()).replaceAll(" ");
        Set<String> names = NAMES.matcher(outsideOfTexts)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(HashSet::new));
        names.retainAll(hidden);
        return names.stream().sorted().findFirst();
    }
}
