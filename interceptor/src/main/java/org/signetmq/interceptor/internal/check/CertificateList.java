/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.signetmq.interceptor.internal.home.LoadedHome;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.trust.CertificateEnd;

/**
 * Lists the certificates that messages need now: the broker's own, those of names in policies, and those of issuers
 * without a successor. The first to end comes first.
 *
 * @param now the time of the answer
 */
public record CertificateList(Readiness readiness, Instant now) {
    /** The greatest number of certificates in an answer. */
    static final int MOST = 200;

    /** The greatest length of all names and subjects together, in characters, because an answer is one message. */
    static final int LONGEST = 30_000;

    /** A certificate and its use. */
    private record Entry(String kind, String name, X509Certificate certificate) {
        private Instant end() {
            return certificate.getNotAfter().toInstant();
        }
    }

    /** Returns the list as JSON of a bounded length, with the number of certificates left out. */
    public String answer() {
        ObjectNode answer = JsonNodeFactory.instance.objectNode().put("time", now.toString());
        ArrayNode list = answer.putArray("certificates");
        List<Entry> entries = entries();
        int length = 0;
        for (Entry entry : entries) {
            String name = Shown.text(entry.name());
            String subject =
                    Shown.text(DistinguishedName.shown(entry.certificate().getSubjectX500Principal()));
            length += name.length() + subject.length();
            if (list.size() == MOST || length > LONGEST) {
                break;
            }
            list.addObject()
                    .put("kind", entry.kind())
                    .put("name", name)
                    .put("subject", subject)
                    .put("until", entry.end().toString())
                    .put(
                            "days",
                            Math.floorDiv(
                                    Duration.between(now, entry.end()).toSeconds(),
                                    Duration.ofDays(1).toSeconds()));
        }
        return answer.put("left-out", entries.size() - list.size()).toString();
    }

    private List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        if (readiness instanceof Readiness.Ready ready) {
            Set<X509Certificate> seen = new HashSet<>();
            LoadedHome home = ready.home();
            own(home).ifPresent(own -> add(entries, seen, own));
            CertificateCheck.names(ready)
                    .flatMap(name -> CertificateCheck.named(name, home))
                    .forEach(party ->
                            add(entries, seen, new Entry("party", "recipients/" + party.name(), party.certificate())));
            CertificateEnd.withoutSuccessor(home.names().trust().trusted())
                    .forEach(issuer ->
                            add(entries, seen, new Entry("issuer", "trust/" + issuer.name(), issuer.certificate())));
            entries.sort(Comparator.comparing(Entry::end)); // stable: own, parties and issuers keep their order
        }
        return entries;
    }

    /** Returns the broker's own certificate; empty if it cannot be loaded, which the state shows. */
    private static Optional<Entry> own(LoadedHome home) {
        try {
            return Optional.of(
                    new Entry("own", "identity", home.identities().ofBroker().certificate()));
        } catch (KeystoreUnusableException unknown) {
            return Optional.empty();
        }
    }

    private static void add(List<Entry> entries, Set<X509Certificate> seen, Entry entry) {
        if (seen.add(entry.certificate())) {
            entries.add(entry);
        }
    }
}
