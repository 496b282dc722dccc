/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Provider;
import java.security.Security;
import java.security.cert.Certificate;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;

/** A token in memory. Its keys come and go, and a listing of it can hang as one in a native library does. */
final class FakeToken {
    final AtomicInteger logins = new AtomicInteger();

    /** Ends all listings that hang. */
    final CountDownLatch released = new CountDownLatch(1);

    /** The next listing counts it down and hangs. */
    final AtomicReference<@Nullable CountDownLatch> hanging = new AtomicReference<>();

    /** The aliases of keys that the token cannot read now. */
    final Set<String> unreadable = ConcurrentHashMap.newKeySet();

    private final Map<String, Party> keys = new ConcurrentHashMap<>();

    FakeToken with(String alias, Party key) {
        keys.put(alias, key);
        return this;
    }

    void remove(String alias) {
        keys.remove(alias);
    }

    /** Makes a provider of this token, as each login does. */
    TokenProvider provider(Path module, int slot) {
        return new TokenProvider(new Computing()) {
            @Override
            void login(char[] pin) {
                logins.incrementAndGet();
            }

            @Override
            KeyStore list() throws GeneralSecurityException, IOException {
                hang();
                return listed();
            }
        };
    }

    private void hang() throws IOException {
        CountDownLatch begun = hanging.getAndSet(null);
        if (begun == null) {
            return;
        }
        begun.countDown();
        try {
            released.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private KeyStore listed() throws GeneralSecurityException, IOException {
        KeyStore listed = KeyStore.getInstance("PKCS12");
        listed.load(null, null);
        for (Map.Entry<String, Party> key : keys.entrySet()) {
            Certificate[] chain = {key.getValue().certificate()};
            char[] password = unreadable.contains(key.getKey()) ? new char[] {'x'} : new char[0];
            listed.setKeyEntry(key.getKey(), key.getValue().pair().getPrivate(), password, chain);
        }
        return listed;
    }

    /** Computes as the JDK does. Each login has another one. */
    private static final class Computing extends Provider {
        private static final long serialVersionUID = 1L;

        private Computing() {
            super("Computing", "1", "a token in memory");
        }

        @Override
        public @Nullable Service getService(String type, String algorithm) {
            return Security.getProvider("SunEC").getService(type, algorithm);
        }
    }
}
