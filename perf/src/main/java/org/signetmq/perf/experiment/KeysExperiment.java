/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import java.util.ArrayList;
import java.util.List;
import org.signetmq.keystore.token.TokenKeyStore;
import org.signetmq.keystore.token.TokenUri;
import org.signetmq.perf.keys.TokenKeys;
import org.signetmq.perf.keys.UnwrapCount;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.Pick;

/** What remembering opened keys saves, and what keys in tokens cost. The mailbox shows keys made ahead of need. */
final class KeysExperiment {
    private KeysExperiment() {}

    /** Returns the experiment; with tokens, these URIs name the keys that it compares instead. */
    static Experiment of(List<String> tokens) {
        List<Bar> bars = new ArrayList<>(List.of(Bar.atMost(
                1.05 / 32,
                "keys unwrapped for a message of 241 producers",
                Pick.of("unwraps", "setting", "cache of 1024", "clients", 241))));
        for (String kind : List.of("p256", "rsa2048")) {
            Pick share = Pick.of("share", "part", "tokens " + kind, "setting", "token");
            bars.add(Bar.atLeast(0.9, "key in a token / in a file, " + kind, share));
        }
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
                bars,
                List.of(),
                null);
    }
}
