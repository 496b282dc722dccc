/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;

/**
 * Parses a document with one policy at a time in memory. The first pass checks the whole text and reads all keys but
 * the policies, because the policies depend on keys that may follow them. The second pass reads the policies.
 */
final class DocumentParser {
    /** The most JSON tokens of one policy, and of all other keys. A policy with full lists stays far below. */
    private static final int MOST_TOKENS = 1 << 16;

    private final DocumentText text;

    DocumentParser(DocumentText text) {
        this.text = text;
    }

    /** Takes the policies of a document one after the other. */
    interface Policies {
        /** Returns whether more policies are wanted. */
        boolean take(int index, JsonNode policy);
    }

    private interface Pass<R> {
        R run(Bounded parser) throws IOException;
    }

    /** A parser that stops when one part of the document has too many tokens. */
    private static final class Bounded extends JsonParserDelegate {
        private String part = JsonText.ROOT;
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
                throw JsonText.invalid(part, "more than " + MOST_TOKENS + " values; write fewer");
            }
            return super.nextToken();
        }
    }

    /**
     * Checks the whole text and returns its keys. A list of policies is empty.
     *
     * @throws InvalidPolicyException if the text is not one JSON object, or too large
     */
    ObjectNode keys() {
        return run(parser -> {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw JsonText.invalid("empty; write {\"schema\": 1, \"version\": 1, \"policies\": []}");
            }
            JsonNode document = first == JsonToken.START_OBJECT ? keys(parser) : JsonText.MAPPER.readTree(parser);
            if (parser.nextToken() != null) {
                throw JsonText.invalid("no JSON" + place(parser.currentTokenLocation()) + ": text after the document");
            }
            if (document instanceof ObjectNode object) {
                return object;
            }
            throw JsonText.invalid(
                    "no object, found " + JsonObject.describe(document) + "; write {\"schema\": 1, ...}");
        });
    }

    private static ObjectNode keys(Bounded parser) throws IOException {
        ObjectNode keys = JsonNodeFactory.instance.objectNode();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            if (parser.nextToken() == JsonToken.START_ARRAY && key.equals(PolicyKeys.POLICIES)) {
                checkPolicies(parser);
                keys.putArray(key);
            } else {
                keys.set(key, JsonText.MAPPER.readTree(parser));
            }
        }
        return keys;
    }

    private static void checkPolicies(Bounded parser) throws IOException {
        int left = parser.begin(PolicyKeys.POLICIES, MOST_TOKENS);
        for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
            DocumentLimits.problemWithCount(i + 1).ifPresent(problem -> {
                throw JsonText.invalid(PolicyKeys.POLICIES, problem);
            });
            parser.begin(PolicyKeys.POLICIES + "[" + i + "]", MOST_TOKENS);
            skip(parser);
        }
        parser.begin(JsonText.ROOT, left);
    }

    private static void skip(Bounded parser) throws IOException {
        int open = parser.currentToken().isStructStart() ? 1 : 0;
        while (open > 0) {
            JsonToken token = parser.nextToken();
            open += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        }
    }

    /** Reads the policies of a document whose {@link #keys()} have been read. */
    void policies(Policies policies) {
        run(parser -> {
            JsonParser unbounded = parser.delegate();
            unbounded.nextToken();
            while (unbounded.nextToken() == JsonToken.FIELD_NAME) {
                String key = unbounded.currentName();
                unbounded.nextToken();
                if (key.equals(PolicyKeys.POLICIES)) {
                    return policies(unbounded, policies);
                }
                unbounded.skipChildren();
            }
            return 0;
        });
    }

    private static int policies(JsonParser parser, Policies policies) throws IOException {
        int read = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (!policies.take(read++, JsonText.MAPPER.readTree(parser))) {
                break;
            }
        }
        return read;
    }

    private <R> R run(Pass<R> pass) {
        try (Bounded parser = new Bounded(JsonText.MAPPER.createParser(text.reader()))) {
            return pass.run(parser);
        } catch (JsonProcessingException e) {
            throw JsonText.invalid("no JSON" + place(e.getLocation()) + ": " + firstLine(e.getOriginalMessage()));
        } catch (CharacterCodingException e) {
            throw JsonText.invalid("bytes that are not UTF-8; save the file as UTF-8");
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing is read but memory
        }
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
