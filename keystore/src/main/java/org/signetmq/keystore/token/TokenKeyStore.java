/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECParameterSpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.home.ExternalKeys;
import org.signetmq.keystore.home.Finding;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore.IdentityKeys;
import org.signetmq.keystore.home.KeyWatch;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.keys.DaemonThreads;
import org.signetmq.keystore.token.KeyChoice.CurrentKeyRule;
import org.signetmq.keystore.token.KeyChoice.TokenKeys;

/**
 * A PKCS#11 token as a key store. The private keys stay in it; their certificates come from it, too. Thread-safe.
 *
 * <p>An identity of a token stays usable after the token was pulled out and put back. Between both, its operations
 * throw {@link KeystoreUnusableException}.
 */
public final class TokenKeyStore implements ExternalKeys {
    /** The environment variable with the PIN. */
    public static final String PIN_VARIABLE = "SIGNET_PIN";

    private static final long MAX_MILLIS = 10_000;
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final Duration WATCH_PAUSE = Duration.ofSeconds(1);
    private static final Map<String, TokenKeyStore> SHARED = new ConcurrentHashMap<>();

    private final TokenUri uri;
    private final TokenLogin login;
    private final TokenCalls calls;

    /** To list all objects may take long, and messages do not wait for it. */
    private final TokenCalls listingCalls;

    private final long pauseNanos;
    private String problem = ""; // guarded by this, as its time
    private long problemAt;

    /**
     * Creates a key store. It uses the token only when an identity is loaded.
     *
     * @param uri names the token, and the key in it
     * @param pins returns the PIN for each login, if the URI has no {@code pin-source}. The login closes it. Logins
     *     happen again after the token was pulled out.
     */
    public TokenKeyStore(TokenUri uri, Supplier<Password> pins) {
        this(uri, new TokenLogin(uri, pins), 0);
    }

    TokenKeyStore(TokenUri uri, TokenLogin login, long pauseNanos) {
        this.uri = uri;
        this.login = login;
        this.calls = new TokenCalls(uri.tokenInWords(), MAX_MILLIS);
        this.listingCalls = new TokenCalls(uri.tokenInWords(), MAX_MILLIS);
        this.pauseNanos = pauseNanos;
    }

    /**
     * Returns the key store of this process for a URI. The PIN comes from the URI's {@code pin-source} or from
     * {@value #PIN_VARIABLE}. A program may load an identity each second until the token is there: after a failure the
     * key store uses the token again only after five seconds.
     */
    public static TokenKeyStore shared(TokenUri uri) {
        return SHARED.computeIfAbsent(
                uri.text(),
                text -> new TokenKeyStore(
                        uri, new TokenLogin(uri, () -> fromEnvironment(System.getenv(PIN_VARIABLE))), PAUSE_NANOS));
    }

    private static Password fromEnvironment(@Nullable String pin) {
        if (pin == null || pin.isEmpty()) {
            throw new KeystoreUnusableException("key-store: no PIN; add pin-source=file:PATH to the URI, or set "
                    + PIN_VARIABLE + " in the environment");
        }
        return Password.takeOwnershipOf(pin.toCharArray());
    }

    /**
     * Finds the current key and proves that the token computes with it. Of several keys it is the one with the newest
     * certificate. Keys that may sign come before all others, and certificates that are already valid before later
     * ones.
     *
     * @param name the name of the identity. It is the label of the certificate, if the URI has neither {@code object}
     *     nor {@code id}.
     * @throws KeystoreUnusableException if the token is not there, refuses the PIN, or has no such key. Also if several
     *     keys could be the current one, and their certificates have different distinguished names.
     */
    public Identity load(String name) {
        return opened(name, () -> CurrentKeyRule.NONE).current();
    }

    /**
     * Finds all keys of an identity, and proves that the token computes with them. The current key is that of the first
     * certificate in {@code recipients/NAME.pem}, then in {@code trust/NAME.pem} of the home that may sign. If the
     * first certificate is that of an issuer, no other key than the issuer's is the current one. Without such a
     * certificate it is the key that {@link #load} returns. If the home has a certificate for a key, the identity has
     * it in place of that in the token.
     *
     * @param name the name of the identity. If the URI has neither {@code object} nor {@code id}, its keys are those
     *     whose certificates have this label, or are in the file of this name in the home.
     * @return the keys; its findings are about keys that are not used
     * @throws KeystoreUnusableException as {@link #load} does, and if the file in the home cannot be read
     */
    @Override
    public IdentityKeys loadAll(String name, Home home) {
        return opened(name, () -> CurrentKeyRule.of(home, name, List.of()));
    }

