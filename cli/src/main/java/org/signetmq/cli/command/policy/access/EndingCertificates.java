/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.trust.CertificateEnd;

/** Finds recipients whose certificates end soon. After the end the broker rejects messages for them. */
record EndingCertificates(RecipientDirectory recipients, Clock clock) {
    private static final int MOST = 20;

    /** Returns a line for each of these recipients whose certificate ends within 30 days, at most twenty. */
    List<String> warnings(Stream<String> names) {
        List<String> all =
                names.distinct().flatMap(name -> warning(name).stream()).toList();
        if (all.size() <= MOST) {
            return all;
        }
        List<String> first = new ArrayList<>(all.subList(0, MOST));
        first.add("certificates of " + (all.size() - MOST) + " more recipients end within 30 days");
        return first;
    }

    private Optional<String> warning(String name) {
        Instant now = clock.instant();
        return found(name)
                .map(recipient -> CertificateEnd.of(recipient.certificate(), now))
                .filter(end -> end.isNear() && !end.isPast())
                .map(end -> "recipient '" + name + "': its certificate " + end.inWords()
                        + "; put a new one into recipients/ before, or messages are rejected then");
    }

    private Optional<Recipient> found(String name) {
        try {
            return recipients.find(name);
        } catch (KeystoreUnusableException e) {
            return Optional.empty(); // the judge of the policy tells it
        }
    }
}
