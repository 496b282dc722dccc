/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Keeps the signatures of the public API, with which {@code mvn -Pcompatibility verify} compares later versions: a jar
 * for each module, of classes without code. {@code keep-version.sh} runs it before a release.
 */
final class ApiJars {
    static final List<String> MODULES = List.of("policy", "keystore", "envelope", "interceptor", "client");

    private static final int HIDDEN = Opcodes.ACC_PRIVATE | Opcodes.ACC_SYNTHETIC;

    private ApiJars() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        for (String module : MODULES) {
            write(Path.of("..", module, "target", "classes"), folder.resolve("signet-" + module + ".jar"));
        }
    }

    /** Writes the types outside of packages called internal, and those of the module that they extend. */
    private static void write(Path classes, Path jar) throws IOException {
        TreeMap<String, byte[]> kept = new TreeMap<>();
        try (Stream<Path> files = Files.walk(classes)) {
            files.map(file -> classes.relativize(file).toString())
                    .filter(name -> name.endsWith(".class") && !name.contains("/internal/"))
                    .forEach(name -> keep(classes, name, Opcodes.ACC_PUBLIC, kept));
        }
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (var entry : kept.entrySet()) {
                JarEntry file = new JarEntry(entry.getKey());
                file.setLastModifiedTime(FileTime.fromMillis(0));
                out.putNextEntry(file);
                out.write(entry.getValue());
            }
        }
    }

    private static void keep(Path classes, String name, int access, Map<String, byte[]> kept) {
        Path file = classes.resolve(name);
        if (kept.containsKey(name) || !Files.exists(file)) {
            return;
        }
        try {
            ClassReader reader = new ClassReader(Files.readAllBytes(file));
            if ((reader.getAccess() & access) != access) {
                return;
            }
            ClassWriter writer = new ClassWriter(0);
            reader.accept(new Signatures(writer), ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
            kept.put(name, writer.toByteArray());
            Set<String> above = new HashSet<>(List.of(reader.getInterfaces()));
            above.add(Objects.requireNonNullElse(reader.getSuperName(), ""));
            above.forEach(type -> keep(classes, type + ".class", 0, kept));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Leaves out what no other class can name. */
    private static final class Signatures extends ClassVisitor {
        Signatures(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public @Nullable FieldVisitor visitField(
                int access, String name, String type, @Nullable String signature, @Nullable Object value) {
            return (access & HIDDEN) == 0 ? super.visitField(access, name, type, signature, value) : null;
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access, String name, String type, @Nullable String signature, String @Nullable [] thrown) {
            return (access & HIDDEN) == 0 ? super.visitMethod(access, name, type, signature, thrown) : null;
        }
    }
}
