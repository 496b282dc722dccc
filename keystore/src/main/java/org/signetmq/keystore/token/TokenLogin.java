/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.token.KeyChoice.CurrentKeyRule;
import org.signetmq.keystore.token.KeyChoice.Token;
import org.signetmq.keystore.token.KeyChoice.TokenKeys;

/**
 * Finds the token of a URI, logs in and finds the keys of an identity. It never sends a PIN again that the token
 * refused, because tokens lock after some wrong ones. Thread-safe.
 */
final class TokenLogin {
    private static final long PATIENCE_SECONDS = 2;

    private final TokenUri uri;
    private final Supplier<Password> pins;
    private final Tokens tokens;
    private final ReentrantLock refreshing = new ReentrantLock();

    /** Written under the monitor. A thread holds the monitor for a login, and never for a listing or a proof. */
    private volatile @Nullable Token session;

    /** Two threads may make it at the same time; then the later one stays. */
    private volatile @Nullable TokenListing listing;

    /** The certificates that a listing made for them did not have. */
    private final Set<X509Certificate> unlisted = ConcurrentHashMap.newKeySet();

    /** Makes the provider of a token, without a login. */
    @FunctionalInterface
    interface Tokens {
        TokenProvider of(Path module, int slot);
    }

    /**
     * The last PIN that each token refused in this process, as a salted digest. None is sent twice, however often an
     * application opens the token.
     */
    private static final class RefusedPins {
        private static final byte[] SALT = new byte[32];
        private static final Map<String, byte[]> DIGESTS = new ConcurrentHashMap<>();

        static {
            new SecureRandom().nextBytes(SALT);
        }

        private static byte[] digest(char[] ascii) {
            MessageDigest digest = CryptoProviders.digest("SHA-256");
            digest.update(SALT);
            for (char character : ascii) {
                digest.update((byte) character);
            }
            return digest.digest();
        }
    }

    TokenLogin(TokenUri uri, Supplier<Password> pins) {
        this(uri, pins, TokenProvider::of);
    }

    TokenLogin(TokenUri uri, Supplier<Password> pins, Tokens tokens) {
        this.uri = uri;
        this.pins = pins;
        this.tokens = tokens;
    }

    /**
     * Logs in and returns the keys of an identity.
     *
     * @param name the name of the identity
     * @param rule chooses the current key
     * @throws KeystoreUnusableException if the token is not there, refuses the PIN, or has no such key
     */
    TokenKeys open(String name, CurrentKeyRule rule) {
        synchronized (this) {
            session = null;
        }
        return using(name, rule, KeyChoice::from);
    }

    /**
     * Returns the keys as {@link #open} does, under the present login if there is one. No other method waits for it
     * while it lists and proves keys.
     *
     * @throws KeystoreUnusableException also if an earlier call has not ended
     */
    TokenKeys refreshed(String name, CurrentKeyRule rule) {
        boolean free = false;
        try { // another program part that uses the same token may be checking it
            free = refreshing.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!free) {
            throw new KeystoreUnusableException(
                    uri.tokenInWords() + ": it has not answered the last check of its keys; check the token");
        }
        try {
            return using(name, rule, KeyChoice::from);
        } finally {
            refreshing.unlock();
        }
    }

    /**
     * Finds a key again that works no more, by its public key alone. It logs in, unless another key has done so since.
     *
     * @param failed the key as it was
     * @throws KeystoreUnusableException if the token is not there, or does not have this key
     */
    OpenedKey reopen(String name, OpenedKey failed) {
        forgetLoginOf(failed.provider());
        return using(name, CurrentKeyRule.NONE, (choice, keys) -> choice.again(keys, failed));
    }

    /** A use of a listing under a login. */
    @FunctionalInterface
    private interface Use<T> {
        T of(KeyChoice choice, KeyStore keys) throws GeneralSecurityException;
    }

