/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.internal.crl.RevocationList;
import org.signetmq.keystore.internal.crl.RevocationLists;
import org.signetmq.keystore.internal.ocsp.OcspKey;
import org.signetmq.keystore.internal.ocsp.OcspStatus;

/**
 * All that was fetched, at one time. Immutable.
 *
 * @param version grows with each change that can change an answer about a certificate
 * @param lists the fetched lists, each signed by the issuer that was expected
 * @param answers the states in fetched OCSP answers, each signed by a rightful responder
 */
record KnownRevocations(long version, RevocationLists lists, Map<OcspKey, List<OcspStatus>> answers) {
    static final KnownRevocations NONE =
            new KnownRevocations(0, new RevocationLists(List.of(), List.of(), List.of()), Map.of());

    KnownRevocations {
        answers = Map.copyOf(answers);
    }

    /** Collects the answers of all targets. */
    static KnownRevocations of(long version, Map<RevocationTarget, RevocationFetch> targets) {
        Set<X509Certificate> issuers = new HashSet<>();
        List<RevocationList> lists = new ArrayList<>();
        Map<OcspKey, List<OcspStatus>> answers = new HashMap<>();
        targets.forEach((target, fetch) -> {
            issuers.add(fetch.issued().issuer());
            if (fetch.list() != null) {
                lists.add(fetch.list());
            }
            if (fetch.answer() != null && target.certificate() != null) {
                answers.computeIfAbsent(target.certificate(), any -> new ArrayList<>())
                        .add(fetch.answer());
            }
        });
        return new KnownRevocations(version, new RevocationLists(lists, List.of(), issuers), answers);
    }

    /** Returns the states of a certificate, one for each responder that answered. */
    List<OcspStatus> answers(OcspKey key) {
        return answers.getOrDefault(key, List.of());
    }

    /** Returns the later of two ends; null stands for none. */
    static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.isAfter(other) ? one : other;
    }
}
