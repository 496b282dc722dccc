/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.signetmq.envelope.internal.cms.Edit.append;
import static org.signetmq.envelope.internal.cms.Edit.content;
import static org.signetmq.envelope.internal.cms.Edit.insert;
import static org.signetmq.envelope.internal.cms.Edit.lengthen;
import static org.signetmq.envelope.internal.cms.Edit.number;
import static org.signetmq.envelope.internal.cms.Edit.put;
import static org.signetmq.envelope.internal.cms.Edit.repeat;
import static org.signetmq.envelope.internal.der.DerWriter.element;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.zip.Deflater;
import org.signetmq.envelope.EnvelopeForge.Template;
import org.signetmq.envelope.internal.cms.Edit;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.format.Limits;

/**
 * Envelopes that an attacker makes to keep a reader busy or to fill its memory. Each has one part of a given length or
 * number. Digest, signature and tag are right if the attacker can compute them.
 */
final class HostileEnvelopes {
    private static final int RECIPIENTS = 1;

    private final EnvelopeForge forge;
    private final Template integrity;
    private final Template privacy;
    private final Template ec;
    private final Template rsa;

    HostileEnvelopes(EnvelopeForge forge) {
        this.forge = forge;
        this.integrity = forge.template("integrity", "test-p256");
        this.privacy = forge.template("privacy", "test-p256");
        this.ec = forge.template("confidentiality", "test-p256");
        this.rsa = forge.template("confidentiality", "test-rsa2048");
    }

