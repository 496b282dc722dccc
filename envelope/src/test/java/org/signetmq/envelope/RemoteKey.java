/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.SoftwareKey;

/**
 * A private key behind a service with the calls of cloud key services: sign a digest, decrypt, derive a shared secret.
 * The service has a thread of its own, and the JDK's providers. It can be gone or hang.
 */
final class RemoteKey implements PrivateKeyOperations, AutoCloseable {
    private static final long MOST_MILLIS = 500;

    private final SoftwareKey key;
    private final ExecutorService service = Executors.newSingleThreadExecutor();
    private final AtomicInteger calls = new AtomicInteger();
    private final CountDownLatch never = new CountDownLatch(1);
    private volatile State state = State.WORKS;

    enum State {
        WORKS,
        GONE,
        HANGS
    }

    RemoteKey(PrivateKey key) {
        this.key = new SoftwareKey(key, CryptoProviders.jdk());
    }

    void become(State next) {
        state = next;
    }

    int calls() {
        return calls.get();
    }

    @Override
    public byte[] sign(SignatureScheme scheme, String digest, byte[] bytes) {
        return Objects.requireNonNull(call(() -> key.sign(scheme, digest, bytes)));
    }

    @Override
    public byte @Nullable [] unwrap(KeyTransportPadding padding, byte[] wrapped) {
        return call(() -> key.unwrap(padding, wrapped));
    }

    @Override
    public byte @Nullable [] agree(PublicKey other) {
        return call(() -> key.agree(other));
    }

    private byte @Nullable [] call(Callable<byte @Nullable []> operation) {
        calls.incrementAndGet();
        Future<byte @Nullable []> answer = service.submit(() -> {
            if (state == State.HANGS) {
                never.await();
            }
            if (state == State.GONE) {
                throw new IllegalStateException("gone");
            }
            return operation.call();
        });
        try {
            return answer.get(MOST_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw new KeystoreUnusableException("key service: it is gone; start it", failed);
        } catch (TimeoutException slow) {
            answer.cancel(true);
            throw new KeystoreUnusableException("key service: no answer in " + MOST_MILLIS + " ms", slow);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new KeystoreUnusableException("key service: interrupted", interrupted);
        }
    }

    @Override
    public void close() {
        service.shutdownNow();
    }
}