    /** Returns the result of a use under the present login, or a new one. It forgets the login if the token fails. */
    private <T> T using(String name, CurrentKeyRule rule, Use<T> use) {
        Token now = session;
        Token token = now == null ? login() : now;
        try {
            return use.of(
                    new KeyChoice(uri, name, rule, token), token.provider().list());
        } catch (KeystoreUnusableException told) { // the token works
            throw told;
        } catch (GeneralSecurityException | IOException | RuntimeException e) {
            forgetLoginOf(token.provider().provider());
            throw unusable("the private key with " + uri.keyInWords(name) + " cannot be used", e);
        }
    }

    @SuppressWarnings("ReferenceEquality") // two providers with the same properties are equal
    private synchronized void forgetLoginOf(Provider provider) {
        Token now = session;
        if (now != null && now.provider().provider() == provider) {
            session = null;
        }
    }

    /** Logs in, unless another thread has done so meanwhile. One thread at a time sends a PIN. */
    private synchronized Token login() {
        Token other = session;
        if (other != null) {
            return other;
        }
        listing = null;
        unlisted.clear();
        TokenProvider.requireModule(uri.module());
        int slot = uri.token().isPresent()
                ? listing().slotOf(uri.token().get(), uri.slot())
                : uri.slot().orElseThrow();
        TokenProvider provider = tokens.of(uri.module(), slot);
        login(provider, uri.module() + " " + slot + " " + uri.tokenInWords());
        Token now = new Token(provider, ConcurrentHashMap.newKeySet(), certificate -> idsOf(slot, certificate));
        session = now;
        return now;
    }

    private TokenListing listing() {
        TokenListing known = listing;
        if (known == null) {
            known = TokenListing.of(uri.module());
            listing = known;
        }
        return known;
    }

    /** Returns the ids of a certificate. It lists the token again, once, for one that came into it later. */
    private List<String> idsOf(int slot, X509Certificate certificate) {
        List<String> ids = listing().idsOf(slot, certificate);
        if (ids.isEmpty() && unlisted.add(certificate)) {
            listing = null;
            return listing().idsOf(slot, certificate);
        }
        return ids;
    }

    private void login(TokenProvider provider, String token) {
        char[] pin;
        try (Password given = uri.pinSource().map(Password::fromFile).orElseGet(pins)) {
            pin = given.copyOfCharacters();
        }
        try {
            requireAscii(pin);
            byte[] digest = RefusedPins.digest(pin);
            if (MessageDigest.isEqual(RefusedPins.DIGESTS.get(token), digest)) {
                throw wrongPin("CKR_PIN_INCORRECT", null);
            }
            try {
                provider.login(pin);
                RefusedPins.DIGESTS.remove(token);
            } catch (GeneralSecurityException | RuntimeException e) {
                TokenFailure failure = TokenFailure.of(e);
                if (failure.kind() == TokenFailure.Kind.PIN) {
                    RefusedPins.DIGESTS.put(token, digest);
                    throw wrongPin(failure.code(), e);
                }
                throw unusable("it cannot be opened", e);
            }
        } finally {
            Arrays.fill(pin, '\0');
        }
    }

    /** Rejects a PIN of other characters: Java hands the token one byte for each, which counts as a wrong PIN. */
    private void requireAscii(char[] pin) {
        for (char character : pin) {
            if (character > 0x7f) {
                throw new KeystoreUnusableException(uri.tokenInWords()
                        + ": the PIN has a character that is not ASCII, which Java would send wrongly."
                        + " Signet did not send it; give the token a PIN of ASCII characters");
            }
        }
    }

    private KeystoreUnusableException wrongPin(String code, @Nullable Throwable cause) {
        return new KeystoreUnusableException(
                uri.tokenInWords() + ": it does not accept the PIN (" + code
                        + "). Signet does not try this PIN again, because wrong ones lock a token; correct "
                        + uri.pinSource().map(file -> "the file " + file).orElse("it")
                        + ". If this PIN is right after all, start the program again",
                cause);
    }

    private KeystoreUnusableException unusable(String what, Throwable cause) {
        return new KeystoreUnusableException(
                uri.tokenInWords() + ": " + what + " (" + TokenFailure.of(cause).code()
                        + "); check that the token is there and initialised",
                cause);
    }

