/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.JMSException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;
import java.io.ObjectInputStream;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.ClientLibrary.ObjectSource;

/**
 * A serialised object of a provider with unknown limits. The filter of the JVM (jdk.serialFilter) limits its classes.
 * Without that filter only basic classes of the JDK are loaded. Depth, references and the lengths of arrays have limits
 * in any case, and so has the number of elements that a collection hashes.
 *
 * @param serialized the object's bytes
 */
public record FilteredObject(byte[] serialized) implements ObjectSource {
    private static final int MOST_DEPTH = 32;
    private static final int MOST_REFERENCES = 1_000_000;
    private static final long SHORT = 1024;

    /** The most places of a hash table for each entry, each of which takes a byte of the stream. */
    private static final long PLACES = 4;

    private static final ObjectInputFilter BASIC =
            ObjectInputFilter.Config.createFilter("java.lang.*;java.util.*;java.math.*;java.time.*;!*");

    @Override
    public @Nullable Serializable object() throws JMSException {
        try (ObjectInputStream stream = new ObjectInputStream(new ByteArrayInputStream(serialized))) {
            SerializedGraph.requireSmall(serialized);
            ObjectInputFilter ofTheJvm = ObjectInputFilter.Config.getSerialFilter(); // which that of a stream replaces
            ObjectInputFilter classes = ofTheJvm == null ? BASIC : ofTheJvm;
            stream.setObjectInputFilter(read -> {
                boolean isLarge = read.depth() > MOST_DEPTH
                        || read.references() > MOST_REFERENCES
                        || read.arrayLength() > Math.max(SHORT, PLACES * serialized.length);
                return isLarge ? Status.REJECTED : classes.checkInput(read);
            });
            return (Serializable) stream.readObject();
        } catch (IOException | ClassNotFoundException | RuntimeException | StackOverflowError e) {
            throw new JMSException(
                    "object: cannot be deserialised, " + e.getClass().getName());
        }
    }

    /**
     * Counts the objects that a hash code of a serialised object visits. A shared object counts at each of its
     * references, so sets that share their elements count as two to the power of their depth. It refuses whatever
     * {@link java.io.ObjectInputStream} could read in another way. Loads no class. For one thread.
     */
    static final class SerializedGraph {
        private static final long MOST_VISITS = 10_000_000;
        private static final int MOST_DEPTH = 100;

        /** The longest chain of superclasses. */
        private static final int MOST_CLASSES = 100;

        private static final Pattern ARRAY = Pattern.compile("\\[([BCDFIJSZ]|L.*|\\[.*)", Pattern.DOTALL);

        private final DataInputStream in;
        private final List<Object> handles = new ArrayList<>();
        private final Node all = new Node();
        private int depth;

        private SerializedGraph(byte[] serialized) {
            this.in = new DataInputStream(new ByteArrayInputStream(serialized));
        }

        /** An object, array, string or class. */
        private static final class Node {
            private long visits = 1;

            /** Whether a reference to it is refused: it is not read to its end, so its visits are unknown. */
            private boolean isUncounted;

            void add(Node other) throws IOException {
                visits += other.visits;
                if (visits > MOST_VISITS) {
                    throw new InvalidObjectException("shared objects inside each other");
                }
            }
        }

        /** The description of a class. */
        private static final class Description {
            private final String name;
            private int flags;
            private final List<Character> fields = new ArrayList<>();
            private @Nullable Description parent;
            private int length;
            private boolean isComplete;

            Description(String name) {
                this.name = name;
            }
        }

        /**
         * Reads an object as the serialisation protocol describes it.
         *
         * @throws IOException if it is malformed, nested too deeply, or its visits are too many
         */
        static void requireSmall(byte[] serialized) throws IOException {
            SerializedGraph graph = new SerializedGraph(serialized);
            graph.in.readInt(); // the magic number and the version, which ObjectInputStream checks
            graph.all.add(graph.content(graph.in.readByte(), graph.all));
        }

        private Node content(byte tag, Node owner) throws IOException {
            if (++depth > MOST_DEPTH) {
                throw malformed();
            }
            Node node = new Node();
            switch (tag) {
                case ObjectStreamConstants.TC_NULL -> {}
                case ObjectStreamConstants.TC_REFERENCE -> {
                    if (handle() instanceof Node known) {
                        if (known.isUncounted && known != owner) {
                            throw new InvalidObjectException("an object within itself");
                        }
                        node.add(known);
                    }
                }
                case ObjectStreamConstants.TC_CLASSDESC, ObjectStreamConstants.TC_PROXYCLASSDESC -> {
                    Description unused = description(tag);
                }
                case ObjectStreamConstants.TC_STRING, ObjectStreamConstants.TC_LONGSTRING -> {
                    handles.add(node);
                    skip(tag == ObjectStreamConstants.TC_STRING ? in.readUnsignedShort() : in.readLong());
                }
                case ObjectStreamConstants.TC_OBJECT -> object(node);
                case ObjectStreamConstants.TC_ARRAY -> array(node);
                case ObjectStreamConstants.TC_CLASS, ObjectStreamConstants.TC_ENUM -> {
                    Description unused = description(in.readByte());
                    handles.add(node);
                    if (tag == ObjectStreamConstants.TC_ENUM) {
                        node.add(string());
                    }
                }
                case ObjectStreamConstants.TC_BLOCKDATA -> skip(in.readUnsignedByte());
                case ObjectStreamConstants.TC_BLOCKDATALONG -> skip(in.readInt());
                default -> throw malformed();
            }
            depth--;
            return node;
        }

