/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.SignatureScheme;

/**
 * A private key behind a service with the calls of cloud key services: sign a digest, decrypt, derive a shared secret.
 * The service has a thread of its own, and uses the JDK's primitives alone. It can be gone or hang.
 */
final class RemoteKey implements PrivateKeyOperations, AutoCloseable {
    private static final long MOST_MILLIS = 500;
    private static final OAEPParameterSpec OAEP =
            new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT);

    private final PrivateKey key;
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
        this.key = key;
    }

    void become(State next) {
        state = next;
    }

    int calls() {
        return calls.get();
    }

    @Override
    public byte[] sign(SignatureScheme scheme, String digest, byte[] bytes) {
        byte[] answer = call(() -> scheme == SignatureScheme.ECDSA
                ? signed(
                        "NONEwithECDSA",
                        scheme,
                        MessageDigest.getInstance(digest).digest(bytes))
                : signed(scheme.primitive(digest), scheme, bytes));
        if (answer == null) {
            throw new KeystoreUnusableException("key service: the key cannot sign with " + scheme);
        }
        return answer;
    }

    private byte[] signed(String algorithm, SignatureScheme scheme, byte[] bytes) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(algorithm);
        if (scheme == SignatureScheme.RSA_PSS) {
            signature.setParameter(scheme.parameters("SHA-512"));
        }
        signature.initSign(key);
        signature.update(bytes);
        return signature.sign();
    }

    @Override
    public byte @Nullable [] unwrap(KeyTransportPadding padding, byte[] wrapped) {
        return call(() -> {
            boolean oaep = padding == KeyTransportPadding.OAEP_SHA_256;
            Cipher cipher = Cipher.getInstance(oaep ? "RSA/ECB/OAEPPadding" : "RSA/ECB/PKCS1Padding");
            cipher.init(Cipher.DECRYPT_MODE, key, oaep ? OAEP : null);
            return cipher.doFinal(wrapped);
        });
    }

    @Override
    public byte @Nullable [] agree(PublicKey other) {
        byte[] sent = other.getEncoded();
        return call(() -> {
            KeyAgreement agreement = KeyAgreement.getInstance("ECDH", "SunEC");
            agreement.init(key);
            agreement.doPhase(KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(sent)), true);
            return agreement.generateSecret();
        });
    }

    private byte @Nullable [] call(Callable<byte[]> operation) {
        calls.incrementAndGet();
        Future<byte[]> answer = service.submit(() -> {
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
            if (failed.getCause() instanceof GeneralSecurityException) {
                return null;
            }
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
