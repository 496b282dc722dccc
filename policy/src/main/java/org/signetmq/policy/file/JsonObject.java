/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.file;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.Labelled;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.internal.match.PatternVariables.Variables;
import org.signetmq.policy.internal.text.DocumentLimits;
import org.signetmq.policy.internal.text.PolicyKeys;
import org.signetmq.policy.text.NearestWord;
import org.signetmq.policy.text.Quoted;

/**
 * Reads the keys of one JSON object, parsed strictly and within bounds, and collects their problems. A key that is
 * wrong reads as absent.
 */
final class JsonObject {
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

    private static final Pattern PLAIN_KEY = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private final ObjectNode node;
    private final String path;
    private final List<Finding> findings = new ArrayList<>();

    private record Finding(String key, PolicyProblem problem) {}

    /** Creates a reader of the object at this path. The path of a document's root is empty. */
    JsonObject(ObjectNode node, String path) {
        this.node = node;
        this.path = path;
    }

    /** Returns an exception with a problem of the whole document. */
    static InvalidPolicyException invalid(String message) {
        return InvalidPolicyException.of(PolicyKeys.ROOT, message);
    }

    boolean has(String key) {
        return node.has(key);
    }

    /** Returns the keys of an object whose keys are names, in their order. */
    List<String> keys() {
        List<String> keys = new ArrayList<>();
        node.fieldNames().forEachRemaining(keys::add);
        return keys;
    }

    /** Rejects a key that is no name, and returns its problem. */
    Optional<String> problemWithEntry(String name) {
        Optional<String> problem = name.isBlank()
                ? Optional.of("not a name, found " + Quoted.text(name) + "; write a name")
                : DocumentLimits.problemWithLength(name);
        problem.ifPresent(message -> reject(name, message));
        return problem;
    }

    Optional<JsonNode> field(String key) {
        return Optional.ofNullable(node.get(key));
    }

    /** Returns the path of a key of this object. */
    String pathOf(String key) {
        String name = PLAIN_KEY.matcher(key).matches() ? key : "[" + Quoted.text(key) + "]";
        return path.isEmpty() || name.startsWith("[") ? path + name : path + "." + name;
    }

    void reject(String key, String message) {
        find(key, new PolicyProblem(pathOf(key), message));
    }

    void reject(String key, int index, String message) {
        find(key, new PolicyProblem(pathOf(key) + "[" + index + "]", message));
    }

    /** Adds the problems of the object or list under this key. */
    void rejectAll(String key, List<PolicyProblem> problems) {
        problems.forEach(problem -> find(key, problem));
    }

    private void find(String key, PolicyProblem problem) {
        if (!isFull()) {
            findings.add(new Finding(key, problem));
        }
    }

    boolean hasProblems() {
        return !findings.isEmpty();
    }

    /** Tells whether more problems were found than are reported. No others are kept. */
    boolean isFull() {
        return findings.size() > DocumentLimits.MOST_PROBLEMS;
    }

    void rejectUnknownKeys(Collection<String> known) {
        Iterator<String> keys = node.fieldNames();
        while (keys.hasNext() && !isFull()) {
            String key = keys.next();
            if (!known.contains(key)) {
                reject(key, "unknown key" + NearestWord.hint(key, known));
            }
        }
    }

    void rejectIf(boolean isWrong, String key, String message) {
        if (isWrong) {
            reject(key, message);
        }
    }

    void rejectIfMissing(String key, String advice) {
        rejectIf(!has(key), key, "missing; " + advice);
    }

    /** Tells whether the key is present and true. */
    boolean flag(String key) {
        Optional<JsonNode> value = field(key);
        value.filter(found -> !found.isBoolean())
                .ifPresent(found ->
                        reject(key, "neither true nor false, found " + describe(found) + "; write it without quotes"));
        return value.filter(JsonNode::isBoolean).map(JsonNode::booleanValue).orElse(false);
    }

    Optional<String> text(String key) {
        return field(key).filter(value -> isText(key, value)).map(JsonNode::textValue);
    }

    private boolean isText(String key, JsonNode value) {
        if (!value.isTextual()) {
            reject(key, "not text, found " + describe(value) + "; put text in quotes");
        }
        return value.isTextual();
    }

