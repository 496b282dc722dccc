/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.signetmq.keystore.Identity;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;

/** The bytes that a thread allocates to open one message after the other. */
final class OpeningAllocationTest {
    @RegisterExtension
    static Parties parties = new Parties();

    /** The bytes beside the payload's array. Some 1,200 are needed, and 2,000 with the JDK's cipher. */
    private static final long MOST = 2_500;

    private static final int PAYLOAD = 2_048;
    private static final int KEY_REUSE = 32;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Allocation does not depend on time, and the cheapest round on nothing that other threads do. */
    @Test
    void messagesUnderAKnownDataKey_allocateLittleBesideTheirPayload() {
        Identity bob = parties.identity("bob");
        PolicySet policies = Parties.policies(Policy.confidentiality(
                Parties.ADDRESS, List.of("bob"), new KeyLimits(KEY_REUSE, 1 << 20, KeyLimits.DEFAULT_AGE)));
        byte[] envelope = parties.seal(Parties.text(new byte[PAYLOAD]), policies, bob);
        try (Opener opener = parties.opener(List.of(bob), policies)) {
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 50; round++) {
                long before =
                        THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
                for (int i = 0; i < KEY_REUSE; i++) {
                    opener.open(ByteBuffer.wrap(envelope), Parties.ADDRESS);
                }
                long all =
                        THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
                least = Math.min(least, all / KEY_REUSE);
            }

            assertThat(least - PAYLOAD)
                    .as("bytes allocated for a message beside its payload")
                    .isLessThanOrEqualTo(MOST);
        }
    }
}
