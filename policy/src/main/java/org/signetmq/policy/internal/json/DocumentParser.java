/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.internal.text.DocumentLimits;
import org.signetmq.policy.internal.text.PolicyKeys;
import org.signetmq.policy.internal.text.Quoted;

/**
 * Parses the text of a document with the tree of one policy at a time in memory. It checks the whole text, and can do
 * so several times.
 */
public final class DocumentParser {
    /** The most JSON tokens of one policy, and of all other keys. A policy with full lists stays far below. */
    private static final int MOST_TOKENS = 1 << 16;

    /** Gives a new reader from the beginning. Bytes that are not UTF-8 make it throw. */
    private final Supplier<Reader> text;

    private DocumentParser(Supplier<Reader> text) {
        this.text = text;
    }

    /**
     * Returns the parser of a text.
     *
     * @throws InvalidPolicyException if the text is too long
     */
    public static DocumentParser of(String text) {
        rejectIfLonger(text.length(), "characters");
        return new DocumentParser(() -> new StringReader(text));
    }

    /**
     * Returns the parser of these bytes, which must not change meanwhile.
     *
     * @throws InvalidPolicyException if the text is too long
     */
    public static DocumentParser of(byte[] utf8) {
        rejectIfLonger(utf8.length, "bytes");
        return new DocumentParser(
                () -> new InputStreamReader(new ByteArrayInputStream(utf8), StandardCharsets.UTF_8.newDecoder()));
    }

    private static void rejectIfLonger(int length, String unit) {
        if (length > DocumentLimits.LONGEST) {
            throw JsonText.invalid("longer than " + DocumentLimits.LONGEST + " " + unit + "; name fewer policies");
        }
    }

    /** Takes the policies of a document one after the other. */
    interface Policies {
        /**
         * Takes a policy.
         *
         * @param keys the keys of the document before its policies
         * @return whether more policies are wanted
         */
        boolean take(int index, JsonNode policy, ObjectNode keys);
    }

    /** A parser that stops when one part of the document has too many tokens. */
    private static final class Bounded extends JsonParserDelegate {
        private String part = PolicyKeys.ROOT;
        private int left = MOST_TOKENS;

        Bounded(JsonParser parser) {
            super(parser);
        }

        /** Begins a part of the document. Returns the tokens that the part before may still have. */
        int begin(String next, int tokens) {
            int before = left;
            part = next;
            left = tokens;
            return before;
        }

        @Override
        public JsonToken nextToken() throws IOException {
            if (--left < 0) {
                throw InvalidPolicyException.of(part, "more than " + MOST_TOKENS + " values; write fewer");
            }
            return super.nextToken();
        }
    }

    /**
     * Parses the text and returns its keys. A list of policies in it is empty.
     *
     * @throws InvalidPolicyException if the text is not one JSON object, or too large
     */
    ObjectNode read(Policies policies) {
        try (Bounded parser = new Bounded(JsonText.MAPPER.createParser(text.get()))) {
            return read(parser, policies);
        } catch (JsonProcessingException e) {
            throw JsonText.invalid("no JSON" + place(e.getLocation()) + ": " + firstLine(e.getOriginalMessage()));
        } catch (CharacterCodingException e) {
            throw JsonText.invalid("bytes that are not UTF-8; save the file as UTF-8");
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing is read but memory
        }
    }

    private static ObjectNode read(Bounded parser, Policies policies) throws IOException {
        JsonToken first = parser.nextToken();
        if (first == null) {
            throw JsonText.invalid("empty; write {\"schema\": 1, \"version\": 1, \"policies\": []}");
        }
        JsonNode document = first == JsonToken.START_OBJECT ? keys(parser, policies) : tree(parser);
        if (parser.nextToken() != null) {
            throw JsonText.invalid("no JSON" + place(parser.currentTokenLocation()) + ": text after the document");
        }
        if (document instanceof ObjectNode object) {
            return object;
        }
        throw JsonText.invalid("no object, found " + JsonObject.describe(document) + "; write {\"schema\": 1, ...}");
    }

    private static ObjectNode keys(Bounded parser, Policies policies) throws IOException {
        ObjectNode keys = JsonNodeFactory.instance.objectNode();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            if (parser.nextToken() == JsonToken.START_ARRAY && key.equals(PolicyKeys.POLICIES)) {
                policies(parser, policies, keys);
                keys.putArray(key);
            } else {
                keys.set(key, tree(parser));
            }
        }
        return keys;
    }

    private static void policies(Bounded parser, Policies policies, ObjectNode keys) throws IOException {
        int left = parser.begin(PolicyKeys.POLICIES, MOST_TOKENS);
        boolean wanted = true;
        for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
            DocumentLimits.problemWithCount(i + 1).ifPresent(problem -> {
                throw InvalidPolicyException.of(PolicyKeys.POLICIES, problem);
            });
            parser.begin(PolicyKeys.POLICIES + "[" + i + "]", MOST_TOKENS);
            JsonNode policy = tree(parser);
            wanted = wanted && policies.take(i, policy, keys);
        }
        parser.begin(PolicyKeys.ROOT, left);
    }

    private static JsonNode tree(JsonParser parser) throws IOException {
        return JsonText.MAPPER.readTree(parser);
    }

    private static String place(JsonLocation location) {
        return location == null ? "" : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
    }

    /** Returns the first line of the parser's message, without its further lines. */
    private static String firstLine(String message) {
        String shown = Quoted.text(message.lines().findFirst().orElse(""));
        return shown.substring(1, shown.length() - 1);
    }
}
