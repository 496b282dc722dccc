/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.time.Instant;

/** Results for programs. {@code docs/cli.md} describes schema 1. */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
            .addModule(new SimpleModule().addSerializer(Instant.class, ToStringSerializer.instance))
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
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

    /** Parses JSON that Signet has written. */
    public static JsonNode parse(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("json: not what was expected", e);
        }
    }

    /** Returns a record whose JSON Signet has written. Keys that the record does not have are left out. */
    public static <T> T read(String text, Class<T> type) {
        return read(parse(text), type);
    }

    /**
     * Returns a value as a type, whose keys may be absent.
     *
     * @throws IllegalStateException if the value has another form
     */
    public static <T> T read(JsonNode json, Class<T> type) {
        try {
            return MAPPER.treeToValue(json, type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("json: not what was expected", e);
        }
    }
}
