/* SPDX-License-Identifier: Apache-2.0 */
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/**
 * Gives the classes of picocli in a jar the version of Java 8. They have that of Java 5, and the JVM takes no class
 * older than Java 6 into an archive of classes: each start of a command would read and verify all of them. A program of
 * one file, which the build runs after the jar is made.
 */
final class ModernClasses {
    private ModernClasses() {}

    /** Rewrites the classes in the jar that the first argument names. Their times stay. */
    public static void main(String[] arguments) throws IOException {
        Path jar = Path.of(arguments[0]);
        try (URLClassLoader classes = new URLClassLoader(new URL[] {jar.toUri().toURL()});
                FileSystem content = FileSystems.newFileSystem(jar);
                Stream<Path> files = Files.walk(content.getPath("picocli"))) {
            List<Path> old = files.filter(file -> file.toString().endsWith(".class"))
                    .sorted()
                    .toList();
            for (Path file : old) {
                FileTime time = Files.getLastModifiedTime(file);
                Files.write(file, modern(Files.readAllBytes(file), classes));
                Files.setLastModifiedTime(file, time);
            }
        }
    }

    private static byte[] modern(byte[] old, ClassLoader classes) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
            @Override
            protected ClassLoader getClassLoader() {
                return classes;
            }
        };
        new ClassReader(old)
                .accept(
                        new ClassVisitor(Opcodes.ASM9, writer) {
                            @Override
                            public void visit(
                                    int version,
                                    int access,
                                    String name,
                                    String signature,
                                    String parent,
                                    String[] interfaces) {
                                super.visit(
                                        Math.max(version, Opcodes.V1_8), access, name, signature, parent, interfaces);
                            }
                        },
                        0);
        return writer.toByteArray();
    }
}
