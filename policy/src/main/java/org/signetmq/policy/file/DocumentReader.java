/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.file;

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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.internal.text.DocumentLimits;
import org.signetmq.policy.internal.text.PolicyKeys;
import org.signetmq.policy.text.Quoted;

/** Reads a whole policy document and collects the problems of all parts. */
final class DocumentReader {
    static final int SCHEMA_VERSION = 1;

    /** The most JSON tokens of one policy, and of all other keys. A policy with full lists stays far below. */
    private static final int MOST_TOKENS = 1 << 16;

    private static final int MOST_REMEMBERED_NAMES = 10_000;
    private static final String FORM_OF_WILDCARDS =
            "write {\"delimiter\": \"/\", \"any-words\": \"#\", \"single-word\": \"+\"}, as broker.xml has them";

    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]+={0,2}");

    private final JsonObject json;
    private final long version;
    private final PolicySet.Settings settings;
    private final PartyValidator parties;

    /** Reads all keys but the policies. */
    private DocumentReader(ObjectNode keys, PartyValidator known) {
        this.json = new JsonObject(keys, "");
        json.rejectUnknownKeys(PolicyKeys.OF_DOCUMENT);
        json.rejectIfMissing(PolicyKeys.SCHEMA, "write \"schema\": " + SCHEMA_VERSION);
        json.rejectIfMissing(PolicyKeys.VERSION, "write a whole number that grows with each change");
        json.rejectIfMissing(PolicyKeys.POLICIES, "write a list of policies, [] for none");
        rejectOtherSchemas();
        this.version = json.wholeNumber(PolicyKeys.VERSION, 0, Long.MAX_VALUE).orElse(0);
        UnmatchedAddress unmatched =
                json.choice(PolicyKeys.UNMATCHED, UnmatchedAddress.values()).orElse(UnmatchedAddress.PASS);
        Map<String, String> certificates = certificates();
        this.parties = remembered(known, certificates);
        this.settings =
                new PolicySet.Settings(unmatched, wildcards(json), recovery(parties), users(parties), certificates);
        json.field(PolicyKeys.POLICIES)
                .filter(value -> !value.isArray())
                .ifPresent(value -> json.reject(
                        PolicyKeys.POLICIES,
                        "not a list, found " + JsonObject.describe(value) + "; write [{...}], [] for none"));
    }

    private List<String> recovery(PartyValidator known) {
        Optional<String> tooMany = DocumentLimits.problemWithRecovery(
                json.field(PolicyKeys.RECOVERY).map(JsonNode::size).orElse(0));
        tooMany.ifPresent(problem -> json.reject(PolicyKeys.RECOVERY, problem));
        return tooMany.isPresent() ? List.of() : json.parties(PolicyKeys.RECOVERY, known.recipientProblem());
    }

    /** Returns the signers of each user. */
    private Map<String, List<String>> users(PartyValidator known) {
        Map<String, List<String>> users = new LinkedHashMap<>();
        JsonObject object = entries(PolicyKeys.USERS, "write {\"USER\": [\"NAME\"]}");
        for (String user : object.keys()) {
            if (object.problemWithEntry(user).isEmpty()) {
                users.put(user, object.parties(user, known.signerProblem()));
            }
        }
        json.rejectAll(PolicyKeys.USERS, object.problems());
        return users;
    }

    /** Returns the base64 texts of certificates. A caller with the means to parse certificates checks them. */
    private Map<String, String> certificates() {
        Map<String, String> certificates = new LinkedHashMap<>();
        JsonObject object = entries(PolicyKeys.CERTIFICATES, "write {\"NAME\": \"base64 of DER\"}");
        for (String name : object.keys()) {
            Optional<String> text =
                    object.problemWithEntry(name).isEmpty() ? object.text(name) : Optional.<String>empty();
            text.ifPresent(base64 -> certificates.put(name, base64));
            text.filter(base64 -> base64.length() > DocumentLimits.LONGEST_CERTIFICATE
                            || !BASE64.matcher(base64).matches())
                    .ifPresent(wrong -> object.reject(
                            name,
                            "not a certificate in base64 of at most " + DocumentLimits.LONGEST_CERTIFICATE
                                    + " characters on one line; add it with 'signet certificate add'"));
        }
        json.rejectAll(PolicyKeys.CERTIFICATES, object.problems());
        return certificates;
    }

    /** Returns the object under a key, empty if there is none. */
    private JsonObject entries(String key, String form) {
        JsonNode value = json.field(key).orElseGet(JsonNodeFactory.instance::objectNode);
        Optional<String> problem = value.isObject()
                ? DocumentLimits.problemWithEntries(value.size())
                : Optional.of("no object, found " + JsonObject.describe(value) + "; " + form);
        problem.ifPresent(message -> json.reject(key, message));
        return new JsonObject(
                problem.isEmpty() ? (ObjectNode) value : JsonNodeFactory.instance.objectNode(), json.pathOf(key));
    }

    private void rejectOtherSchemas() {
        json.field(PolicyKeys.SCHEMA)
                .filter(value -> JsonObject.wholeNumber(value, SCHEMA_VERSION, SCHEMA_VERSION)
                        .isEmpty())
                .ifPresent(value -> json.reject(
                        PolicyKeys.SCHEMA,
                        "not " + SCHEMA_VERSION + ", found " + JsonObject.describe(value)
                                + "; this release reads schema " + SCHEMA_VERSION + " alone"));
    }

    /** Returns the wildcards of a document. Characters that the document does not set are those of Artemis. */
    private static WildcardSyntax wildcards(JsonObject document) {
        Optional<JsonNode> value = document.field(PolicyKeys.WILDCARDS);
        if (value.isEmpty()) {
            return WildcardSyntax.DEFAULT;
        }
        if (!(value.get() instanceof ObjectNode object)) {
            document.reject(
                    PolicyKeys.WILDCARDS,
                    "no object, found " + JsonObject.describe(value.get()) + "; " + FORM_OF_WILDCARDS);
            return WildcardSyntax.DEFAULT;
        }
        JsonObject json = new JsonObject(object, document.pathOf(PolicyKeys.WILDCARDS));
        json.rejectUnknownKeys(PolicyKeys.OF_WILDCARDS);
        char delimiter = character(json, PolicyKeys.DELIMITER, WildcardSyntax.DEFAULT.delimiter());
        char anyWords = character(json, PolicyKeys.ANY_WORDS, WildcardSyntax.DEFAULT.anyWords());
        char singleWord = character(json, PolicyKeys.SINGLE_WORD, WildcardSyntax.DEFAULT.singleWord());
        Optional<String> problem = WildcardSyntax.problemWith(delimiter, anyWords, singleWord);
        problem.ifPresent(message -> document.reject(PolicyKeys.WILDCARDS, message));
        document.rejectAll(PolicyKeys.WILDCARDS, json.problems());
        return problem.isPresent() ? WildcardSyntax.DEFAULT : new WildcardSyntax(delimiter, anyWords, singleWord);
    }

    private static char character(JsonObject json, String key, char otherwise) {
        Optional<String> text = json.text(key);
        if (text.isPresent() && text.get().length() != 1) {
            json.reject(key, "not one character, found " + Quoted.text(text.get()) + "; " + FORM_OF_WILDCARDS);
        }
        return text.filter(written -> written.length() == 1)
                .map(written -> written.charAt(0))
                .orElse(otherwise);
    }

    /** Returns the set of this document, or throws the problems of the document. */
    static PolicySet read(String json, PartyValidator known) {
        rejectIfLonger(json.length(), "characters");
        return read(() -> new StringReader(json), known);
    }

    /** Returns the set of this document as {@link #read(String, PartyValidator)} does. The bytes must not change. */
    static PolicySet read(byte[] utf8, PartyValidator known) {
        rejectIfLonger(utf8.length, "bytes");
        // a decoder throws for bytes that are not UTF-8
        return read(
                () -> new InputStreamReader(new ByteArrayInputStream(utf8), StandardCharsets.UTF_8.newDecoder()),
                known);
    }

    private static void rejectIfLonger(int length, String unit) {
        if (length > DocumentLimits.LONGEST) {
            throw JsonObject.invalid("longer than " + DocumentLimits.LONGEST + " " + unit + "; name fewer policies");
        }
    }

    private static PolicySet read(Supplier<Reader> text, PartyValidator known) {
        Policies policies = new Policies(known);
        DocumentReader document = new DocumentReader(parse(text.get(), policies), known);
        if (policies.isBefore(document.settings)) {
            // wildcards or certificates follow the policies, which need them
            policies = new Policies(document.parties, document.settings);
            parse(text.get(), policies);
        }
        document.json.rejectAll(PolicyKeys.POLICIES, policies.problems);
        if (document.json.hasProblems()) {
            throw new InvalidPolicyException(document.json.problems());
        }
        return PolicySet.of(document.version, document.settings, policies.read);
    }

    /** Returns the problems that {@link #read} would find in the document of this set; an empty list for none. */
    static List<PolicyProblem> problems(PolicySet set, PartyValidator known) {
        ObjectNode keys = PolicyWriter.keys(set);
        DocumentReader document = new DocumentReader(keys, known);
        Policies policies = new Policies(document.parties, set.settings());
        int read = 0;
        while (read < set.policies().size()
                && policies.take(read, PolicyWriter.policy(set.policies().get(read)), keys)) {
            read++;
        }
        document.json.rejectAll(PolicyKeys.POLICIES, policies.problems);
        return document.json.problems();
    }

    /**
     * Returns the validator for a document with these certificates. It is asked once for each name, because many
     * policies of a document name the same parties.
     */
    private static PartyValidator remembered(PartyValidator known, Map<String, String> certificates) {
        PartyValidator parties = known.withCertificates().apply(certificates);
        return new PartyValidator(remembered(parties.recipientProblem()), remembered(parties.signerProblem()));
    }

    private static Function<String, Optional<String>> remembered(Function<String, Optional<String>> problem) {
        Map<String, Optional<String>> answers = new HashMap<>();
        return name -> {
            if (answers.size() == MOST_REMEMBERED_NAMES && !answers.containsKey(name)) {
                answers.clear();
            }
            return answers.computeIfAbsent(name, problem);
        };
    }

    /**
     * Parses a whole text with the tree of one policy at a time in memory, and returns its keys. A list of policies in
     * it is empty.
     *
     * @throws InvalidPolicyException if the text is not one JSON object, or too large
     */
    private static ObjectNode parse(Reader text, Policies policies) {
        try (Bounded parser = new Bounded(JsonObject.MAPPER.createParser(text))) {
            return parse(parser, policies);
        } catch (JsonProcessingException e) {
            throw JsonObject.invalid("no JSON" + place(e.getLocation()) + ": " + firstLine(e.getOriginalMessage()));
        } catch (CharacterCodingException e) {
            throw JsonObject.invalid("bytes that are not UTF-8; save the file as UTF-8");
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing is read but memory
        }
    }

    private static ObjectNode parse(Bounded parser, Policies policies) throws IOException {
        JsonToken first = parser.nextToken();
        if (first == null) {
            throw JsonObject.invalid("empty; write {\"schema\": 1, \"version\": 1, \"policies\": []}");
        }
        JsonNode document = first == JsonToken.START_OBJECT ? keys(parser, policies) : tree(parser);
        if (parser.nextToken() != null) {
            throw JsonObject.invalid("no JSON" + place(parser.currentTokenLocation()) + ": text after the document");
        }
        if (document instanceof ObjectNode object) {
            return object;
        }
        throw JsonObject.invalid("no object, found " + JsonObject.describe(document) + "; write {\"schema\": 1, ...}");
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
        return JsonObject.MAPPER.readTree(parser);
    }

    private static String place(JsonLocation location) {
        return location == null ? "" : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
    }

    /** Returns the first line of the parser's message, without its further lines. */
    private static String firstLine(String message) {
        String shown = Quoted.text(message.lines().findFirst().orElse(""));
        return shown.substring(1, shown.length() - 1);
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

    /** Reads the policies one after the other. It stops when more problems are found than are reported. */
    private static final class Policies {
        /** The validator of names; that for the certificates before the policies from the first policy on. */
        private PartyValidator known;

        /** The rules that the policies need; null until the first policy, for those that are before it. */
        private PolicySet.@Nullable Settings settings;

        private final List<Policy> read = new ArrayList<>();
        private final List<PolicyProblem> problems = new ArrayList<>();
        private final Map<String, Integer> firsts = new HashMap<>();

        /** Reads policies by the rules that the document has before them. */
        Policies(PartyValidator known) {
            this.known = known;
        }

        Policies(PartyValidator known, PolicySet.Settings settings) {
            this.known = known;
            this.settings = settings;
        }

        /** Tells whether policies were read without these rules. */
        boolean isBefore(PolicySet.Settings all) {
            return settings != null
                    && !(settings.wildcards().equals(all.wildcards())
                            && settings.certificates().equals(all.certificates()));
        }

        /**
         * Takes a policy.
         *
         * @param keys the keys of the document before its policies
         * @return whether more policies are wanted
         */
        boolean take(int index, JsonNode policy, ObjectNode keys) {
            PolicySet.Settings rules = settings;
            if (rules == null) {
                rules = PolicySet.Settings.DEFAULT
                        .with(wildcards(new JsonObject(keys, "")))
                        .withCertificates(texts(keys.path(PolicyKeys.CERTIFICATES)));
                settings = rules;
                known = remembered(known, rules.certificates());
            }
            WildcardSyntax wildcards = rules.wildcards();
            String path = PolicyKeys.POLICIES + "[" + index + "]";
            if (policy instanceof ObjectNode object) {
                JsonObject fields = new JsonObject(object, path);
                new PolicyReader(fields, known, wildcards).read().ifPresent(read::add);
                JsonNode pattern = object.path(PolicyKeys.PATTERN);
                if (pattern.isTextual() && !pattern.textValue().isBlank()) {
                    DocumentLimits.problemWithSecond(wildcards.plain(pattern.textValue()), index, firsts)
                            .ifPresent(problem -> fields.reject(PolicyKeys.PATTERN, problem));
                }
                problems.addAll(fields.problems());
            } else {
                problems.add(new PolicyProblem(
                        path,
                        "not a policy, found " + JsonObject.describe(policy)
                                + "; write {\"pattern\": ..., \"quality\": ...}"));
            }
            return problems.size() <= DocumentLimits.MOST_PROBLEMS;
        }

        private static Map<String, String> texts(JsonNode certificates) {
            Map<String, String> texts = new LinkedHashMap<>();
            certificates
                    .properties()
                    .forEach(named -> texts.put(named.getKey(), named.getValue().asText()));
            return texts;
        }
    }
}
