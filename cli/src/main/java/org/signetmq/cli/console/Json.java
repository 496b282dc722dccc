/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;

/** Results for programs. Schema 1 is described in {@code docs/cli.md}. */
public final class Json {
    private static final int SCHEMA = 1;
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final ObjectWriter WRITER = MAPPER.writerWithDefaultPrettyPrinter();

    private Json() {}

    /** An empty answer: its schema number alone. */
    public static ObjectNode answer() {
        return object().put("schema", SCHEMA);
    }

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    public static void print(ObjectNode answer, PrintStream out) {
        out.println(text(answer));
    }

    public static String text(ObjectNode node) {
        try {
            return WRITER.writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("json: a tree that cannot be written", e);
        }
    }

    /** Reads what one of our own modules wrote. */
    public static JsonNode parse(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("json: not what was expected", e);
        }
    }
}
