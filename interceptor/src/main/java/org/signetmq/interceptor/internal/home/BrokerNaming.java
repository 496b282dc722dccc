/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.WildcardConfiguration;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.BrokerAddresses;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.WildcardSyntax;

/**
 * The rules for names of addresses in the configuration of a broker.
 *
 * @param configured the wildcards
 * @param addresses the addresses for messages of the broker itself
 * @param prefixes the prefixes that its acceptors remove from names of clients
 */
public record BrokerNaming(WildcardConfiguration configured, BrokerAddresses addresses, Set<String> prefixes) {
    public BrokerNaming {
        prefixes = Set.copyOf(prefixes);
    }

    /** Returns the rules of this configuration. */
    public static BrokerNaming of(Configuration configuration) {
        return new BrokerNaming(
                configuration.getWildcardConfiguration(),
                new BrokerAddresses(
                        text(configuration.getManagementAddress()),
                        text(configuration.getManagementNotificationAddress()),
                        configuration.getInternalNamingPrefix()),
                configuration.getAcceptorConfigurations().stream()
                        .flatMap(BrokerNaming::prefixesOf)
                        .collect(Collectors.toSet()));
    }

    private static Stream<String> prefixesOf(TransportConfiguration acceptor) {
        return Stream.of("anycastPrefix", "multicastPrefix")
                .flatMap(name -> Stream.of(
                        acceptor.getExtraParams().get(name),
                        acceptor.getParams().get(name)))
                .filter(Objects::nonNull)
                .flatMap(value -> Stream.of(value.toString().split(",")))
                .map(String::strip)
                .filter(prefix -> !prefix.isEmpty());
    }

    /**
     * Finds policies with a prefix of an acceptor in their pattern. They match no message, because the broker removes
     * the prefix.
     */
    private List<PolicyProblem> prefixed(PolicySet policies) {
        List<PolicyProblem> problems = new ArrayList<>();
        for (int i = 0; i < policies.policies().size(); i++) {
            String pattern = policies.policies().get(i).pattern();
            for (String prefix : prefixes) {
                if (pattern.startsWith(prefix)) {
                    problems.add(new PolicyProblem(
                            "policies[" + i + "].pattern",
                            "'" + pattern + "' begins with the prefix '" + prefix
                                    + "', which an acceptor of broker.xml removes; write '"
                                    + pattern.substring(prefix.length()) + "'"));
                }
            }
        }
        return problems;
    }

    /**
     * Returns the wildcards of the broker.
     *
     * @throws IllegalArgumentException if two of them are the same
     */
    WildcardSyntax wildcards() {
        char delimiter = configured.getDelimiter();
        char anyWords = configured.getAnyWords();
        char singleWord = configured.getSingleWord();
        WildcardSyntax.problemWith(delimiter, anyWords, singleWord).ifPresent(problem -> {
            throw new IllegalArgumentException("broker.xml: wildcard-addresses: " + problem);
        });
        return new WildcardSyntax(delimiter, anyWords, singleWord);
    }

    private static String text(@Nullable SimpleString address) {
        return address == null ? "" : address.toString();
    }

    /**
     * Returns these policies after a check that they fit the broker.
     *
     * @throws InvalidPolicyException if patterns use other wildcards than the broker, or match only addresses for
     *     messages of the broker itself
     * @throws IllegalArgumentException if two wildcards of the broker are the same
     */
    PolicySet required(PolicySet policies) {
        WildcardSyntax wildcards = wildcards();
        List<PolicyProblem> problems = new ArrayList<>(addresses.problems(policies));
        problems.addAll(prefixed(policies));
        if (!policies.wildcards().equals(wildcards)) {
            problems.add(new PolicyProblem(
                    "wildcards",
                    policies.wildcards().describe() + ", but broker.xml has "
                            + wildcards.describe() + "; run signet policy wildcards --delimiter '"
                            + wildcards.delimiter() + "' --any-words '" + wildcards.anyWords() + "' --single-word '"
                            + wildcards.singleWord() + "'"));
        }
        if (!problems.isEmpty()) {
            throw new InvalidPolicyException(problems);
        }
        return policies;
    }

    /** Returns the original address of a retroactive resource of the broker; any other address unchanged. */
    public SimpleString originOfRetroactive(SimpleString address) {
        String prefix = addresses.internalPrefix();
        String name = address.toString();
        if (!name.startsWith(prefix) || !name.endsWith("retro")) {
            return address;
        }
        String delimiter = configured.getDelimiterString();
        String suffix = delimiter + "address" + delimiter + "retro";
        int end = name.length() - suffix.length();
        return name.endsWith(suffix) && end > prefix.length()
                ? SimpleString.of(name.substring(prefix.length(), end))
                : address;
    }
}
