/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.signetmq.keystore.keys.AsymmetricOperations;
import org.signetmq.keystore.trust.CertificateTrust;

/**
 * The cost of one message: asymmetric operations of the process, and bytes that its thread allocated.
 *
 * @param privateKey operations with a private key
 * @param verifications of signatures, of messages and certificates
 * @param bytes allocated in all, garbage included
 */
record Cost(long privateKey, long verifications, long bytes) {
    /** The bytes of objects that do not grow in number with the message. */
    static final long CONSTANT = 256 << 10;

    /** The most bytes for each byte of a message. A fuzzer copies compared arrays, so its measure is rough. */
    private static final int FACTOR = System.getenv("JAZZER_FUZZ") == null ? 4 : 64;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Returns the cheapest of three runs, which loads no class. */
    static Cost ofThree(CertificateTrust trust, Runnable work) {
        Cost cheapest = of(trust, work);
        for (int i = 0; i < 2; i++) {
            Cost again = of(trust, work);
            cheapest = again.bytes < cheapest.bytes ? again : cheapest;
        }
        return cheapest;
    }

    /** Measures a run, with the verifications of certificates that this trust makes. */
    static Cost of(CertificateTrust trust, Runnable work) {
        Cost before = now(trust);
        work.run();
        Cost after = now(trust);
        return new Cost(
                after.privateKey - before.privateKey,
                after.verifications - before.verifications,
                after.bytes - before.bytes);
    }

    private static Cost now(CertificateTrust trust) {
        return new Cost(
                AsymmetricOperations.privateKey(),
                AsymmetricOperations.verifications() + trust.signatureVerifications(),
                THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()));
    }

    /** Returns these operations with the bytes of another run. */
    Cost withBytesOf(Cost other) {
        return new Cost(privateKey, verifications, other.bytes);
    }

    /**
     * Fails if the message cost more than the budget of {@code docs/format.md}.
     *
     * @param length of the message in bytes, or of the payload that it gave, if that is longer
     */
    void requireWithin(long length) {
        assertThat(privateKey).as("private-key operations").isLessThanOrEqualTo(2);
        assertThat(verifications).as("signature verifications").isLessThanOrEqualTo(8);
        assertThat(bytes)
                .as("bytes allocated for %s bytes", length)
                .isLessThanOrEqualTo(FACTOR * length + FACTOR * CONSTANT / 4);
    }
}
