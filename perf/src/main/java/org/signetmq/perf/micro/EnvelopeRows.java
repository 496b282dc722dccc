/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.util.stream.IntStream;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.perf.Payload;
import org.signetmq.policy.EffectivePolicy;

/** Sealing and opening by the product. */
final class EnvelopeRows {
    /** More envelopes than one key reuse, so that warm opening meets several data keys. */
    private static final int ENVELOPES = 256;

    /**
     * More than the 10,000 keys that an opener remembers, the least recently used of which it drops: when the turn of
     * an envelope comes again, its key is forgotten.
     */
    static final int FORGOTTEN = 10_500;

    private EnvelopeRows() {}

    static Operation operation(RowName name, Scene scene) {
        byte[] payload = Payload.ofSize(name.size());
        if (name.word(0).equals("seal")) {
            return seal(scene, payload);
        }
        return name.word(2).equals("cold") ? openCold(name, scene, payload) : openWarm(scene, payload);
    }

    private static Operation seal(Scene scene, byte[] payload) {
        Sealer sealer = scene.sealer();
        EffectivePolicy policy = scene.policy();
        Identity producer = scene.producer();
        ClearMessage message = scene.message(payload);
        return () -> sealer.seal(message, policy, producer);
    }

    private static Operation openWarm(Scene scene, byte[] payload) {
        return inTurn(scene.opener(), sealedByOne(scene, payload));
    }

    /**
     * Nothing is remembered of the key of the message: neither data key nor key agreement, and where there is no key,
     * not the signer's certificate.
     */
    private static Operation openCold(RowName name, Scene scene, byte[] payload) {
        if (name.word(1).equals("integrity")) {
            byte[][] envelopes = sealedByOne(scene, payload);
            int[] next = new int[1];
            return () -> {
                try (Opener opener = scene.openerOfNobody()) {
                    return opener.open(envelopes[next[0]++ % envelopes.length], Scene.ADDRESS);
                }
            };
        }
        boolean neverRemembered = name.word(1).equals("privacy") && name.word(3).equals("rsa2048");
        return inTurn(scene.opener(), neverRemembered ? sealedByOne(scene, payload) : sealedByMany(scene, payload));
    }

    static Operation inTurn(Opener opener, byte[][] envelopes) {
        ThreadLocal<int[]> next = ThreadLocal.withInitial(() -> new int[1]);
        return () -> opener.open(envelopes[next.get()[0]++ % envelopes.length], Scene.ADDRESS);
    }

    private static byte[][] sealedByOne(Scene scene, byte[] payload) {
        byte[][] envelopes = new byte[ENVELOPES][];
        try (Sealer sealer = scene.sealer()) {
            for (int i = 0; i < ENVELOPES; i++) {
                envelopes[i] = sealer.seal(scene.message(payload), scene.policy(), scene.producer());
            }
        }
        return envelopes;
    }

    /** No two under one data key or one key agreement. */
    static byte[][] sealedByMany(Scene scene, byte[] payload) {
        return IntStream.range(0, FORGOTTEN)
                .parallel()
                .mapToObj(i -> {
                    try (Sealer sealer = scene.sealerWithoutPool()) {
                        return sealer.seal(scene.message(payload), scene.policy(), scene.producer());
                    }
                })
                .toArray(byte[][]::new);
    }
}
