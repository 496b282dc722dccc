/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.internal.text.DocumentLimits;
import org.signetmq.policy.internal.text.PolicyKeys;

/** Parses JSON text strictly and within bounds, and formats it. */
public final class JsonText {
    /** The deepest nesting that is read. A policy document has four levels; a deeper document would cost stack. */
    private static final int DEEPEST = 16;

    static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .maxDocumentLength(DocumentLimits.LONGEST)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    // its table of names throws another exception if many names have one hash
                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                    .build())
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private JsonText() {}

    /** Writes a part of a document. */
    public interface Part {
        void write(JsonGenerator out) throws IOException;
    }

    public static ObjectNode of(Map<String, ?> fields) {
        return MAPPER.valueToTree(fields);
    }

    public static String format(ObjectNode object) {
        return format(out -> write(object, out));
    }

    /** Returns the text of a document whose parts are written one after the other. */
    public static String format(Part document) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = MAPPER.createGenerator(text).setPrettyPrinter(new DefaultPrettyPrinter())) {
            document.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing is written but memory
        }
        return text.append('\n').toString();
    }

    static void write(JsonNode value, JsonGenerator out) throws IOException {
        MAPPER.writeTree(out, value);
    }

    /** Returns an exception with a problem of the whole document. */
    public static InvalidPolicyException invalid(String message) {
        return InvalidPolicyException.of(PolicyKeys.ROOT, message);
    }
}
