/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.signetmq.envelope.DerNode;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.DerWriter;

/** An edit of a DER structure. A path leads to the edited element: the index of a child at each level. */
@FunctionalInterface
public interface Edit {
    /** Keeps the structure. */
    Edit NONE = structure -> {};

    /** An element that no parser knows. It sorts behind all elements of a SET that the format uses. */
    byte[] MORE = DerWriter.element(DerReader.primitive(30), new byte[] {'m', 'o', 'r', 'e'});

    /** An issuer without a name, and its first certificate. */
    byte[] ISSUER_AND_SERIAL = DerWriter.element(
            DerReader.SEQUENCE,
            DerWriter.element(DerReader.SEQUENCE),
            DerWriter.element(DerReader.INTEGER, new byte[] {1}));

    void change(DerNode structure);

    default Edit and(Edit next) {
        return structure -> {
            change(structure);
            next.change(structure);
        };
    }

    /** Returns the encoding of an edited copy. */
    default byte[] of(DerNode structure) {
        DerNode copy = structure.copy();
        change(copy);
        return copy.encoded();
    }

    /** Returns an envelope, a ContentInfo, whose content is edited. */
    default byte[] ofContent(DerNode envelope) {
        Edit inside = whole -> change(whole.child(1, 0));
        return inside.of(envelope);
    }

    static Edit number(int value, int... path) {
        return content(new byte[] {(byte) value}, path);
    }

    /** Sets the content of a primitive element. */
    static Edit content(byte[] content, int... path) {
        return structure -> structure.child(path).setContent(content);
    }

    /** Adds zeros to the content of a primitive element. */
    static Edit lengthen(int by, int... path) {
        return structure -> {
            byte[] content = structure.child(path).content();
            structure.child(path).setContent(Arrays.copyOf(content, content.length + by));
        };
    }

    static Edit tag(int tag, int... path) {
        return structure -> structure.child(path).setTag(tag);
    }

    /** Puts this element in place of another. */
    static Edit put(byte[] element, int... path) {
        return structure -> siblings(structure, path).set(last(path), DerNode.parse(element));
    }

    /** Inserts this element before another. */
    static Edit insert(byte[] element, int... path) {
        return structure -> siblings(structure, path).add(last(path), DerNode.parse(element));
    }

    static Edit remove(int... path) {
        return structure -> siblings(structure, path).remove(last(path));
    }

    /** Adds this element as the last one inside of another. */
    static Edit append(byte[] element, int... path) {
        return structure -> structure.child(path).children().add(DerNode.parse(element));
    }

    /** Repeats the first element inside of another, up to this number. */
    static Edit repeat(int count, int... path) {
        return structure -> {
            List<DerNode> children = structure.child(path).children();
            children.addAll(Collections.nCopies(Math.max(0, count - children.size()), children.get(0)));
        };
    }

    private static List<DerNode> siblings(DerNode structure, int... path) {
        return structure.child(Arrays.copyOf(path, path.length - 1)).children();
    }

    private static int last(int... path) {
        return path[path.length - 1];
    }
}
