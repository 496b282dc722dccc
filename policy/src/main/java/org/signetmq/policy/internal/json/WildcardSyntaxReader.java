/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.internal.text.PolicyKeys;
import org.signetmq.policy.internal.text.Quoted;

/** Reads the wildcards of a document's patterns. */
final class WildcardSyntaxReader {
    private static final String FORM =
            "write {\"delimiter\": \"/\", \"any-words\": \"#\", \"single-word\": \"+\"}, as broker.xml has them";

    private WildcardSyntaxReader() {}

    /** Returns the syntax of the document. Characters that the document does not set are those of Artemis. */
    static WildcardSyntax read(JsonObject document) {
        Optional<JsonNode> value = document.field(PolicyKeys.WILDCARDS);
        if (value.isEmpty()) {
            return WildcardSyntax.DEFAULT;
        }
        if (!(value.get() instanceof ObjectNode object)) {
            document.reject(PolicyKeys.WILDCARDS, "no object, found " + JsonObject.describe(value.get()) + "; " + FORM);
            return WildcardSyntax.DEFAULT;
        }
        JsonObject wildcards = new JsonObject(object, document.pathOf(PolicyKeys.WILDCARDS));
        wildcards.rejectUnknownKeys(PolicyKeys.OF_WILDCARDS);
        WildcardSyntax syntax = syntax(document, wildcards);
        document.rejectAll(PolicyKeys.WILDCARDS, wildcards.problems());
        return syntax;
    }

    private static WildcardSyntax syntax(JsonObject document, JsonObject json) {
        char delimiter = character(json, PolicyKeys.DELIMITER, WildcardSyntax.DEFAULT.delimiter());
        char anyWords = character(json, PolicyKeys.ANY_WORDS, WildcardSyntax.DEFAULT.anyWords());
        char singleWord = character(json, PolicyKeys.SINGLE_WORD, WildcardSyntax.DEFAULT.singleWord());
        Optional<String> problem = WildcardSyntax.problemWith(delimiter, anyWords, singleWord);
        if (problem.isPresent()) {
            document.reject(PolicyKeys.WILDCARDS, problem.get());
            return WildcardSyntax.DEFAULT;
        }
        return new WildcardSyntax(delimiter, anyWords, singleWord);
    }

    private static char character(JsonObject json, String key, char otherwise) {
        Optional<String> text = json.text(key);
        if (text.isPresent() && text.get().length() != 1) {
            json.reject(key, "not one character, found " + Quoted.text(text.get()) + "; " + FORM);
        }
        return text.filter(written -> written.length() == 1)
                .map(written -> written.charAt(0))
                .orElse(otherwise);
    }
}