    /**
     * Loads all keys as {@link #loadAll} does, and checks the token and the home for changes until it is closed. A new
     * key becomes the current one only when the home has its certificate first. Until then the current key stays. A key
     * keeps its certificate, too, unless the home has another one for it.
     *
     * @throws KeystoreUnusableException as {@link #loadAll} does
     */
    @Override
    public KeyWatch watch(String name, Home home) {
        return new KeyWatch(name, loadAll(name, home), WATCH_PAUSE, before -> refreshed(home, before));
    }

    /** Returns the key that the URI names by a label or an id, whatever the home says; else the current key. */
    @Override
    public Identity requested(String name, Home home) {
        return uri.namesKey() ? load(name) : loadAll(name, home).current();
    }

    @Override
    public List<Identity> held(String name, Home home) {
        return loadAll(name, home).all();
    }

    private synchronized IdentityKeys opened(String name, Supplier<CurrentKeyRule> rules) {
        if (!problem.isEmpty() && System.nanoTime() - problemAt < pauseNanos) {
            throw new KeystoreUnusableException(problem);
        }
        try {
            CurrentKeyRule rule = rules.get();
            TokenKeys opened = calls.call(() -> login.open(name, rule));
            problem = "";
            return identities(name, opened, List.of());
        } catch (KeystoreUnusableException e) {
            problem = String.valueOf(e.getMessage());
            problemAt = System.nanoTime();
            throw e;
        }
    }

    /**
     * Returns the keys that the token has now. Identities that have not changed are the same objects. A former key that
     * the token could not read or use this time stays.
     */
    private IdentityKeys refreshed(Home home, IdentityKeys before) {
        Identity current = before.current();
        PublicKeyInfo key = PublicKeyInfo.of(current.certificate());
        CurrentKeyRule rule = CurrentKeyRule.of(
                home,
                current.name(),
                before.all().stream().map(Identity::certificate).toList());
        TokenKeys found = listingCalls.call(() -> login.refreshed(current.name(), rule));
        boolean isStillThere = found.keys().stream().anyMatch(one -> one.info().equals(key));
        if (!isStillThere && !rule.hasKey(found.keys().get(0).info())) {
            throw KeyChoice.anotherKey(uri, current.name());
        }
        return identities(current.name(), found, before.all());
    }

    private IdentityKeys identities(String name, TokenKeys found, List<Identity> before) {
        List<Identity> all = Stream.concat(
                        found.keys().stream().map(key -> identity(name, key, before)),
                        before.stream().filter(known -> found.failed().contains(PublicKeyInfo.of(known.certificate()))))
                .toList();
        List<Finding> findings = found.problems().stream()
                .distinct()
                .map(text -> text.replace(uri.tokenInWords() + ": ", ""))
                .map(text -> new Finding(uri.tokenInWords(), text, "pkcs11-tool --list-objects"))
                .toList();
        return new IdentityKeys(all.get(0), all.subList(1, all.size()), findings);
    }

    private Identity identity(String name, OpenedKey key, List<Identity> before) {
        PublicKeyInfo info = key.info();
        for (Identity known : before) {
            if (PublicKeyInfo.of(known.certificate()).equals(info)) {
                return known.chain().equals(key.chain()) ? known : new Identity(name, known.privateKey(), key.chain());
            }
        }
        return new Identity(name, new TokenKey(uri, calls, failed -> login.reopen(name, failed), key), key.chain());
    }

    /**
     * A private key in a token, which it never leaves. After a failure it proves itself. If the proof fails, too, it
     * opens the token anew. Then it runs the operation once more. It opens the token at most every two seconds; between
     * them all operations fail at once with the last reason. Thread-safe.
     */
    static final class TokenKey implements PrivateKeyOperations {
        private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);
        private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(5);

        private final TokenUri uri;
        private final TokenCalls calls;
        private final UnaryOperator<OpenedKey> opening;
        private final PublicKey publicKey;
        private volatile @Nullable OpenedKey current;
        private volatile long lastSuccess = System.nanoTime();
        private long lastOpening = System.nanoTime() - RETRY_NANOS; // guarded by this, as the problem
        private String problem = "";
        private OpenedKey last;

        /** An operation in the token. */
        @FunctionalInterface
        interface Operation<T> {
            T apply(OpenedKey opened) throws GeneralSecurityException;
        }

        /**
         * Creates the operations of a key.
         *
         * @param opening opens the token and finds the same key again, from the key that works no more. It throws
         *     {@link KeystoreUnusableException} if the token is not there, or does not have this key.
         */
        TokenKey(TokenUri uri, TokenCalls calls, UnaryOperator<OpenedKey> opening, OpenedKey first) {
            this.uri = uri;
            this.calls = calls;
            this.opening = opening;
            this.publicKey = first.publicKey();
            this.current = first;
            this.last = first;
        }

