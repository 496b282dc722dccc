/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.ams;

import java.security.GeneralSecurityException;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Variant;

/**
 * Messages from one sender to one recipient, all protected in the same way. Makes their producers and consumers. A
 * process that only produces or only consumes needs both identities, too.
 *
 * @param variant the quality and the key reuse, which counts for confidentiality only; keys are RSA keys
 */
public record AmsRoute(Variant variant, AmsIdentity sender, AmsIdentity recipient, AmsProvider provider) {
    /**
     * Makes a route.
     *
     * @throws IllegalArgumentException if the variant does not protect, or has other keys than RSA
     */
    public AmsRoute {
        if (!variant.protects()) {
            throw new IllegalArgumentException("quality: must protect, found '" + variant.label() + "'");
        }
        if (variant.key() != KeyKind.RSA2048) {
            throw new IllegalArgumentException(
                    "key: must be rsa2048, found '" + variant.key().label() + "'");
        }
    }

    /** Returns a new producer, which has no content key yet. */
    public AmsProducer producer() throws GeneralSecurityException {
        return new AmsProducer(this);
    }

    /** Returns a new consumer that remembers one opened key, as AMS does. */
    public AmsConsumer consumer() throws GeneralSecurityException {
        return consumer(1);
    }

    /**
     * Returns a new consumer that remembers this number of opened keys.
     *
     * @throws IllegalArgumentException if the number is below 1
     */
    public AmsConsumer consumer(int rememberedKeys) throws GeneralSecurityException {
        return new AmsConsumer(this, rememberedKeys);
    }
}
