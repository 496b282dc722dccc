/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.storage;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;
import org.objectweb.asm.commons.Method;

/**
 * Writes a class that implements the broker's storage behind a gate. The broker calls its storage several times for
 * each message. Java compiles these calls like those of the storage itself, which it cannot do with a reflective proxy.
 * The class is written at run time, because each version of the broker has other methods. For one thread.
 */
record GatedStorageWriter(
        StorageGate gate, Class<? extends StorageManager> type, ClassWriter writer, List<StorageGate.Call> calls) {
    private static final Class<?> BASE_CLASS = StorageGate.Gated.class;
    private static final Type BASE = Type.getType(BASE_CLASS);
    private static final Type STORAGE = Type.getType(StorageManager.class);
    private static final MethodType CONSTRUCTOR = MethodType.methodType(void.class, StorageGate.class, List.class);
    private static final Method INITIALIZER = new Method("<init>", CONSTRUCTOR.toMethodDescriptorString());

    /**
     * Returns the storage of a gate behind that gate.
     *
     * @throws IllegalStateException if the storage lacks methods of its interface, or Java refuses the class
     */
    static StorageManager write(StorageGate gate, StorageMethods methods) {
        if (!methods.type().isInstance(gate.real())) {
            throw new IllegalStateException("storage: is no " + methods.type().getName());
        }
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        return new GatedStorageWriter(gate, methods.type(), writer, new ArrayList<>()).write(methods);
    }

    private StorageManager write(StorageMethods methods) {
        begin();
        Set<Method> written = new HashSet<>();
        for (java.lang.reflect.Method method : type.getMethods()) {
            boolean isOfObject = !Modifier.isStatic(method.getModifiers());
            if (isOfObject && written.add(Method.getMethod(method))) {
                write(method, methods.of(method));
            }
        }
        writer.visitEnd();
        try {
            Lookup lookup = MethodHandles.lookup().defineHiddenClass(writer.toByteArray(), true);
            return (StorageManager)
                    lookup.findConstructor(lookup.lookupClass(), CONSTRUCTOR).invoke(gate, List.copyOf(calls));
        } catch (Throwable e) {
            throw new IllegalStateException("storage: Java refuses the class of its gate: " + e, e);
        }
    }

    private void begin() {
        writer.visit(
                Opcodes.V17,
                Opcodes.ACC_FINAL | Opcodes.ACC_SUPER | Opcodes.ACC_SYNTHETIC,
                BASE.getInternalName() + "Written",
                null,
                BASE.getInternalName(),
                new String[] {Type.getInternalName(type)});
        GeneratorAdapter code = new GeneratorAdapter(0, INITIALIZER, null, null, writer);
        code.visitCode();
        code.loadThis();
        code.loadArgs();
        code.invokeConstructor(BASE, INITIALIZER);
        code.returnValue();
        code.endMethod();
    }

    private void write(java.lang.reflect.Method method, StorageMethods.Role role) {
        Method written = Method.getMethod(method);
        GeneratorAdapter code = new GeneratorAdapter(Opcodes.ACC_PUBLIC, written, null, null, writer);
        code.visitCode();
        switch (role) {
            case OTHER -> pass(code, written);
            case STORE, UNKNOWN -> {
                judgeEachArgument(code, written);
                pass(code, written);
            }
            case OFFER_TO_PAGE -> {
                code.loadThis();
                code.loadArgs();
                code.invokeVirtual(BASE, ofBase("offer"));
                pass(code, written);
            }
            case LARGEST_RECORD -> {
                code.loadThis();
                code.invokeVirtual(BASE, ofBase("largestRecord"));
            }
            default -> invoke(code, written, new StorageGate.Call(gate.real(), method, role));
        }
        code.returnValue();
        code.endMethod();
    }

    private void pass(GeneratorAdapter code, Method method) {
        code.loadThis();
        code.getField(BASE, "real", STORAGE);
        code.loadArgs();
        code.invokeInterface(Type.getType(type), method);
    }

    private static void judgeEachArgument(GeneratorAdapter code, Method method) {
        Type[] types = method.getArgumentTypes();
        for (int i = 0; i < types.length; i++) {
            if (types[i].getSort() == Type.OBJECT) {
                code.loadThis();
                code.loadArg(i);
                code.invokeVirtual(BASE, ofBase("store"));
            }
        }
    }

    private void invoke(GeneratorAdapter code, Method method, StorageGate.Call call) {
        code.loadThis();
        code.push(calls.size());
        code.loadArgArray();
        code.invokeVirtual(BASE, ofBase("invoke"));
        if (method.getReturnType().equals(Type.VOID_TYPE)) {
            code.pop();
        } else {
            code.unbox(method.getReturnType());
        }
        calls.add(call);
    }

    private static Method ofBase(String name) {
        return Arrays.stream(BASE_CLASS.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .map(Method::getMethod)
                .findFirst()
                .orElseThrow();
    }
}
