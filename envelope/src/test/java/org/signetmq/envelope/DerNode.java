/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.Slice;

/** A changeable ASN.1 element. Its encoding computes all lengths anew. */
public final class DerNode {
    private static final int CONSTRUCTED = 0x20;
    private static final int MOST_DEPTH = 100;

    private int tag;
    private byte[] content;
    private final List<DerNode> children;
    private boolean indefinite;

    private DerNode(int tag, byte[] content, List<DerNode> children) {
        this.tag = tag;
        this.content = content;
        this.children = children;
    }

    public static DerNode primitive(int tag, byte[] content) {
        return new DerNode(tag & ~CONSTRUCTED, content, new ArrayList<>());
    }

    public static DerNode constructed(int tag, DerNode... children) {
        return new DerNode(tag | CONSTRUCTED, new byte[0], new ArrayList<>(Arrays.asList(children)));
    }

    /** Parses elements, as deep as they are DER. */
    public static DerNode parse(byte[] der) {
        return parse(new DerReader(Slice.of(der)), 0);
    }

    private static DerNode parse(DerReader reader, int depth) {
        Slice whole = reader.element();
        int tag = whole.array()[whole.offset()] & 0xFF;
        Slice inner = new DerReader(whole).content(tag);
        if ((tag & CONSTRUCTED) == 0 || depth == MOST_DEPTH) {
            return new DerNode(tag, inner.copy(), new ArrayList<>());
        }
        DerNode node = constructed(tag);
        DerReader rest = new DerReader(inner);
        while (rest.hasMore()) {
            node.children.add(parse(rest, depth + 1));
        }
        return node;
    }

    boolean isConstructed() {
        return (tag & CONSTRUCTED) != 0;
    }

    int tag() {
        return tag;
    }

    public void setTag(int other) {
        tag = other;
    }

    public byte[] content() {
        return content;
    }

    /** Replaces the content. A constructed element becomes primitive. */
    public void setContent(byte[] other) {
        tag &= ~CONSTRUCTED;
        children.clear();
        content = other;
    }

    public List<DerNode> children() {
        return children;
    }

    public DerNode child(int... path) {
        DerNode at = this;
        for (int index : path) {
            at = at.children.get(index);
        }
        return at;
    }

    /** Sets an indefinite length. */
    public void makeIndefinite() {
        indefinite = isConstructed();
    }

    /** Splits a string into parts of this length. */
    public void split(int partLength, int partTag) {
        byte[] all = content;
        tag |= CONSTRUCTED;
        children.clear();
        for (int i = 0; i < all.length; i += partLength) {
            children.add(primitive(partTag, Arrays.copyOfRange(all, i, Math.min(all.length, i + partLength))));
        }
        content = new byte[0];
    }

    public DerNode copy() {
        DerNode copy = new DerNode(tag, content.clone(), new ArrayList<>());
        children.forEach(child -> copy.children.add(child.copy()));
        copy.indefinite = indefinite;
        return copy;
    }

    /** Returns this element and all below, this one first. */
    List<DerNode> all() {
        List<DerNode> all = new ArrayList<>();
        addTo(all);
        return all;
    }

    private void addTo(List<DerNode> all) {
        all.add(this);
        children.forEach(child -> child.addTo(all));
    }

    public byte[] encoded() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        write(out);
        return out.toByteArray();
    }

    private void write(ByteArrayOutputStream out) {
        ByteArrayOutputStream inner = new ByteArrayOutputStream();
        inner.writeBytes(content);
        children.forEach(child -> child.write(inner));
        out.write(tag);
        if (indefinite) {
            out.write(0x80);
            out.writeBytes(inner.toByteArray());
            out.write(0);
            out.write(0);
            return;
        }
        int length = inner.size();
        if (length < 0x80) {
            out.write(length);
        } else {
            int octets = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + Byte.SIZE - 1) / Byte.SIZE;
            out.write(0x80 | octets);
            for (int i = octets - 1; i >= 0; i--) {
                out.write(length >>> (i * Byte.SIZE));
            }
        }
        out.writeBytes(inner.toByteArray());
    }
}
