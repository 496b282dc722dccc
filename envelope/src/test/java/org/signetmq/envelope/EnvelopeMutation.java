/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.DerWriter;

/**
 * Makes an envelope from the bytes of a fuzzer. The bytes are a program: they choose an envelope, a layer and a change.
 * Lengths, tag, digest and signature are corrected, so that the parser reaches the change.
 */
final class EnvelopeMutation {
    /** The first byte of a program that continues with the envelope itself. */
    static final byte RAW = 0;

    /** The most bytes of the envelope. A tenth of the programs allow a mebibyte, which is slow in a fuzzer. */
    private final int longest;

    private static final int MOST_NODES = 20_000;

    /** More than the limit of a reader, and little enough for the stack of a fuzzer after several changes. */
    private static final int MOST_WRAPPED = 60;

    private final EnvelopeForge forge;
    private final byte[] program;
    private int position;
    private int size;

    private EnvelopeMutation(EnvelopeForge forge, byte[] program) {
        this.forge = forge;
        this.program = program;
        this.longest = program.length > 1 && (program[1] & 0xF0) == 0 ? 1 << 20 : 1 << 15;
    }

    /** The envelope, of at most about 1 MiB. */
    static byte[] envelope(EnvelopeForge forge, byte[] program) {
        return new EnvelopeMutation(forge, program).run();
    }

    private int next() {
        return position < program.length ? program[position++] & 0xFF : 0;
    }

    private int next(int bound) {
        return (next() << Byte.SIZE | next()) % bound;
    }

    private byte[] run() {
        int mode = next();
        if (mode == RAW || program.length < 3) {
            return program.length == 0 ? program : Arrays.copyOfRange(program, 1, program.length);
        }
        EnvelopeForge.Template template =
                forge.templates().get(next() % forge.templates().size());
        boolean changesOutside = !template.isEncrypted() || (mode & 1) != 0;
        byte[] inside = template.inside();
        if (template.isEncrypted()) {
            if ((mode & 2) != 0) {
                inside = template.isSigned() ? changedSigned(inside, template) : changedEntity(template.entity());
            }
            DerNode outside = DerNode.parse(template.envelope());
            EnvelopeForge.encrypt(outside, template, inside);
            if (changesOutside) {
                change(outside);
            }
            return row(outside.encoded(), mode);
        }
        return row(changedSigned(inside, template), mode);
    }

    /** Repeats the envelope as segments are repeated, in some programs. */
    private byte[] row(byte[] envelope, int mode) {
        if ((mode & 8) == 0) {
            return envelope;
        }
        int count = 1 + next(1000);
        byte[][] all = new byte[Math.max(1, Math.min(count, longest / Math.max(1, envelope.length)))][];
        Arrays.fill(all, envelope);
        return DerWriter.concat(all);
    }

    private byte[] changedSigned(byte[] signed, EnvelopeForge.Template template) {
        DerNode node = DerNode.parse(signed);
        int kind = next() % 4;
        if (kind != 0) {
            byte[] entity = changedEntity(template.entity());
            byte[] list = template.values().get("hash-list");
            if (list != null) { // the entity is the value of the last attribute
                List<DerNode> all = node.all();
                all.get(all.size() - 1).setContent(entity);
                entity = SharedForge.relisted(list, template.value("hash"), entity);
            }
            node.child(1, 0, 2, 1, 0).setContent(entity);
        }
        if (kind != 1) {
            change(node);
        }
        if (kind != 2) {
            boolean unused = forge.sign(node, template.identity());
        }
        return node.encoded();
    }

    /** Repeats lines and changes bytes. */
    private byte[] changedEntity(byte[] entity) {
        byte[] changed = entity.clone();
        for (int i = next() % 4; i > 0; i--) {
            int at = next(changed.length);
            switch (next() % 4) {
                case 0 -> changed[at] = (byte) next();
                case 1 ->
                    changed = DerWriter.concat(
                            Arrays.copyOf(changed, at), some(), Arrays.copyOfRange(changed, at, changed.length));
                case 2 -> changed = Arrays.copyOf(changed, changed.length + next(1 << 16));
                default -> changed = DerWriter.concat(lines(next(4000)), changed);
            }
        }
        return changed;
    }

    private static byte[] lines(int count) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < count; i++) {
            lines.append('x').append(i).append(": y\r\n");
        }
        return lines.toString().getBytes(US_ASCII);
    }

    /** Takes some bytes of the program. */
    private byte[] some() {
        int length = Math.min(next(4096), program.length - position);
        byte[] some = Arrays.copyOfRange(program, position, position + Math.max(0, length));
        position += some.length;
        return some;
    }

    private void change(DerNode root) {
        size = root.encoded().length;
        for (int i = 1 + next() % 5; i > 0 && size < longest; i--) {
            List<DerNode> all = root.all();
            if (all.size() > MOST_NODES) {
                return;
            }
            change(all.get(next(all.size())), all);
            size = root.encoded().length;
        }
    }

    private void change(DerNode node, List<DerNode> all) {
        switch (next() % 12) {
            case 0 -> remove(node, all);
            case 1 -> repeat(node, all, 1 + next(4000));
            case 2 -> node.setContent(some());
            case 3 -> node.setContent(new byte[next(1 << 16) << 4 & (longest - 1)]);
            case 4 -> wrap(node, 1 + next(2000));
            case 5 -> node.setTag(next());
            case 6 -> all.forEach(DerNode::makeIndefinite);
            case 7 -> node.makeIndefinite();
            case 8 -> node.split(1 + next(64), DerReader.OCTET_STRING);
            case 9 -> node.children().add(all.get(next(all.size())).copy());
            case 10 -> swap(node);
            default -> vary(node, all, 1 + next(4000));
        }
    }

    private static void remove(DerNode node, List<DerNode> all) {
        all.forEach(parent -> parent.children().remove(node));
    }

    /** Repeats an element. */
    private void repeat(DerNode node, List<DerNode> all, int count) {
        int most = (longest - size) / Math.max(2, node.encoded().length);
        for (DerNode parent : all) {
            int at = parent.children().indexOf(node);
            if (at >= 0) {
                for (int i = Math.min(count, most); i > 0; i--) {
                    parent.children().add(at, node.copy());
                }
                return;
            }
        }
    }

    /** Repeats an element, each time with another end of its primitive content. */
    private void vary(DerNode node, List<DerNode> all, int count) {
        int most = (longest - size) / Math.max(2, node.encoded().length);
        for (DerNode parent : all) {
            int at = parent.children().indexOf(node);
            if (at >= 0) {
                for (int i = Math.min(count, most); i > 0; i--) {
                    DerNode copy = node.copy();
                    List<DerNode> leaves = new ArrayList<>(copy.all());
                    leaves.removeIf(leaf -> leaf.isConstructed() || leaf.content().length < 2);
                    if (!leaves.isEmpty()) {
                        byte[] content = leaves.get(i % leaves.size()).content();
                        content[content.length - 1] = (byte) i;
                        content[content.length - 2] = (byte) (i >> Byte.SIZE);
                    }
                    parent.children().add(at, copy);
                }
                return;
            }
        }
    }

    private static void wrap(DerNode node, int depth) {
        DerNode inner = node.copy();
        int most = Math.min(depth, MOST_WRAPPED);
        for (int i = 0; i < most; i++) {
            inner = DerNode.constructed(node.tag(), inner);
        }
        node.setTag(node.tag() | 0x20);
        node.children().clear();
        node.children().add(inner);
    }

    private static void swap(DerNode node) {
        if (node.children().size() > 1) {
            node.children().add(node.children().remove(0));
        }
    }
}
