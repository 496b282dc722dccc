/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One state of the directory, by everything that can be asked for. Immutable. */
record RecipientIndex(
        long version,
        Map<String, Recipient> byName,
        Map<DistinguishedName, List<Recipient>> byDn,
        Map<KeyIdentifier, List<Recipient>> byKey) {
    static final RecipientIndex EMPTY = new RecipientIndex(0, Map.of(), Map.of(), Map.of());
    private static final Logger LOG = LoggerFactory.getLogger(RecipientIndex.class);

    static RecipientIndex of(WatchedFolder.Contents<X509Certificate> contents) {
        Map<String, Recipient> byName = new TreeMap<>();
        contents.files().forEach((file, parsed) -> {
            X509Certificate certificate = parsed.value();
            if (certificate != null
                    && byName.putIfAbsent(file.stem(), new Recipient(file.stem(), certificate)) != null) {
                LOG.warn("{} is not used: another file has the same name before its extension", file.name());
            }
        });
        Map<DistinguishedName, List<Recipient>> byDn = new HashMap<>();
        Map<KeyIdentifier, List<Recipient>> byKey = new HashMap<>();
        for (Recipient recipient : byName.values()) {
            DistinguishedName dn = DistinguishedName.of(recipient.certificate().getSubjectX500Principal());
            byDn.computeIfAbsent(dn, any -> new ArrayList<>()).add(recipient);
            byKey.computeIfAbsent(recipient.keyIdentifier(), any -> new ArrayList<>())
                    .add(recipient);
        }
        return new RecipientIndex(contents.version(), byName, byDn, byKey);
    }

    Optional<Recipient> find(Selector selector, Instant now) {
        if (selector instanceof Selector.ByName byNameSelector) {
            return Optional.ofNullable(byName.get(byNameSelector.name()));
        }
        if (selector instanceof Selector.ByKey key) {
            return best(find(key.identifier()), now);
        }
        return selector instanceof Selector.ByDn dn ? best(byDn.getOrDefault(dn.name(), List.of()), now) : none();
    }

    List<Recipient> find(KeyIdentifier keyIdentifier) {
        return List.copyOf(byKey.getOrDefault(keyIdentifier, List.of()));
    }

    List<Recipient> all() {
        return List.copyOf(byName.values());
    }

    private static Optional<Recipient> none() {
        return Optional.empty();
    }

    /** A valid one before others, then the newest: what a renewal leaves in the folder. */
    private static Optional<Recipient> best(List<Recipient> candidates, Instant now) {
        return candidates.stream()
                .max(Comparator.<Recipient, Boolean>comparing(recipient -> isValid(recipient.certificate(), now))
                        .thenComparing(recipient -> recipient.certificate().getNotBefore()));
    }

    private static boolean isValid(X509Certificate certificate, Instant now) {
        return !now.isBefore(certificate.getNotBefore().toInstant())
                && !now.isAfter(certificate.getNotAfter().toInstant());
    }
}