    /**
     * The tokens of a PKCS#11 library and the ids of their certificates, without a login. A process of its own lists
     * them: Java shows labels of tokens and ids only to a process that starts with {@link #EXPORT}, and a library that
     * crashes ends that process alone. Immutable.
     *
     * <pre>
     * T SLOT LABEL        a token
     * C SLOT VALUE ID     a certificate
     * END                 nothing follows
     * </pre>
     *
     * @param lines as the process prints them; labels, values and ids are hexadecimal
     */
    record TokenListing(List<String> lines) {
        private static final int MAX_BYTES = 8 << 20;
        private static final long MAX_SECONDS = 6;
        private static final String EXPORT =
                "--add-exports=jdk.crypto.cryptoki/sun.security.pkcs11.wrapper=ALL-UNNAMED";
        private static final String END = "END";

        /**
         * Runs the process and reads what it prints. This takes about half a second.
         *
         * @throws KeystoreUnusableException if it cannot run, or if the library cannot be loaded in it
         */
        static TokenListing of(Path module) {
            try {
                return parse(output(module));
            } catch (IOException | URISyntaxException | RuntimeException e) {
                throw new KeystoreUnusableException(
                        "key-store: module " + module
                                + ": it does not list its tokens; check that it is a PKCS#11 library"
                                + " for this machine and that its own configuration can be read",
                        e);
            }
        }

