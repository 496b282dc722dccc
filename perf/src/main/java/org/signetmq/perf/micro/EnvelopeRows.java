/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import org.signetmq.envelope.ClearMessage;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.Sealer;
import org.signetmq.keystore.Identity;
import org.signetmq.perf.Payload;
import org.signetmq.policy.EffectivePolicy;

/** Sealing and opening by the product. */
final class EnvelopeRows {
    /** More envelopes than one key reuse, so that warm opening meets several data keys. */
    private static final int ENVELOPES = 256;

    private EnvelopeRows() {}

    static Operation operation(RowName name, Scene scene) {
        byte[] payload = Payload.ofSize(name.size());
        return name.word(0).equals("seal") ? seal(scene, payload) : open(name.word(2), scene, payload);
    }

    private static Operation seal(Scene scene, byte[] payload) {
        Sealer sealer = scene.sealer();
        EffectivePolicy policy = scene.policy();
        Identity producer = scene.producer();
        ClearMessage message = scene.message(payload);
        return () -> sealer.seal(message, policy, producer);
    }

    private static Operation open(String state, Scene scene, byte[] payload) {
        byte[][] envelopes = new byte[ENVELOPES][];
        try (Sealer sealer = scene.sealer()) {
            for (int i = 0; i < ENVELOPES; i++) {
                envelopes[i] = sealer.seal(scene.message(payload), scene.policy(), scene.producer());
            }
        }
        ThreadLocal<int[]> next = ThreadLocal.withInitial(() -> new int[1]);
        if (state.equals("cold")) {
            return () -> {
                try (Opener opener = scene.opener()) { // knows no key yet
                    return opener.open(envelopes[next.get()[0]++ & (ENVELOPES - 1)], Scene.ADDRESS);
                }
            };
        }
        Opener opener = scene.opener();
        return () -> opener.open(envelopes[next.get()[0]++ & (ENVELOPES - 1)], Scene.ADDRESS);
    }
}