    /** An envelope with a part that grows. */
    record Attack(String name, IntFunction<byte[]> envelope) {
        /** Returns the largest envelope that is not longer than this. */
        byte[] ofLength(int most) {
            int count = 1;
            while (envelope.apply(2 * count).length <= most && count < most) {
                count *= 2;
            }
            byte[] largest = envelope.apply(count);
            return largest.length <= most ? largest : Arrays.copyOf(largest, most);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    List<Attack> all() {
        List<Attack> all = new ArrayList<>();
        all.add(new Attack("recipients that name our RSA key", count -> recipients(rsa, count, this::varied)));
        all.add(new Attack("recipients that name our EC key", count -> recipients(ec, count, this::varied)));
        all.add(new Attack("recipients, all the same", count -> recipients(rsa, count, (info, i) -> info.copy())));
        all.add(new Attack("recipients by PKCS#1", count -> recipients(rsa, count, HostileEnvelopes::pkcs1)));
        all.add(new Attack("recipients of other kinds", count -> recipients(ec, count, (info, i) -> unknown(i))));
        all.add(edit("wrapped keys in one recipient info", ec, HostileEnvelopes::wrappedKeys));
        all.add(edit("user keying material", ec, HostileEnvelopes::userKeyingMaterial));
        all.add(edit("an originator's point", ec, length -> lengthen(length, 1, 0, 1, 0, 1)));
        all.add(edit("a wrapped key", rsa, length -> content(new byte[length], 1, 0, 3)));
        all.add(edit("a recipient's key identifier", rsa, length -> content(new byte[length], 1, 0, 1)));
        all.add(edit("a recipient's issuer", rsa, length -> named(element(0x0C, new byte[length]), new byte[] {1})));
        all.add(edit("a recipient's serial number", rsa, length -> named(new byte[0], serialNumber(length))));
        all.add(edit("a nonce", ec, length -> content(new byte[length], 2, 1, 1, 0)));
        all.add(edit("a tag", ec, length -> content(new byte[length], 3)));
        all.add(new Attack("signed attributes", count -> signedAgain(signedAttributes(count))));
        all.add(new Attack("values of a signed attribute", count -> signedAgain(repeat(count + 1, 4, 0, 3, 1, 1))));
        all.add(new Attack("the type of a signed attribute", this::attributeType));
        all.add(edit("certificates, all the same", integrity, count -> repeat(count + 1, 3)));
        all.add(edit("certificates, each another", integrity, HostileEnvelopes::certificates));
        all.add(edit("a certificate", integrity, HostileEnvelopes::certificate));
        all.add(new Attack("attributes of names in five certificates", this::attributesOfNames));
        all.add(new Attack("names in an extension of five certificates", this::alternativeNames));
        all.add(edit("a signature", integrity, length -> content(new byte[length], 4, 0, 5)));
        all.add(edit("the signer's key identifier", integrity, length -> content(new byte[length], 4, 0, 1)));
        all.add(edit("digest algorithms", integrity, count -> repeat(count + 1, 1)));
        all.add(new Attack("header lines", count -> sealed(lines(count, "x"))));
        all.add(new Attack("properties", count -> sealed(lines(count, "Signet-Property-x"))));
        all.add(new Attack("a header line", count -> sealed("x: " + "y".repeat(count) + "\r\n")));
        all.add(new Attack("a payload that inflates", count -> forge.encrypted(ec, deflated(count))));
        all.add(new Attack("a payload that inflates, damaged", count -> forge.encrypted(ec, cut(deflated(count)))));
        all.add(new Attack("nested elements", HostileEnvelopes::nested));
        all.add(new Attack("nested strings", HostileEnvelopes::nestedStrings));
        all.add(new Attack("a string in parts", this::parts));
        all.add(new Attack("an inner envelope in parts", this::innerParts));
        all.add(edit("an unsorted set", integrity, length -> put(unsorted(length), 1)));
        all.add(new Attack("short segments, signed", count -> row(integrity, count)));
        all.add(new Attack("short segments, encrypted", count -> row(ec, count)));
        all.add(new Attack("short segments, signed and encrypted", count -> row(privacy, count)));
        all.add(new Attack("a payload in privacy", count -> privacy(new byte[count])));
        all.add(new Attack("a payload", count -> sealed(new byte[count])));
        return all;
    }

    private static Attack edit(String name, Template template, IntFunction<Edit> edit) {
        return new Attack(name, count -> template.edited(edit.apply(count)));
    }

    private interface Variant {
        DerNode of(DerNode info, int index);
    }

    private static byte[] recipients(Template template, int count, Variant variant) {
        DerNode envelope = DerNode.parse(template.envelope());
        DerNode infos = envelope.child(1, 0, RECIPIENTS);
        DerNode info = infos.child(0);
        infos.children().clear();
        for (int i = 0; i < count; i++) {
            infos.children().add(variant.of(info, i));
        }
        return envelope.encoded();
    }

    /** The same with another wrapped key, and another ephemeral key if it has one: none of them unwraps. */
    private DerNode varied(DerNode info, int index) {
        DerNode copy = info.copy();
        List<DerNode> leaves = copy.all();
        DerNode wrapped = leaves.get(leaves.size() - 1);
        wrapped.content()[wrapped.content().length - 1] += (byte) (index + 1);
        wrapped.content()[wrapped.content().length - 2] += (byte) (index >> Byte.SIZE);
        if (copy.tag() == DerReader.constructed(1)) {
            byte[] material = element(DerReader.OCTET_STRING, new byte[] {(byte) index, (byte) (index >> 8)});
            insert(element(DerReader.constructed(1), material), 2).change(copy); // agrees on another key each time
        }
        return copy;
    }

    private static DerNode pkcs1(DerNode info, int index) {
        DerNode copy = info.copy();
        copy.children().set(2, DerNode.parse(DerWriter.element(DerReader.SEQUENCE, Oids.RSA_ENCRYPTION, Oids.NULL)));
        byte[] wrapped = copy.child(3).content();
        wrapped[wrapped.length - 1] += (byte) index;
        return copy;
    }

    private static DerNode unknown(int index) {
        return DerNode.constructed(DerReader.constructed(2 + index % 3));
    }

    private static Edit wrappedKeys(int count) {
        return content(new byte[40], RECIPIENTS, 0, 3, 0, 1).and(repeat(count + 1, RECIPIENTS, 0, 3));
    }

    private static Edit userKeyingMaterial(int length) {
        byte[] material = element(DerReader.OCTET_STRING, new byte[length]);
        return insert(element(DerReader.constructed(1), material), RECIPIENTS, 0, 2);
    }

    private static byte[] serialNumber(int length) {
        byte[] number = new byte[length];
        number[0] = 1;
        return number;
    }

    /** A recipient with this in its issuer's name, and this serial number. */
    private static Edit named(byte[] issuer, byte[] serialNumber) {
        byte[] both = element(
                DerReader.SEQUENCE, element(DerReader.SEQUENCE, issuer), element(DerReader.INTEGER, serialNumber));
        return number(0, RECIPIENTS, 0, 0).and(put(both, RECIPIENTS, 0, 1));
    }

    private byte[] signedAgain(Edit edit) {
        DerNode envelope = DerNode.parse(integrity.edited(edit));
        if (!forge.sign(envelope, integrity.identity())) {
            throw new IllegalStateException("cannot be signed");
        }
        return envelope.encoded();
    }

    private static Edit signedAttributes(int count) {
        return structure -> {
            for (int i = 0; i < count; i++) {
                byte[] type = {0x2A, (byte) (i >> 14 | 0x80), (byte) (i >> 7 | 0x80), (byte) (i & 0x7F)};
                append(attribute(type), 4, 0, 3).change(structure);
            }
        };
    }

    private static byte[] attribute(byte[] type) {
        return element(DerReader.SEQUENCE, element(DerReader.OID, type), element(DerReader.SET, Oids.NULL));
    }

    private byte[] attributeType(int length) {
        return signedAgain(append(attribute(new byte[length]), 4, 0, 3));
    }

    private static Edit certificates(int count) {
        return structure -> {
            DerNode certificates = structure.child(3);
            DerNode certificate = certificates.child(0);
            for (int i = 0; i < count; i++) {
                certificates.children().add(0, withSignature(certificate, i));
            }
        };
    }

    private static DerNode withSignature(DerNode certificate, int number) {
        DerNode copy = certificate.copy();
        byte[] signature = copy.child(2).content();
        signature[signature.length - 1] = (byte) number;
        signature[signature.length - 2] = (byte) (number >> Byte.SIZE);
        return copy;
    }

    /** Makes a certificate with an extension of this length. */
    private static Edit certificate(int length) {
        byte[] type = element(DerReader.OID, new byte[] {0x2A, 3});
        byte[] extension = element(DerReader.SEQUENCE, type, element(DerReader.OCTET_STRING, new byte[length]));
        return structure -> extensions(structure.child(3, 0)).add(DerNode.parse(extension));
    }

    private static List<DerNode> extensions(DerNode certificate) {
        List<DerNode> fields = certificate.child(0).children();
        return fields.get(fields.size() - 1).child(0).children();
    }

    /** Five certificates, each with so long a name as fits, all in one part of it. */
    private byte[] attributesOfNames(int count) {
        return fiveCertificates(certificate -> {
            DerNode part = certificate.child(0, 3, 0);
            DerNode attribute = part.child(0).copy();
            for (int i = 0; i < Math.min(count, Limits.CERTIFICATE_ATTRIBUTES - 4); i++) {
                part.children().add(attribute);
            }
        });
    }

    /** Five certificates, each with as many subject alternative names as fit. */
    private byte[] alternativeNames(int count) {
        DerNode[] names = new DerNode[Math.min(count, Limits.CERTIFICATE_ELEMENTS - 100)];
        Arrays.fill(names, DerNode.primitive(DerReader.primitive(2), new byte[] {'a'}));
        DerNode extension = DerNode.constructed(
                DerReader.SEQUENCE,
                DerNode.primitive(DerReader.OID, new byte[] {0x55, 0x1D, 0x11}),
                DerNode.primitive(
                        DerReader.OCTET_STRING,
                        DerNode.constructed(DerReader.SEQUENCE, names).encoded()));
        return fiveCertificates(certificate -> extensions(certificate).add(extension));
    }

    private byte[] fiveCertificates(Consumer<DerNode> change) {
        DerNode envelope = DerNode.parse(integrity.envelope());
        DerNode certificates = envelope.child(1, 0, 3);
        change.accept(certificates.child(0));
        for (int i = 1; i < Limits.CERTIFICATES; i++) {
            certificates.children().add(withSignature(certificates.child(0), i));
        }
        return envelope.encoded();
    }

    private static String lines(int count, String name) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < count; i++) {
            lines.append(name).append(i).append(": y\r\n");
        }
        return lines.toString();
    }

