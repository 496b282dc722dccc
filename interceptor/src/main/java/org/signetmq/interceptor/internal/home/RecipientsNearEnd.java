/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.trust.CertificateEnd;

/** Warns of recipients whose certificates end soon. */
final class RecipientsNearEnd {
    /** The greatest number of warnings in an answer. */
    private static final int MOST = 20;

    private RecipientsNearEnd() {}

    /** Returns one line for each of these names whose certificate ends within 30 days. */
    static List<String> warnings(Stream<String> names, RecipientDirectory certificates) {
        Instant now = Instant.now();
        return names.distinct()
                .flatMap(name -> warning(name, now, certificates).stream())
                .limit(MOST)
                .toList();
    }

    private static Optional<String> warning(String name, Instant now, RecipientDirectory certificates) {
        try {
            return certificates
                    .find(name)
                    .map(found -> CertificateEnd.of(found.certificate(), now))
                    .filter(end -> end.isNear() && !end.isPast()) // the check of names reports those in the past
                    .map(end -> "recipient '" + name + "': its certificate " + end.inWords()
                            + "; put a new certificate into recipients/ before that");
        } catch (KeystoreUnusableException unclear) {
            return Optional.empty(); // the check of names has reported it
        }
    }
}