        @Override
        public byte[] sign(SignatureScheme scheme, String digest, byte[] bytes) {
            SignatureScheme natural = SignatureScheme.of(publicKey).orElse(null);
            if (scheme != natural && !(natural == SignatureScheme.RSA && scheme == SignatureScheme.RSA_PSS)) {
                throw new KeystoreUnusableException(
                        "private key: its kind is " + publicKey.getAlgorithm() + ", so it cannot sign with " + scheme);
            }
            byte[] signed = bytes.clone(); // a call that takes too long goes on without its caller
            return call(opened -> opened.sign(scheme, digest, signed))
                    .orElseThrow(() -> new KeystoreUnusableException(
                            "private key: its token does not sign with " + scheme + " and " + digest));
        }

        @Override
        public byte @Nullable [] unwrap(KeyTransportPadding padding, byte[] wrapped) {
            if (!(publicKey instanceof RSAPublicKey rsa) || !OpenedKey.isCiphertext(wrapped, rsa)) {
                return null;
            }
            byte[] block = wrapped.clone();
            byte[] padded = call(opened -> opened.decrypt(block)).orElse(null);
            if (padded == null) {
                return null;
            }
            byte[] key = RsaPadding.remove(padding, padded);
            Arrays.fill(padded, (byte) 0);
            return key;
        }

        @Override
        public byte @Nullable [] agree(PublicKey other) {
            if (!(publicKey instanceof ECPublicKey own)
                    || !(other instanceof ECPublicKey theirs)
                    || !isSameCurve(own.getParams(), theirs.getParams())) {
                return null;
            }
            return call(opened -> opened.agree(theirs)).orElse(null);
        }

        /** The providers' own comparison of curves also counts seeds, which do not matter. */
        private static boolean isSameCurve(ECParameterSpec one, ECParameterSpec other) {
            return one.getCurve().getField() instanceof ECFieldFp field
                    && other.getCurve().getField() instanceof ECFieldFp otherField
                    && field.getP().equals(otherField.getP())
                    && one.getCurve().getA().equals(other.getCurve().getA())
                    && one.getCurve().getB().equals(other.getCurve().getB())
                    && one.getOrder().equals(other.getOrder());
        }

        /** Checks the token, if no operation of the last seconds shows that it works. */
        @Override
        public void requireUsable() {
            boolean isKnownToWork = current != null && System.nanoTime() - lastSuccess < CHECK_NANOS;
            if (!isKnownToWork && !call(OpenedKey::proves).orElse(false)) {
                throw new KeystoreUnusableException(uri.tokenInWords() + ": it computes with another key than before");
            }
        }

        /**
         * Returns the result of an operation. It is empty if the token rejects the input, but computes with the key. A
         * sender may have chosen that input, so this class does not open the token anew then.
         *
         * @throws KeystoreUnusableException if the key may not do it, or the token cannot be used now
         */
        <T> Optional<T> call(Operation<T> operation) {
            return calls.call(() -> attempt(operation));
        }

        private <T> Optional<T> attempt(Operation<T> operation) {
            OpenedKey now = current;
            OpenedKey key = now == null ? reopened(null, "it is not there") : now;
            try {
                return succeeded(operation.apply(key));
            } catch (GeneralSecurityException | RuntimeException e) {
                TokenFailure failure = TokenFailure.of(e);
                return switch (failure.kind()) {
                    case INPUT -> Optional.empty();
                    case NOT_PERMITTED ->
                        throw new KeystoreUnusableException(
                                uri.tokenInWords()
                                        + ": the token refuses this operation for the key, or does not support it ("
                                        + failure.code() + "); check the usage of the key in the token",
                                e);
                    case PIN, GONE -> again(operation, isWorking(key) ? key : reopened(key, inWords(failure)));
                };
            }
        }

        private <T> Optional<T> again(Operation<T> operation, OpenedKey key) {
            try {
                return succeeded(operation.apply(key));
            } catch (GeneralSecurityException | RuntimeException e) {
                if (isWorking(key)) {
                    return Optional.empty();
                }
                throw new KeystoreUnusableException(uri.tokenInWords() + ": " + inWords(TokenFailure.of(e)), e);
            }
        }

        private static boolean isWorking(OpenedKey key) {
            try {
                return key.proves();
            } catch (GeneralSecurityException | RuntimeException e) {
                return false;
            }
        }

