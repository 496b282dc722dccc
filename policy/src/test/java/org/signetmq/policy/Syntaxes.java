/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.stream.Stream;
import org.apache.activemq.artemis.core.config.WildcardConfiguration;

/** Wildcards as brokers may have them. */
final class Syntaxes {
    /** Those of MQTT. */
    static final WildcardSyntax MQTT = new WildcardSyntax('/', '#', '+');

    private Syntaxes() {}

    /** Those for which Artemis's own settings work; it takes some other characters for regular expressions. */
    static Stream<WildcardSyntax> all() {
        return Stream.of(
                WildcardSyntax.DEFAULT,
                MQTT,
                new WildcardSyntax('/', '>', '*'),
                new WildcardSyntax('.', '>', '+'),
                new WildcardSyntax('_', '~', '%'),
                new WildcardSyntax('-', '*', '#'));
    }

    static WildcardConfiguration artemis(WildcardSyntax syntax) {
        return new WildcardConfiguration()
                .setDelimiter(syntax.delimiter())
                .setAnyWords(syntax.anyWords())
                .setSingleWord(syntax.singleWord());
    }
}
