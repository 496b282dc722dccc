/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Prints the tokens of a PKCS#11 library and the ids of their certificates, without a login. It is a program of its
 * own: Java shows labels of tokens and ids only to a process that starts with {@link #EXPORT}. A library that crashes
 * ends this process alone. It uses no other class of Signet.
 *
 * <pre>
 * T SLOT LABEL        a token
 * C SLOT VALUE ID     a certificate
 * END                 nothing follows
 * </pre>
 *
 * Labels, values and ids are hexadecimal.
 */
final class TokenLister {
    static final String EXPORT = "--add-exports=jdk.crypto.cryptoki/sun.security.pkcs11.wrapper=ALL-UNNAMED";
    static final String END = "END";
    private static final String PACKAGE = "sun.security.pkcs11.wrapper.";
    private static final int MOST_SLOTS = 64;
    private static final long MOST_CERTIFICATES = 1000;
    private static final long CLASS = 0x0;
    private static final long VALUE = 0x11;
    private static final long ID = 0x102;
    private static final long CERTIFICATE = 1;
    private static final long SERIAL_SESSION = 4;

    private final Object module;
    private final PrintStream out;

    private TokenLister(Object module, PrintStream out) {
        this.module = module;
        this.out = out;
    }

    public static void main(String... arguments) throws ReflectiveOperationException {
        new TokenLister(load(arguments[0]), System.out).list();
        System.out.println(END);
        System.out.flush();
    }

    private static Object load(String path) throws ReflectiveOperationException {
        Class<?> type = Class.forName(PACKAGE + "PKCS11");
        Method loading = Stream.of(type.getMethods())
                .filter(method -> method.getName().equals("getInstance"))
                .findFirst()
                .orElseThrow();
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
        out.println("T " + slot + " " + HexFormat.of().formatHex(bytes));
        long session = (long) call("C_OpenSession", slot, SERIAL_SESSION, null, null);
        call("C_FindObjectsInit", session, template(CLASS, CERTIFICATE));
        long[] found = (long[]) call("C_FindObjects", session, MOST_CERTIFICATES);
        call("C_FindObjectsFinal", session);
        for (long certificate : found) {
            String value = HexFormat.of().formatHex(value(session, certificate, VALUE));
            out.println("C " + slot + " " + value + " " + HexFormat.of().formatHex(value(session, certificate, ID)));
        }
        call("C_CloseSession", session);
    }

    private Object call(String name, @Nullable Object... arguments) throws ReflectiveOperationException {
        Method called = Stream.of(Class.forName(PACKAGE + "PKCS11").getMethods())
                .filter(method -> method.getName().equals(name) && method.getParameterCount() == arguments.length)
                .findFirst()
                .orElseThrow(() -> new NoSuchMethodException(name));
        return called.invoke(module, arguments);
    }

    /** Returns the bytes of an attribute; empty if the object has none. */
    private byte[] value(long session, long object, long attribute) throws ReflectiveOperationException {
        Object template = template(attribute, null);
        try {
            call("C_GetAttributeValue", session, object, template);
        } catch (InvocationTargetException absent) {
            return new byte[0];
        }
        Object answer = Array.get(template, 0); // the call puts a new object there
        return answer.getClass().getField("pValue").get(answer) instanceof byte[] bytes ? bytes : new byte[0];
    }

    private static Object template(long type, @Nullable Object value) throws ReflectiveOperationException {
        Class<?> attribute = Class.forName(PACKAGE + "CK_ATTRIBUTE");
        Constructor<?> made = attribute.getConstructor(long.class, Object.class);
        Object array = Array.newInstance(attribute, 1);
        Array.set(array, 0, made.newInstance(type, value));
        return array;
    }
}