        private static String inWords(TokenFailure failure) {
            return "it failed (" + failure.code() + "); if it was pulled out, put it back: Signet opens it by itself";
        }

        private <T> Optional<T> succeeded(T result) {
            lastSuccess = System.nanoTime();
            return Optional.of(result);
        }

        @SuppressWarnings("ReferenceEquality") // a key of another login is another one
        private synchronized OpenedKey reopened(@Nullable OpenedKey failed, String reason) {
            OpenedKey now = current;
            if (now != null && now != failed) {
                return now; // another thread has opened it
            }
            if (System.nanoTime() - lastOpening < RETRY_NANOS) {
                throw new KeystoreUnusableException(problem.isEmpty() ? uri.tokenInWords() + ": " + reason : problem);
            }
            current = null; // its handles may mean other keys when the token is back
            try {
                last = opening.apply(last);
                current = last;
                problem = "";
                return last;
            } catch (KeystoreUnusableException e) {
                problem = String.valueOf(e.getMessage());
                throw e;
            } finally {
                lastOpening = System.nanoTime();
            }
        }

        /** Returns the kind of the key. */
        @Override
        public String toString() {
            return "TokenKey[" + publicKey.getAlgorithm() + "]";
        }
    }

    /**
     * Bounds the time and number of calls to a token. No call of a PKCS#11 library can be interrupted, so each runs in
     * a thread of this class, and its caller waits for a limited time. The number of threads limits the sessions in the
     * token. Idle threads end.
     *
     * <p>After a call that took too long all others fail at once, but for one in five seconds, until some call ends. So
     * a token that hangs does not stop all threads that need it for the whole limit. Thread-safe.
     */
    static final class TokenCalls {
        private static final int THREADS = 16;
        private static final int WAITING = 1024;
        private static final long IDLE_SECONDS = 5;
        private static final long TRIAL_NANOS = TimeUnit.SECONDS.toNanos(5);

        private final String token;
        private final long maxMillis;
        private final ThreadPoolExecutor threads;
        private volatile boolean isHanging;
        private final AtomicLong lastTrial = new AtomicLong();

        /**
         * Creates an object without threads.
         *
         * @param token names the token in messages
         * @param maxMillis how long a caller waits
         */
        TokenCalls(String token, long maxMillis) {
            this.token = token;
            this.maxMillis = maxMillis;
            this.threads = new ThreadPoolExecutor(
                    THREADS,
                    THREADS,
                    IDLE_SECONDS,
                    TimeUnit.SECONDS,
                    new ArrayBlockingQueue<>(WAITING),
                    new DaemonThreads("signet-token"));
            threads.allowCoreThreadTimeOut(true);
        }

        /**
         * Runs a call and returns its result.
         *
         * @throws KeystoreUnusableException if the call throws it, takes too long, or too many calls wait
         */
        <T> T call(Callable<T> call) {
            if (isHanging && !isTrial()) {
                throw tooSlow(null);
            }
            Future<T> result = submitted(call);
            try {
                return result.get(maxMillis, TimeUnit.MILLISECONDS);
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof KeystoreUnusableException told) {
                    throw told;
                }
                throw new KeystoreUnusableException(
                        token + ": it cannot be used ("
                                + TokenFailure.of(failed).code() + ")",
                        failed);
            } catch (TimeoutException slow) {
                lastTrial.set(System.nanoTime());
                isHanging = true;
                abandon(result);
                throw tooSlow(slow);
            } catch (InterruptedException interrupted) {
                abandon(result);
                Thread.currentThread().interrupt();
                throw new KeystoreUnusableException(token + ": interrupted", interrupted);
            }
        }

        /** Returns whether this thread may try a token that hangs. */
        private boolean isTrial() {
            long last = lastTrial.get();
            long now = System.nanoTime();
            return now - last > TRIAL_NANOS && lastTrial.compareAndSet(last, now);
        }

        private void abandon(Future<?> result) {
            result.cancel(false);
            threads.purge();
        }

        private KeystoreUnusableException tooSlow(@Nullable TimeoutException cause) {
            return new KeystoreUnusableException(
                    token + ": no answer in " + maxMillis / 1000 + " s; check the token and its connection", cause);
        }

        private <T> T ended(Callable<T> call) throws Exception {
            try {
                return call.call();
            } finally {
                isHanging = false;
            }
        }

        private <T> Future<T> submitted(Callable<T> call) {
            try {
                return threads.submit(() -> ended(call));
            } catch (RejectedExecutionException full) {
                throw new KeystoreUnusableException(
                        token + ": more than " + WAITING + " operations wait for it; it is too slow, or it hangs",
                        full);
            }
        }
    }
}
