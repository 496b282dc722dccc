/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.file;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.Amounts;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Acceptance;
import org.signetmq.policy.Policy.Encryption;
import org.signetmq.policy.Policy.Enforcement;
import org.signetmq.policy.Policy.LegacyAlgorithms;
import org.signetmq.policy.Policy.MessageAudit;
import org.signetmq.policy.Policy.OnFailure;
import org.signetmq.policy.Policy.OpenFailures;
import org.signetmq.policy.Policy.SignatureCheck;
import org.signetmq.policy.Policy.Signing;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.internal.text.PolicyKeys;

/** Writes policies as a document. It leaves out most defaults, but writes quality, algorithms and key reuse. */
final class PolicyWriter {
    private PolicyWriter() {}

    /** Returns the text of a whole document, written with the tree of one policy at a time in memory. */
    static String format(PolicySet set) {
        return format(out -> document(set, out));
    }

    /** Returns the text of one policy. */
    static String format(Policy policy) {
        return format(out -> JsonObject.MAPPER.writeTree(out, policy(policy)));
    }

    /** Writes a document, or a part of it. */
    private interface Part {
        void write(JsonGenerator out) throws IOException;
    }

    private static String format(Part document) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JsonObject.MAPPER.createGenerator(text).setPrettyPrinter(new DefaultPrettyPrinter())) {
            document.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing is written but memory
        }
        return text.append('\n').toString();
    }

    private static void document(PolicySet set, JsonGenerator out) throws IOException {
        out.writeStartObject();
        for (Map.Entry<String, JsonNode> key : keys(set).properties()) {
            out.writeFieldName(key.getKey());
            if (key.getKey().equals(PolicyKeys.POLICIES)) {
                out.writeStartArray();
                for (Policy policy : set.policies()) {
                    JsonObject.MAPPER.writeTree(out, policy(policy));
                }
                out.writeEndArray();
            } else {
                JsonObject.MAPPER.writeTree(out, key.getValue());
            }
        }
        out.writeEndObject();
    }

    /** Returns the keys of a document. Its list of policies is empty. */
    static ObjectNode keys(PolicySet set) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put(PolicyKeys.SCHEMA, DocumentReader.SCHEMA_VERSION);
        document.put(PolicyKeys.VERSION, set.version());
        document.put(PolicyKeys.UNMATCHED, set.unmatched().label());
        wildcards(document, set.wildcards());
        names(document, PolicyKeys.RECOVERY, set.recovery());
        if (!set.settings().users().isEmpty()) {
            ObjectNode users = document.putObject(PolicyKeys.USERS);
            set.settings().users().forEach((user, signers) -> {
                ArrayNode list = users.putArray(user);
                signers.forEach(list::add);
            });
        }
        if (!set.settings().certificates().isEmpty()) {
            ObjectNode certificates = document.putObject(PolicyKeys.CERTIFICATES);
            set.settings().certificates().forEach(certificates::put);
        }
        document.putArray(PolicyKeys.POLICIES);
        return document;
    }

    private static void wildcards(ObjectNode document, WildcardSyntax syntax) {
        if (!syntax.equals(WildcardSyntax.DEFAULT)) {
            document.putObject(PolicyKeys.WILDCARDS)
                    .put(PolicyKeys.DELIMITER, String.valueOf(syntax.delimiter()))
                    .put(PolicyKeys.ANY_WORDS, String.valueOf(syntax.anyWords()))
                    .put(PolicyKeys.SINGLE_WORD, String.valueOf(syntax.singleWord()));
        }
    }

    static ObjectNode policy(Policy policy) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put(PolicyKeys.PATTERN, policy.pattern());
        json.put(PolicyKeys.QUALITY, policy.quality().label());
        signing(json, policy);
        encryption(json, policy);
        acceptance(json, policy.acceptance());
        enforcement(json, policy.enforcement());
        openFailures(json, policy.openFailures());
        return json;
    }

    private static void signing(ObjectNode json, Policy policy) {
        Signing signing = policy.signing();
        boolean names = policy.quality().signs() || signing.algorithm() != Signing.DEFAULT.algorithm();
        put(json, names, PolicyKeys.SIGNATURE_ALGORITHM, signing.algorithm().label());
        names(json, PolicyKeys.SIGNERS, signing.signers());
        names(json, PolicyKeys.BROKERS, signing.brokers());
        boolean differs = signing.certificate() != Signing.DEFAULT.certificate();
        put(json, differs, PolicyKeys.CERTIFICATE, signing.certificate().label());
        boolean shared = signing.sharing() != Signing.DEFAULT.sharing();
        put(json, shared, PolicyKeys.SIGNATURE, signing.sharing().label());
    }

    private static void encryption(ObjectNode json, Policy policy) {
        Encryption encryption = policy.encryption();
        boolean names = policy.quality().encrypts() || encryption.algorithm() != Encryption.UNUSED.algorithm();
        put(json, names, PolicyKeys.ENCRYPTION_ALGORITHM, encryption.algorithm().label());
        names(json, PolicyKeys.RECIPIENTS, encryption.recipients());
        KeyLimits limits = encryption.limits();
        KeyLimits defaults = PolicyReader.defaultLimits(policy.quality());
        if (policy.quality().reusesKeys() || limits.messages() != defaults.messages()) {
            keyReuse(json, limits.messages());
        }
        put(json, limits.bytes() != defaults.bytes(), PolicyKeys.MAX_BYTES, Amounts.format(limits.bytes()));
        put(json, !limits.age().equals(defaults.age()), PolicyKeys.MAX_AGE, limits.age());
        put(json, encryption.mutualTrust(), PolicyKeys.MUTUAL_TRUST, PolicyKeys.ACCEPTED);
    }

    private static void keyReuse(ObjectNode json, long messages) {
        if (messages == KeyLimits.MOST_MESSAGES) {
            json.put(PolicyKeys.KEY_REUSE, PolicyKeys.UNLIMITED);
        } else {
            json.put(PolicyKeys.KEY_REUSE, messages == 1 ? 0 : messages);
        }
    }

    private static void acceptance(ObjectNode json, Acceptance acceptance) {
        Instant until = acceptance.toleration().until();
        if (until != null) {
            json.putObject(PolicyKeys.TOLERATION).put(PolicyKeys.UNTIL, until.toString());
        }
        SealingPlace where = acceptance.where();
        put(json, where != Acceptance.DEFAULT.where(), PolicyKeys.WHERE, where.label());
        if (acceptance.legacy() != Acceptance.DEFAULT.legacy()) {
            json.put(PolicyKeys.ACCEPT_LEGACY, acceptance.legacy() == LegacyAlgorithms.ACCEPTED);
        }
        MessageAudit audit = acceptance.audit();
        put(json, audit != MessageAudit.NONE, PolicyKeys.AUDIT, audit.label());
    }

    private static void enforcement(ObjectNode json, Enforcement enforcement) {
        SignatureCheck verify = enforcement.verify();
        put(json, verify != Enforcement.DEFAULT.verify(), PolicyKeys.VERIFY, verify.label());
        put(json, enforcement.extraRecipients(), PolicyKeys.EXTRA_RECIPIENTS, PolicyKeys.ALLOW);
        put(json, enforcement.bindUser(), PolicyKeys.BIND_USER, PolicyKeys.BY_CERTIFICATE);
        put(json, enforcement.replayWindow() != null, PolicyKeys.REPLAY_WINDOW, enforcement.replayWindow());
        names(json, PolicyKeys.HIDE, enforcement.hide());
        boolean both = enforcement.require() != Enforcement.DEFAULT.require();
        put(json, both, PolicyKeys.REQUIRE, enforcement.require().label());
    }

    private static void openFailures(ObjectNode json, OpenFailures failures) {
        OnFailure action = failures.action();
        put(json, action != null, PolicyKeys.ON_FAILURE, action == null ? null : action.label());
        put(json, failures.quarantine() != null, PolicyKeys.QUARANTINE, failures.quarantine());
    }

    private static void put(ObjectNode json, boolean isWritten, String key, @Nullable Object value) {
        if (isWritten) {
            json.put(key, String.valueOf(value));
        }
    }

    private static void names(ObjectNode json, String key, List<String> names) {
        if (!names.isEmpty()) {
            ArrayNode list = json.putArray(key);
            names.forEach(list::add);
        }
    }
}