        /** Returns a string, or null or a reference in its place. */
        private Node string() throws IOException {
            byte tag = in.readByte();
            return switch (tag) {
                case ObjectStreamConstants.TC_NULL,
                        ObjectStreamConstants.TC_REFERENCE,
                        ObjectStreamConstants.TC_STRING,
                        ObjectStreamConstants.TC_LONGSTRING -> content(tag, all);
                default -> throw malformed();
            };
        }

        private void object(Node node) throws IOException {
            Description type = description(in.readByte());
            handles.add(node);
            if (type == null) {
                throw malformed();
            }
            // one of an application may refer to its parent; a collection of the JDK hashes what it has
            node.isUncounted = type.name.startsWith("java");
            if (type.flags == (ObjectStreamConstants.SC_EXTERNALIZABLE | ObjectStreamConstants.SC_BLOCK_DATA)) {
                annotation(node);
            } else {
                serializable(type, node);
            }
            node.isUncounted = false;
        }

        /** Reads the fields and further data of each class, that of the uppermost one first. */
        private void serializable(Description type, Node node) throws IOException {
            Deque<Description> classes = new ArrayDeque<>();
            for (Description each = type; each != null; each = each.parent) {
                if ((each.flags & ObjectStreamConstants.SC_SERIALIZABLE) == 0
                        || (each.flags & ObjectStreamConstants.SC_EXTERNALIZABLE) != 0) {
                    throw malformed();
                }
                classes.push(each);
            }
            for (Description each : classes) {
                for (char field : each.fields) {
                    value(field, node);
                }
                if ((each.flags & ObjectStreamConstants.SC_WRITE_METHOD) != 0) {
                    annotation(node);
                }
            }
        }

        private void array(Node node) throws IOException {
            Description type = description(in.readByte());
            handles.add(node);
            int length = in.readInt();
            if (type == null || !ARRAY.matcher(type.name).matches() || length < 0) {
                throw malformed();
            }
            char element = type.name.charAt(1);
            if (element == 'L' || element == '[') {
                for (int i = 0; i < length; i++) {
                    value(element, node);
                }
            } else {
                skip((long) length * size(element));
            }
        }

        private void value(char type, Node owner) throws IOException {
            if (type == 'L' || type == '[') {
                owner.add(content(in.readByte(), owner));
            } else {
                skip(size(type));
            }
        }

        private static int size(char type) throws IOException {
            return switch (type) {
                case 'B', 'Z' -> 1;
                case 'C', 'S' -> 2;
                case 'F', 'I' -> 4;
                case 'D', 'J' -> 8;
                default -> throw malformed();
            };
        }

        private void annotation(Node owner) throws IOException {
            for (byte tag = in.readByte(); tag != ObjectStreamConstants.TC_ENDBLOCKDATA; tag = in.readByte()) {
                owner.add(content(tag, owner));
            }
        }

        private @Nullable Description description(byte tag) throws IOException {
            if (++depth > MOST_DEPTH) {
                throw malformed();
            }
            Description found = switch (tag) {
                case ObjectStreamConstants.TC_NULL -> null;
                case ObjectStreamConstants.TC_REFERENCE -> {
                    if (handle() instanceof Description known && known.isComplete) {
                        yield known;
                    }
                    throw malformed();
                }
                case ObjectStreamConstants.TC_CLASSDESC -> ofClass();
                case ObjectStreamConstants.TC_PROXYCLASSDESC -> ofProxy();
                default -> throw malformed();
            };
            depth--;
            return found;
        }

        private Description ofClass() throws IOException {
            Description made = new Description(in.readUTF());
            in.readLong();
            handles.add(made);
            made.flags = in.readUnsignedByte();
            int fields = in.readUnsignedShort();
            if (fields > Short.MAX_VALUE) { // a negative number
                throw malformed();
            }
            for (int i = 0; i < fields; i++) {
                char type = (char) in.readUnsignedByte();
                made.fields.add(type);
                skip(in.readUnsignedShort());
                if (type == 'L' || type == '[') {
                    all.add(string()); // the name of its type
                }
            }
            return end(made);
        }

        private Description ofProxy() throws IOException {
            Description made = new Description("");
            handles.add(made);
            made.flags = ObjectStreamConstants.SC_SERIALIZABLE;
            int names = in.readInt();
            for (int i = 0; i < names; i++) {
                skip(in.readUnsignedShort());
            }
            return end(made);
        }

        private Description end(Description made) throws IOException {
            annotation(all);
            made.parent = description(in.readByte());
            made.length = made.parent == null ? 1 : made.parent.length + 1;
            if (made.length > MOST_CLASSES) {
                throw malformed();
            }
            made.isComplete = true;
            return made;
        }

        private Object handle() throws IOException {
            int index = in.readInt() - ObjectStreamConstants.baseWireHandle;
            if (index < 0 || index >= handles.size()) {
                throw malformed();
            }
            return handles.get(index);
        }

        private void skip(long bytes) throws IOException {
            if (bytes < 0 || bytes > in.available()) {
                throw new EOFException();
            }
            in.skipNBytes(bytes);
        }

        private static IOException malformed() {
            return new InvalidObjectException("malformed or nested too deeply");
        }
    }
}
