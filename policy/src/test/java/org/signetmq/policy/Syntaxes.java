/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.stream.Stream;
import org.apache.activemq.artemis.core.config.WildcardConfiguration;
import org.signetmq.policy.internal.match.AddressPattern;
import org.signetmq.policy.internal.match.AddressPattern.Wildcards;
import org.signetmq.testkit.Tier;

/** Wildcards as brokers may have them. */
public final class Syntaxes {
    /** Those of MQTT. */
    public static final WildcardSyntax MQTT = new WildcardSyntax('/', '#', '+');

    private Syntaxes() {}

    /**
     * Those for which Artemis's own settings work; it takes some other characters for regular expressions. The short
     * tier has three of them.
     */
    public static Stream<WildcardSyntax> all() {
        return Tier.cases(
                3,
                WildcardSyntax.DEFAULT,
                MQTT,
                new WildcardSyntax('/', '>', '*'),
                new WildcardSyntax('.', '>', '+'),
                new WildcardSyntax('_', '~', '%'),
                new WildcardSyntax('-', '*', '#'));
    }

    /** Returns the pattern of a text, as a set of policies makes it. */
    public static AddressPattern pattern(String text, WildcardSyntax syntax) {
        return syntax.pattern(text);
    }

    public static Wildcards characters(WildcardSyntax syntax) {
        return syntax.characters();
    }

    public static WildcardConfiguration artemis(WildcardSyntax syntax) {
        return new WildcardConfiguration()
                .setDelimiter(syntax.delimiter())
                .setAnyWords(syntax.anyWords())
                .setSingleWord(syntax.singleWord());
    }
}
