/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/**
 * One row of results, as it stands in JSON. A field of an object inside the row is named with a dot, such as
 * {@code cold.p50_us}.
 *
 * @param json the row; its owner does not change it
 */
public record Result(@JsonValue JsonNode json) {
    /** The row without fields. */
    public static final Result EMPTY = new Result(JsonNodeFactory.instance.objectNode());

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Returns the rows of an array; none if it is missing. */
    public static List<Result> list(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).map(Result::new).toList();
    }

    /** Returns the row with one more field behind the others; the same row if the value is NaN. */
    public Result with(String field, Object value) {
        if (value.equals(Double.NaN)) {
            return this;
        }
        int dot = field.lastIndexOf('.');
        ObjectNode row = json.deepCopy();
        ObjectNode parent = dot < 0 ? row : row.withObject(pointer(field.substring(0, dot)));
        parent.set(field.substring(dot + 1), JSON.valueToTree(value));
        return new Result(row);
    }

    /** Returns the row with all fields of another behind its own. */
    public Result and(Result other) {
        Result both = this;
        for (Map.Entry<String, JsonNode> field : other.json.properties()) {
            both = both.with(field.getKey(), field.getValue());
        }
        return both;
    }

    /** Tells whether the row has this field. */
    public boolean has(String field) {
        return !at(field).isMissingNode();
    }

    /** Returns a number; NaN if the row does not have it. */
    public double number(String field) {
        JsonNode value = at(field);
        return value.isNumber() ? value.asDouble() : Double.NaN;
    }

    /** Returns a field as text; empty if the row does not have it. */
    public String text(String field) {
        return at(field).asText();
    }

    /** Tells whether a field of the row has this text. */
    public boolean is(String field, Object text) {
        return text(field).equals(text.toString());
    }

    /** Returns a field as it stands in JSON; a missing node if the row does not have it. */
    public JsonNode field(String field) {
        return at(field);
    }

    JsonNode at(String field) {
        return json.at(pointer(field));
    }

    private static String pointer(String field) {
        return "/" + field.replace('.', '/');
    }
}
