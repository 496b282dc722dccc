/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.policy.InvalidPolicyException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/** Explains in one line why Signet lets the application not start. Spring Boot prints it in place of a stack trace. */
final class StartFailureAnalyzer implements FailureAnalyzer {
    private static final Map<Class<?>, String> REMEDIES = Map.of(
            KeystoreUnusableException.class,
            "Correct the home that signet.home names; 'signet doctor home --home HOME' checks it.",
            InvalidPolicyException.class,
            "Correct policies.json of the home that signet.home names, or import a bundle of the broker's"
                    + " administrator with 'signet bundle import'.");

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String remedy = cause instanceof StartFailure known ? known.remedy() : REMEDIES.get(cause.getClass());
            if (remedy != null) {
                String problem = PrintableText.of(cause.getMessage(), PrintableText.LONGEST_REASON);
                return new FailureAnalysis("Signet: " + problem, remedy, cause);
            }
        }
        return null;
    }
}
