/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.audit;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Objects;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeyIdentifier;

/**
 * The differences of a folder's entries before and after a change. An entry is a certificate, or the state of a file.
 */
final class EntryDifference {
    private EntryDifference() {}

    /** Adds the names that were added, removed and replaced, each with the facts of its certificate. */
    static void write(AuditLine line, Map<String, ?> before, Map<String, ?> after) {
        line.putEntries(
                "added",
                after.entrySet().stream()
                        .filter(entry -> !before.containsKey(entry.getKey()))
                        .map(entry -> entry(entry.getKey(), entry.getValue()))
                        .iterator());
        line.putEntries(
                "removed",
                before.entrySet().stream()
                        .filter(entry -> !after.containsKey(entry.getKey()))
                        .map(entry -> entry(entry.getKey(), entry.getValue()))
                        .iterator());
        line.putEntries(
                "replaced",
                after.entrySet().stream()
                        .filter(entry -> before.containsKey(entry.getKey())
                                && !entry.getValue().equals(before.get(entry.getKey())))
                        .map(entry -> replaced(
                                entry.getKey(), Objects.requireNonNull(before.get(entry.getKey())), entry.getValue()))
                        .iterator());
    }

    private static AuditLine.Entry entry(String name, Object content) {
        return json -> facts(json.createObjectNode().put("name", AuditLine.bounded(name)), content);
    }

    private static AuditLine.Entry replaced(String name, Object before, Object after) {
        return (JsonMapper json) -> {
            ObjectNode entry = json.createObjectNode().put("name", AuditLine.bounded(name));
            if (after instanceof X509Certificate) {
                facts(entry.putObject("before"), before);
                facts(entry.putObject("after"), after);
            }
            return entry;
        };
    }

    private static ObjectNode facts(ObjectNode entry, Object content) {
        if (content instanceof X509Certificate certificate) {
            try {
                entry.put("ski", KeyIdentifier.ofKey(certificate).toString());
            } catch (RuntimeException unreadable) { // a key of an unknown kind has no computed identifier
                entry.putNull("ski");
            }
            entry.put("subject", AuditLine.bounded(DistinguishedName.shown(certificate.getSubjectX500Principal())));
            entry.put("until", certificate.getNotAfter().toInstant().toString());
        }
        return entry;
    }
}
