/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trustfile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.internal.names.NearestName;

/** Reads the keys of one JSON object. The first problem throws. */
final class TrustJson {
    private static final int MOST_SHOWN = 40;

    private final ObjectNode node;
    private final String path;

    private TrustJson(ObjectNode node, String path) {
        this.node = node;
        this.path = path;
    }

    /** Reads an object that has no other keys than these. The path of the whole document is empty. */
    static TrustJson of(JsonNode node, String path, Collection<String> known) {
        if (!(node instanceof ObjectNode object)) {
            throw problem(path.isEmpty() ? "document" : path, "not an object, found " + shown(node));
        }
        TrustJson json = new TrustJson(object, path);
        object.fieldNames().forEachRemaining(key -> {
            if (!known.contains(key)) {
                throw problem(
                        json.pathOf(PrintableText.of(key, MOST_SHOWN)),
                        "unknown key" + (key.length() <= MOST_SHOWN ? NearestName.hint(key, known) : ""));
            }
        });
        return json;
    }

    private String pathOf(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    @Nullable
    JsonNode field(String key) {
        return node.get(key);
    }

    KeystoreUnusableException problemWith(String key, String problem) {
        return problem(pathOf(key), problem);
    }

    private static KeystoreUnusableException problem(String place, String problem) {
        return new KeystoreUnusableException("trust.json: " + place + ": " + problem);
    }

    /** Returns a whole number; the default if the key is absent. */
    int number(String key, int least, int most, int absent) {
        JsonNode value = node.get(key);
        if (value == null) {
            return absent;
        }
        if (!value.isIntegralNumber()
                || !value.canConvertToInt()
                || value.intValue() < least
                || value.intValue() > most) {
            throw problemWith(key, "not a whole number from " + least + " to " + most + ", found " + shown(value));
        }
        return value.intValue();
    }

    /** Returns one of the words; null if the key is absent. */
    @Nullable
    String word(String key, List<String> known) {
        JsonNode value = node.get(key);
        return value == null ? null : word(key, value, known);
    }

    private String word(String key, JsonNode value, Collection<String> known) {
        if (!value.isTextual() || !known.contains(value.textValue())) {
            boolean comparable = value.isTextual() && value.textValue().length() <= MOST_SHOWN;
            throw problemWith(
                    key,
                    "not one of " + String.join(", ", known) + ", found " + shown(value)
                            + (comparable
                                    ? NearestName.hint(PrintableText.of(value.textValue(), MOST_SHOWN), known)
                                    : ""));
        }
        return value.textValue();
    }

    /** Returns a list of different words that is not empty; the default if the key is absent. */
    Set<String> words(String key, Set<String> known, Set<String> absent) {
        JsonNode list = node.get(key);
        if (list == null) {
            return absent;
        }
        Set<String> words = new TreeSet<>();
        for (JsonNode value : list(key, list, known.size())) {
            if (!words.add(word(key, value, known))) {
                throw problemWith(key, "named twice, found " + shown(value));
            }
        }
        if (words.isEmpty()) {
            throw problemWith(key, "an empty list accepts nothing; name at least one, or remove the key");
        }
        return words;
    }

    /** Returns a list of different texts, of at most this number. */
    Set<String> texts(String key, int most) {
        JsonNode list = node.get(key);
        if (list == null) {
            return Set.of();
        }
        Set<String> texts = new LinkedHashSet<>();
        for (JsonNode value : list(key, list, most)) {
            if (!value.isTextual() || !texts.add(value.textValue())) {
                throw problemWith(key, "no text, or named twice, found " + shown(value));
            }
        }
        return texts;
    }

    private JsonNode list(String key, JsonNode list, int most) {
        if (!list.isArray() || list.size() > most) {
            throw problemWith(key, "not a list of at most " + most + ", found " + shown(list));
        }
        return list;
    }

    /** Returns the start of a value. */
    static String shown(JsonNode value) {
        if (value.isObject()) {
            return "an object";
        }
        return value.isArray() ? "a list" : "'" + PrintableText.of(value.asText(), MOST_SHOWN) + "'";
    }
}