    /**
     * Returns the names of a list without wrong and repeated ones, and rejects those with a problem. Names with
     * variables have none here: an address completes them.
     */
    List<String> parties(String key, Function<String, Optional<String>> problem) {
        JsonNode list = node.get(key);
        if (list == null) {
            return List.of();
        }
        if (!list.isArray()) {
            reject(key, "not a list, found " + describe(list) + "; write [\"...\"]");
            return List.of();
        }
        Optional<String> tooMany = DocumentLimits.problemWithNames(list.size());
        if (tooMany.isPresent()) {
            reject(key, tooMany.get());
            return List.of();
        }
        Set<String> names = new LinkedHashSet<>();
        for (int i = 0; i < list.size() && !isFull(); i++) {
            int index = i;
            problemWithName(list.get(i), names, problem).ifPresent(message -> reject(key, index, message));
        }
        return List.copyOf(names);
    }

    /** Adds a name to the others, unless it is wrong. Returns its problem. */
    private static Optional<String> problemWithName(
            JsonNode value, Set<String> others, Function<String, Optional<String>> problem) {
        if (!value.isTextual() || value.textValue().isBlank()) {
            return Optional.of("not a name, found " + describe(value)
                    + "; write a name, a distinguished name or a key identifier");
        }
        String name = value.textValue();
        if (name.length() > DocumentLimits.LONGEST_TEXT) {
            return DocumentLimits.problemWithLength(name);
        }
        if (!others.add(name)) {
            return Optional.of("named before, found " + Quoted.text(name) + "; remove one of them");
        }
        return Variables.areIn(name) ? Optional.empty() : problem.apply(name);
    }

    OptionalLong wholeNumber(String key, long least, long most) {
        Optional<JsonNode> value = field(key);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        OptionalLong number = wholeNumber(value.get(), least, most);
        if (number.isEmpty()) {
            reject(key, "not a whole number from " + least + " to " + most + ", found " + describe(value.get()));
        }
        return number;
    }

    <E extends Labelled> Optional<E> choice(String key, E[] choices) {
        return choice(key, List.of(choices), Labelled::label);
    }

    /** Returns the choice with this label. */
    <E> Optional<E> choice(String key, List<E> choices, Function<E, String> label) {
        Optional<String> written = text(key);
        Optional<E> chosen = written.flatMap(word -> choices.stream()
                .filter(choice -> label.apply(choice).equals(word))
                .findFirst());
        if (written.isPresent() && chosen.isEmpty()) {
            List<String> labels = choices.stream().map(label).toList();
            reject(
                    key,
                    "not one of " + String.join(", ", labels) + ", found " + Quoted.text(written.get())
                            + NearestWord.of(written.get(), labels)
                                    .map(nearest -> "; did you mean \"" + nearest + "\"?")
                                    .orElse(""));
        }
        return chosen;
    }

    /** Returns the first problems, in the order of the keys in the document, and the missing keys last. */
    List<PolicyProblem> problems() {
        if (findings.isEmpty()) {
            return List.of();
        }
        Map<String, Integer> order = new HashMap<>();
        node.fieldNames().forEachRemaining(key -> order.put(key, order.size()));
        return PolicyProblem.first(findings.stream()
                .sorted(Comparator.comparingInt(finding -> order.getOrDefault(finding.key(), order.size())))
                .map(Finding::problem)
                .toList());
    }

    /** Returns the number of a value; empty if it is no whole number or outside the bounds. */
    static OptionalLong wholeNumber(JsonNode value, long least, long most) {
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            return OptionalLong.empty();
        }
        long number = value.longValue();
        return number < least || number > most ? OptionalLong.empty() : OptionalLong.of(number);
    }

    /** Returns a short text for a value, for messages. */
    static String describe(JsonNode value) {
        if (value.isObject()) {
            return "an object";
        } else if (value.isArray()) {
            return "a list";
        } else if (value.isTextual()) {
            return Quoted.text(value.textValue());
        }
        String written = value.asText();
        return written.length() > 24 ? "a number of " + written.length() + " characters" : written;
    }
}
