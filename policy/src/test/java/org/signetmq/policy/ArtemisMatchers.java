/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Comparator;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.WildcardConfiguration;
import org.apache.activemq.artemis.core.postoffice.impl.AddressImpl;
import org.apache.activemq.artemis.core.postoffice.impl.AddressMap;
import org.apache.activemq.artemis.core.settings.impl.HierarchicalObjectRepository;

/** Artemis's own three matchers of patterns, which are the oracles of Signet's. */
public final class ArtemisMatchers {
    private final WildcardConfiguration syntax;

    public ArtemisMatchers(WildcardSyntax syntax) {
        this.syntax = Syntaxes.artemis(syntax);
    }

    /** The longest address that the broker itself can keep: it adds one by recursion over its words. */
    private static final int LONGEST_KEPT = 1000;

    /** Whether a consumer of the pattern gets the messages, as one that comes before or after the first of them. */
    public boolean routes(String pattern, String address) throws Exception {
        AddressMap<String> patterns = map();
        patterns.put(SimpleString.of(pattern), pattern);
        AtomicBoolean found = new AtomicBoolean();
        patterns.visitMatchingWildcards(SimpleString.of(address), value -> found.set(true));
        if (!found.get() && address.length() < LONGEST_KEPT) {
            AddressMap<String> addresses = map();
            addresses.put(SimpleString.of(address), address);
            addresses.visitMatching(SimpleString.of(pattern), value -> found.set(true));
        }
        return found.get();
    }

    private AddressMap<String> map() {
        return new AddressMap<>(syntax.getAnyWordsString(), syntax.getSingleWordString(), syntax.getDelimiter());
    }

    /** Whether address settings of the pattern apply. */
    public boolean sets(String pattern, String address) {
        var repository = new HierarchicalObjectRepository<String>(syntax);
        repository.addMatch(pattern, "match");
        return repository.getMatch(address) != null;
    }

    /** Whether a query of the pattern, as for retained messages, finds queues of the address. */
    public boolean queries(String pattern, String address) {
        return new AddressImpl(SimpleString.of(address), syntax)
                .matches(new AddressImpl(SimpleString.of(pattern), syntax));
    }

    /** The order of Artemis's address settings, the most specific first. */
    @SuppressWarnings("unchecked")
    public Comparator<String> order() throws ReflectiveOperationException {
        var constructor = Class.forName(HierarchicalObjectRepository.class.getName() + "$MatchComparator")
                .getDeclaredConstructor(WildcardConfiguration.class);
        constructor.setAccessible(true);
        return (Comparator<String>) constructor.newInstance(syntax);
    }
}
