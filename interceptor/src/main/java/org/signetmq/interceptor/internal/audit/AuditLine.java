/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.audit.AuditLog.AuditEvent;
import org.signetmq.interceptor.internal.audit.AuditLog.Author;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.home.PolicyCertificates;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.file.PolicyFile;

/**
 * One line of the audit log: a JSON object of printable ASCII characters. Names that strangers choose are bounded, and
 * so is the line. All texts beside lists come before the lists. For one thread.
 */
final class AuditLine {
    /** The greatest length of a line, in characters. */
    static final int LONGEST = 32 << 10;

    /** The greatest number of entries in a line. */
    static final int MOST_ENTRIES = 50;

    /** The greatest length of a name or a text, in characters. */
    private static final int LONGEST_TEXT = 1000;

    /** The greatest length of a policy that a line shows, in characters. */
    private static final int LONGEST_POLICY = 8 << 10;

    /** The length that is kept for the names of lists and the number of entries left out. */
    private static final int RESERVE = 256;

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private final ObjectNode json = JSON.createObjectNode();
    private int room = -1; // unknown until the first list
    private int entries;
    private long leftOut;

    AuditLine(Instant at, AuditEvent event, String broker) {
        json.put("at", at.truncatedTo(ChronoUnit.MILLIS).toString()).put("event", event.label());
        put("broker", broker);
    }

    ObjectNode json() {
        return json;
    }

    /** Adds a text, bounded and without control characters; nothing for null. */
    AuditLine put(String key, @Nullable String text) {
        if (text != null) {
            json.put(key, bounded(text));
        }
        return this;
    }

    AuditLine put(Author author) {
        return put("by", author.by()).put("from", author.from());
    }

    AuditLine put(String key, long number) {
        json.put(key, number);
        return this;
    }

    /** Adds as many of these texts as fit. */
    AuditLine putTexts(String key, List<String> texts) {
        ArrayNode list = json.putArray(key);
        texts.stream().map(AuditLine::bounded).filter(text -> takes(text(text))).forEach(list::add);
        return this;
    }

    /** Adds the rules of two sets of policies that differ, and the policies that were added, changed or removed. */
    void putPolicies(PolicySet before, PolicySet after) {
        putChange("unmatched", before.unmatched().label(), after.unmatched().label());
        putChange("wildcards", text(before.wildcards()), text(after.wildcards()));
        putChange("recovery", String.join("; ", before.recovery()), String.join("; ", after.recovery()));
        putCertificates(before.settings().certificates(), after.settings().certificates());
        Map<String, Policy> old = byPattern(before);
        Map<String, Policy> now = byPattern(after);
        Stream<String> changed =
                now.keySet().stream().filter(pattern -> !Objects.equals(now.get(pattern), old.get(pattern)));
        Stream<String> removed = old.keySet().stream().filter(pattern -> !now.containsKey(pattern));
        putEntries("policies", Stream.concat(changed, removed), pattern -> {
            ObjectNode entry = JSON.createObjectNode().put("pattern", bounded(pattern));
            putPolicy(entry, "before", old.get(pattern));
            putPolicy(entry, "after", now.get(pattern));
            return entry;
        });
    }

    /** Adds the certificates that differ, each with its key identifier. */
    private void putCertificates(Map<String, String> before, Map<String, String> after) {
        Set<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        putEntries(
                "certificates",
                names.stream().filter(name -> !Objects.equals(before.get(name), after.get(name))),
                name -> {
                    ObjectNode entry = named(name);
                    putCertificate(entry, "before", before.get(name));
                    putCertificate(entry, "after", after.get(name));
                    return entry;
                });
    }

    private static void putCertificate(ObjectNode entry, String key, @Nullable String text) {
        if (text != null) {
            try {
                facts(entry.putObject(key), PolicyCertificates.parse(text).get(0));
            } catch (KeystoreUnusableException unreadable) {
                entry.putObject(key).putNull("ski");
            }
        }
    }

