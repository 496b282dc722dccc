/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;

/** Results for programs. {@code docs/cli.md} describes schema 1. */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
            .build();

    private Json() {}

    /** Returns a record or a tree as an answer, which begins with the number of its schema. */
    public static ObjectNode answer(Object result) {
        return object().put("schema", 1).setAll((ObjectNode) MAPPER.valueToTree(result));
    }

    /** Returns an empty tree. */
    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** Returns a record, map or list as JSON on one line. */
    public static String text(Object value) {
        return MAPPER.valueToTree(value).toString();
    }

    /** Parses JSON that Signet has written. */
    public static JsonNode parse(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("json: not what was expected", e);
        }
    }

    /** Parses JSON of Signet into a record. */
    public static <T> T parse(String text, Class<T> type) {
        try {
            return MAPPER.readValue(text, type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("json: not what was expected", e);
        }
    }

    /** Returns the fields of an object that Signet has written, with one of them replaced. */
    public static Map<String, Object> fields(String object, String key, Object value) {
        Map<String, Object> fields =
                MAPPER.convertValue(parse(object), new TypeReference<LinkedHashMap<String, Object>>() {});
        fields.put(key, value);
        return fields;
    }
}