    /** Encrypted, with more header lines. */
    private byte[] sealed(String lines) {
        return forge.encrypted(ec, EnvelopeForge.withLines(lines, ec.entity()));
    }

    /** Encrypted, with more payload. */
    private byte[] sealed(byte[] more) {
        return forge.encrypted(ec, DerWriter.concat(ec.entity(), more));
    }

    private byte[] privacy(byte[] more) {
        return forge.encrypted(privacy, forge.signed(privacy, DerWriter.concat(privacy.entity(), more)));
    }

    /** A thousand times as long once it is inflated. */
    /** The same block of zeros again and again (RFC 1950): to deflate a gibibyte would take seconds. */
    private byte[] deflated(int length) {
        byte[] block = deflatedMebibyte();
        int blocks = length / block.length + 1;
        ByteBuffer deflated = ByteBuffer.allocate(2 + blocks * block.length + 2 + 4);
        deflated.putShort((short) 0x789C);
        for (int i = 0; i < blocks; i++) {
            deflated.put(block);
        }
        long zeros = (long) blocks << 20;
        int adler32 = (int) (zeros % 65521) << 16 | 1;
        deflated.putShort((short) 0x0300).putInt(adler32); // behind an empty last block
        byte[] head = headOf(ec.entity());
        return DerWriter.concat(EnvelopeForge.withLines("Signet-Encoding: deflate\r\n", head), deflated.array());
    }

