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
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;

/**
 * The tokens of a PKCS#11 library and the ids of their certificates, without a login. A process of its own lists them:
 * Java shows labels of tokens and ids only to a process that starts with {@link #EXPORT}, and a library that crashes
 * ends that process alone. Immutable.
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
    private static final String EXPORT = "--add-exports=jdk.crypto.cryptoki/sun.security.pkcs11.wrapper=ALL-UNNAMED";
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
                    "key-store: module " + module + ": it does not list its tokens; check that it is a PKCS#11 library"
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
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
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
        String start;
        try {
            start = "C " + slot + " " + HexFormat.of().formatHex(certificate.getEncoded()) + " ";
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("certificate: cannot be encoded", e);
        }
        return lines.stream()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .toList();
    }

    /** The program of the process. It uses no other class of Signet. */
    static final class Lister {
        private static final String PACKAGE = "sun.security.pkcs11.wrapper.";
        private static final int MOST_SLOTS = 64;
        private static final long MOST_CERTIFICATES = 1000;
        private static final long CLASS = 0x0;
        private static final long VALUE = 0x11;
        private static final long ID = 0x102;
        private static final long CERTIFICATE = 1;
        private static final long SERIAL_SESSION = 4;

        private final Object library;

        private Lister(Object library) {
            this.library = library;
        }

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
                    array, 0, attribute.getConstructor(long.class, Object.class).newInstance(type, value));
            return array;
        }
    }
}