    private void putChange(String key, String before, String after) {
        if (!before.equals(after)) {
            json.putObject(key).put("before", bounded(before)).put("after", bounded(after));
        }
    }

    private static String text(WildcardSyntax syntax) {
        return "" + syntax.delimiter() + syntax.anyWords() + syntax.singleWord();
    }

    private static Map<String, Policy> byPattern(PolicySet set) {
        Map<String, Policy> policies = new LinkedHashMap<>();
        set.policies().forEach(policy -> policies.put(policy.pattern(), policy));
        return policies;
    }

    private static void putPolicy(ObjectNode entry, String key, @Nullable Policy policy) {
        if (policy == null) {
            return;
        }
        String text = PolicyFile.format(policy);
        if (text.length() > LONGEST_POLICY) {
            entry.put(key, "too long to show: " + text.length() + " characters");
        } else {
            try {
                entry.set(key, JSON.readTree(text));
            } catch (JsonProcessingException impossible) {
                throw new IllegalStateException("audit: a policy cannot be read back", impossible);
            }
        }
    }

    /**
     * Adds the names of a folder's entries that were added, removed and replaced. An entry is a certificate, whose
     * facts the line has, or the state of a file.
     */
    void putFolder(Map<String, ?> before, Map<String, ?> after) {
        putNames("added", after, name -> !before.containsKey(name), name -> facts(named(name), after.get(name)));
        putNames("removed", before, name -> !after.containsKey(name), name -> facts(named(name), before.get(name)));
        putNames(
                "replaced",
                after,
                name -> before.containsKey(name) && !Objects.equals(after.get(name), before.get(name)),
                name -> {
                    ObjectNode entry = named(name);
                    if (after.get(name) instanceof X509Certificate) {
                        facts(entry.putObject("before"), before.get(name));
                        facts(entry.putObject("after"), after.get(name));
                    }
                    return entry;
                });
    }

    private void putNames(
            String key, Map<String, ?> entries, Predicate<String> selected, Function<String, ObjectNode> made) {
        putEntries(key, entries.keySet().stream().filter(selected), made);
    }

    private static ObjectNode named(String name) {
        return JSON.createObjectNode().put("name", bounded(name));
    }

    private static ObjectNode facts(ObjectNode entry, @Nullable Object content) {
        if (content instanceof X509Certificate certificate) {
            try {
                entry.put("ski", KeyIdentifier.ofKey(certificate).toString());
            } catch (RuntimeException unreadable) { // a key of an unknown kind has no computed identifier
                entry.putNull("ski");
            }
            entry.put("subject", bounded(DistinguishedName.shown(certificate.getSubjectX500Principal())))
                    .put("until", certificate.getNotAfter().toInstant().toString());
        }
        return entry;
    }

    /** Adds as many of these entries as fit. The others are counted, and most of them not even made. */
    private void putEntries(String key, Stream<String> names, Function<String, ObjectNode> made) {
        ArrayNode list = JSON.createArrayNode();
        for (Iterator<String> all = names.iterator(); all.hasNext(); ) {
            String name = all.next();
            ObjectNode entry = entries < MOST_ENTRIES ? made.apply(name) : null;
            if (entry == null) {
                leftOut++;
            } else if (takes(text(entry))) {
                list.add(entry);
            }
        }
        if (!list.isEmpty()) {
            json.set(key, list);
        }
    }

    private boolean takes(String entry) {
        if (room < 0) {
            room = LONGEST - RESERVE - text(json).length();
        }
        if (entries >= MOST_ENTRIES || entry.length() >= room) {
            leftOut++;
            return false;
        }
        entries++;
        room -= entry.length() + 1;
        return true;
    }

    /** Returns the line, with the number of entries that it has no room for. */
    String format() {
        if (leftOut > 0) {
            json.put("left-out", leftOut);
        }
        return text(json);
    }

    private static String text(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("audit: a line cannot be written", impossible);
        }
    }

    private static String bounded(String text) {
        return PrintableText.of(text, LONGEST_TEXT);
    }
}
