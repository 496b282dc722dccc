/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalLong;

/** Values of a document as numbers, and as messages name them. */
final class JsonValues {
    private JsonValues() {}

    static OptionalLong wholeNumber(JsonNode value, long least, long most) {
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            return OptionalLong.empty();
        }
        long number = value.longValue();
        return number < least || number > most ? OptionalLong.empty() : OptionalLong.of(number);
    }

    static String describe(JsonNode value) {
        if (value.isObject()) {
            return "an object";
        } else if (value.isArray()) {
            return "a list";
        } else if (value.isTextual()) {
            return Quoted.text(value.textValue());
        }
        String written = value.asText();
        return written.length() > 24 ? "a number of " + written.length() + " characters" : written;
    }
}
