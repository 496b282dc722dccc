/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import static org.signetmq.perf.result.Bar.atLeast;
import static org.signetmq.perf.result.Bar.atMost;

import java.util.List;
import org.signetmq.keystore.token.TokenKeyStore;
import org.signetmq.keystore.token.TokenUri;
import org.signetmq.perf.keys.TokenKeys;
import org.signetmq.perf.keys.UnwrapCount;
import org.signetmq.perf.result.Pick;

/** What remembering opened keys saves, and what keys in tokens cost. The mailbox shows keys made ahead of need. */
public final class KeysExperiment {
    private KeysExperiment() {}

    /** Returns the experiment; with tokens, these URIs name the keys that it compares instead. */
    public static Experiment of(List<String> tokens) {
        Pick unwraps = Pick.of("unwraps", "setting", "cache of 1024", "clients", 241);
        Pick p256 = Pick.of("share", "part", "tokens p256", "setting", "token");
        Pick rsa2048 = Pick.of("share", "part", "tokens rsa2048", "setting", "token");
        return new Experiment(
                "keys",
                "Data keys that are remembered, and keys in tokens",
                "",
                runner -> {
                    if (tokens.isEmpty()) {
                        UnwrapCount.measure(runner);
                    }
                    for (String token : tokens) {
                        try (TokenKeys keys = new TokenKeys(
                                TokenKeyStore.shared(TokenUri.parse(token)).load("token"))) {
                            keys.measure(runner);
                        }
                    }
                },
                List.of(
                        atMost(1.05 / 32, "keys unwrapped for a message of 241 producers", unwraps),
                        atLeast(0.9, "key in a token / in a file, p256", p256),
                        atLeast(0.9, "key in a token / in a file, rsa2048", rsa2048)),
                List.of(),
                null);
    }
}
