/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.log;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.trust.CertificateEnd;

/**
 * Warns of certificates 30, 7 and 1 days before their end, and at their end. Each warning comes once for a certificate.
 * After a restart, or if the clock went back, the right one comes again. Not thread-safe.
 */
public final class EndingCertificates {
    /** The greatest number of lines of one look. A further line has the number of all others. */
    static final int MOST_LINES = 20;

    /** The times before the end at which a warning comes, in days, the last first. */
    private static final List<Integer> STEPS = List.of(0, 1, 7, 30);

    /** The greatest length of the name of an owner, in characters. */
    private static final int LONGEST_NAME = 120;

    /**
     * A certificate and the words for it.
     *
     * @param owner the words, such as {@code recipients/alice.pem}
     */
    public record Owned(String owner, X509Certificate certificate) {
        private Instant end() {
            return certificate.getNotAfter().toInstant();
        }
    }

    /** The last step of each certificate of the last look that is near its end. */
    private Map<X509Certificate, Integer> warned = Map.of();

    /** Returns the new warnings, one line each, the first end first. */
    public List<String> look(List<Owned> certificates, Instant now) {
        Map<X509Certificate, Integer> near = new HashMap<>();
        List<Owned> fresh = new ArrayList<>();
        for (Owned each : certificates) {
            int step = step(each.end(), now);
            if (step >= 0 && near.put(each.certificate(), step) == null) {
                Integer before = warned.get(each.certificate());
                if (before == null || step != before) {
                    fresh.add(each);
                }
            }
        }
        warned = near;
        List<String> lines = new ArrayList<>();
        fresh.stream()
                .sorted(Comparator.comparing(Owned::end))
                .limit(MOST_LINES)
                .forEach(each -> lines.add("the certificate " + PrintableText.of(each.owner(), LONGEST_NAME) + " "
                        + new CertificateEnd(each.end(), now).inWords()));
        if (fresh.size() > MOST_LINES) {
            lines.add((fresh.size() - MOST_LINES) + " more certificates end soon; signet doctor --broker lists them");
        }
        return lines;
    }

    /** Returns the step that the end has reached; -1 if it is far. */
    private static int step(Instant end, Instant now) {
        for (int days : STEPS) {
            if (!end.isAfter(now.plus(Duration.ofDays(days)))) {
                return days;
            }
        }
        return -1;
    }
}
