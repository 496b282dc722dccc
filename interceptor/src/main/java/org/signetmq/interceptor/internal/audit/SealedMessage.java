/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.audit;

import org.jspecify.annotations.Nullable;
import org.signetmq.policy.EffectivePolicy;

/**
 * A message that the plugin sealed.
 *
 * @param messageId the Message-ID inside its envelope
 * @param sha256 the digest of the whole sealed body in hex, by which anybody finds the envelope without a key
 * @param address the address it was sealed for
 * @param sender the authenticated user, or null
 * @param policy the policy that was applied
 */
public record SealedMessage(
        String messageId,
        String sha256,
        String address,
        @Nullable String sender,
        EffectivePolicy policy) {}
