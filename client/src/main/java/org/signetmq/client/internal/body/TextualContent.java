/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Content types of data that AMQP clients of Jakarta Messaging present as text. */
final class TextualContent {
    private static final Set<String> TEXTUAL = Set.of(
            "application/xml",
            "application/xml-dtd",
            "application/json",
            "application/javascript",
            "application/ecmascript");

    private TextualContent() {}

    /** The charset of a textual content type, UTF-8 if it names none; empty if it is not textual. */
    static Optional<Charset> charset(@Nullable String contentType) {
        if (contentType == null) {
            return Optional.empty();
        }
        String[] parts = contentType.toLowerCase(Locale.ROOT).split(";", -1);
        String type = parts[0].trim();
        boolean textual = type.startsWith("text/")
                || TEXTUAL.contains(type)
                || (type.startsWith("application/") && (type.endsWith("+xml") || type.endsWith("+json")));
        return textual ? charset(parts) : Optional.empty();
    }

    private static Optional<Charset> charset(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].trim();
            if (parameter.startsWith("charset=")) {
                return named(parameter.substring("charset=".length()).replace("\"", ""));
            }
        }
        return Optional.of(StandardCharsets.UTF_8);
    }

    private static Optional<Charset> named(String name) {
        try {
            return Optional.of(Charset.forName(name.trim()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