    private static byte[] deflatedMebibyte() {
        Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        deflater.setInput(new byte[1 << 20]);
        byte[] block = new byte[8192];
        int length = deflater.deflate(block, 0, block.length, Deflater.FULL_FLUSH);
        deflater.end();
        return Arrays.copyOf(block, length);
    }

    private static byte[] cut(byte[] bytes) {
        return Arrays.copyOf(bytes, bytes.length - 9);
    }

    private static byte[] headOf(byte[] entity) {
        String text = new String(entity, US_ASCII);
        return Arrays.copyOf(entity, text.indexOf("\r\n\r\n") + 4);
    }

    /** This number of indefinite lengths without an end. */
    private static byte[] nested(int depth) {
        byte[] start = DerWriter.concat(
                new byte[] {0x30, (byte) 0x80}, Oids.SIGNED_DATA, new byte[] {(byte) 0xA0, (byte) 0x80});
        byte[] nested = new byte[2 * depth];
        for (int i = 0; i < depth; i++) {
            nested[2 * i] = 0x30;
            nested[2 * i + 1] = (byte) 0x80;
        }
        return DerWriter.concat(start, nested);
    }

    private static byte[] nestedStrings(int depth) {
        byte[] nested = nested(depth);
        for (int i = nested.length - 2 * depth; i < nested.length; i += 2) {
            nested[i] = 0x24;
        }
        return nested;
    }

    private byte[] parts(int count) {
        DerNode envelope = DerNode.parse(integrity.edited(lengthen(count, 2, 1, 0)));
        DerNode content = envelope.child(1, 0, 2, 1, 0);
        boolean unused = forge.sign(envelope, integrity.identity());
        content.split(1, DerReader.OCTET_STRING);
        envelope.all().forEach(DerNode::makeIndefinite);
        return envelope.encoded();
    }

    private byte[] innerParts(int count) {
        DerNode envelope = DerNode.parse(privacy.value("signed-data"));
        DerNode content = envelope.child(1, 0, 2, 1, 0);
        lengthen(100 * count).change(content);
        boolean unused = forge.sign(envelope, privacy.identity());
        content.split(100, DerReader.OCTET_STRING);
        envelope.child(1, 0, 2).all().forEach(DerNode::makeIndefinite); // behind the bytes that commit
        DerNode outside = DerNode.parse(privacy.envelope());
        EnvelopeForge.encrypt(outside, privacy, envelope.encoded());
        outside.child(1, 0, 2, 2).split(1000, DerReader.OCTET_STRING);
        outside.all().forEach(DerNode::makeIndefinite);
        return outside.encoded();
    }

    /** One set in another, each in the wrong order. */
    private static byte[] unsorted(int length) {
        byte[] one = element(DerReader.INTEGER, new byte[] {1});
        byte[] set = element(DerReader.SET, element(DerReader.OCTET_STRING, new byte[length]), one);
        for (int i = 0; i < 20; i++) {
            set = element(DerReader.SET, set, one);
        }
        return set;
    }

    private byte[] row(Template template, int count) {
        ByteArrayOutputStream row = new ByteArrayOutputStream();
        for (int i = 1; i <= Math.min(count, 2000); i++) {
            byte[] entity = EnvelopeForge.withLines("Signet-Segment: " + i + "\r\n", template.entity());
            row.writeBytes(
                    !template.isEncrypted()
                            ? forge.signed(template, entity)
                            : forge.encrypted(template, template.isSigned() ? forge.signed(template, entity) : entity));
        }
        return row.toByteArray();
    }
}