        private static String output(Path module) throws IOException, URISyntaxException {
            Path archive = Path.of(TokenListing.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            ProcessBuilder lister = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-Xmx64m",
                            EXPORT,
                            "-cp",
                            archive.toString(),
                            Lister.class.getName(),
                            module.toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            // secrets are not for the library of another party
            lister.environment().keySet().removeIf(variable -> variable.startsWith("SIGNET_"));
            Process process = lister.start();
            CompletableFuture.delayedExecutor(MAX_SECONDS, TimeUnit.SECONDS).execute(process::destroyForcibly);
            process.getOutputStream().close(); // a library that asks for input gets none
            try (InputStream in = process.getInputStream()) {
                return new String(in.readNBytes(MAX_BYTES), StandardCharsets.US_ASCII);
            } finally {
                process.destroyForcibly();
            }
        }

        /** Reads the lines of the process. Without its last line the list is not whole. */
        static TokenListing parse(String output) throws IOException {
            List<String> lines = output.lines().toList();
            if (lines.isEmpty() || !lines.get(lines.size() - 1).equals(END)) {
                throw new IOException("the list has no end");
            }
            return new TokenListing(lines);
        }

        /**
         * Returns the slot of the token with a label.
         *
         * @param known the slot, if it is known
         * @throws KeystoreUnusableException if no token has the label, another one than in the slot, or several
         */
        int slotOf(String label, OptionalInt known) {
            String end = " " + HexFormat.of().formatHex(label.getBytes(StandardCharsets.UTF_8));
            List<Long> slots = lines.stream()
                    .filter(line -> line.startsWith("T ") && line.endsWith(end))
                    .map(line -> Long.parseLong(line.substring(2, line.indexOf(' ', 2))))
                    .filter(slot -> slot <= Integer.MAX_VALUE) // SunPKCS11 takes no other numbers
                    .toList();
            if (known.isPresent() && !slots.contains((long) known.getAsInt())) {
                throw new KeystoreUnusableException("token '" + label + "': not in slot " + known.getAsInt());
            }
            if (slots.isEmpty()) {
                throw new KeystoreUnusableException("token '" + label + "': not there; plug it in, or check its label");
            }
            if (known.isEmpty() && slots.size() > 1) {
                throw new KeystoreUnusableException("token '" + label + "': " + slots.size()
                        + " tokens have this label; name one by slot-id instead of token");
            }
            return known.orElse(slots.get(0).intValue());
        }

        /** Returns the ids of a certificate of a token in hexadecimal; one may be empty. */
        List<String> idsOf(int slot, X509Certificate certificate) {
            String start = "C " + slot + " " + HexFormat.of().formatHex(PublicKeyInfo.encoded(certificate)) + " ";
            return lines.stream()
                    .filter(line -> line.startsWith(start))
                    .map(line -> line.substring(start.length()))
                    .toList();
        }

        /** The program of the process. It uses no other class of Signet. */
        record Lister(Object library) {
            private static final String PACKAGE = "sun.security.pkcs11.wrapper.";
            private static final int MOST_SLOTS = 64;
            private static final long MOST_CERTIFICATES = 1000;
            private static final long CLASS = 0x0;
            private static final long VALUE = 0x11;
            private static final long ID = 0x102;
            private static final long CERTIFICATE = 1;
            private static final long SERIAL_SESSION = 4;

            public static void main(String... arguments) throws ReflectiveOperationException {
                new Lister(load(arguments[0])).list();
                System.out.println(END);
                System.out.flush();
            }

            private static Method method(Predicate<Method> wanted) throws ReflectiveOperationException {
                return Stream.of(Class.forName(PACKAGE + "PKCS11").getMethods())
                        .filter(wanted)
                        .findFirst()
                        .orElseThrow();
            }

            private static Object load(String path) throws ReflectiveOperationException {
                Method loading = method(method -> method.getName().equals("getInstance"));
                Class<?>[] types = loading.getParameterTypes();
                @Nullable
                Object[] values =
                        new @Nullable Object[types.length]; // versions of Java differ in the parameters behind the path
                for (int i = 0; i < types.length; i++) {
                    values[i] = types[i] == boolean.class ? Boolean.FALSE : null;
                }
                values[0] = path;
                values[1] = "C_GetFunctionList";
                return loading.invoke(null, values);
            }

            private void list() throws ReflectiveOperationException {
                long[] slots = (long[]) call("C_GetSlotList", true);
                for (int i = 0; i < Math.min(slots.length, MOST_SLOTS); i++) {
                    try {
                        list(slots[i]);
                    } catch (InvocationTargetException absent) {
                        // no token, or one that ended meanwhile
                    }
                }
            }

            private void list(long slot) throws ReflectiveOperationException {
                Object info = call("C_GetTokenInfo", slot);
                char[] label = (char[]) info.getClass().getField("label").get(info);
                // each character is a byte of UTF-8
                byte[] bytes = new String(label).stripTrailing().getBytes(StandardCharsets.ISO_8859_1);
                System.out.println("T " + slot + " " + HexFormat.of().formatHex(bytes));
                long session = (long) call("C_OpenSession", slot, SERIAL_SESSION, null, null);
                call("C_FindObjectsInit", session, template(CLASS, CERTIFICATE));
                long[] found = (long[]) call("C_FindObjects", session, MOST_CERTIFICATES);
                call("C_FindObjectsFinal", session);
                for (long certificate : found) {
                    System.out.println(
                            "C " + slot + " " + hex(session, certificate, VALUE) + " " + hex(session, certificate, ID));
                }
                call("C_CloseSession", session);
            }

            private Object call(String name, @Nullable Object... arguments) throws ReflectiveOperationException {
                return method(each -> each.getName().equals(name) && each.getParameterCount() == arguments.length)
                        .invoke(library, arguments);
            }

            /** Returns the bytes of an attribute; none if the object has none. */
            private String hex(long session, long object, long attribute) throws ReflectiveOperationException {
                Object template = template(attribute, null);
                try {
                    call("C_GetAttributeValue", session, object, template);
                } catch (InvocationTargetException absent) {
                    return "";
                }
                Object answer = Array.get(template, 0); // the call puts a new object there
                return answer.getClass().getField("pValue").get(answer) instanceof byte[] bytes
                        ? HexFormat.of().formatHex(bytes)
                        : "";
            }

            private static Object template(long type, @Nullable Object value) throws ReflectiveOperationException {
                Class<?> attribute = Class.forName(PACKAGE + "CK_ATTRIBUTE");
                Object array = Array.newInstance(attribute, 1);
                Array.set(
                        array,
                        0,
                        attribute.getConstructor(long.class, Object.class).newInstance(type, value));
                return array;
            }
        }
    }
}
