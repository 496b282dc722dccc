/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.zip.Deflater;
import org.signetmq.envelope.EnvelopeForge.Template;
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
        all.add(new Attack("wrapped keys in one recipient info", this::wrappedKeys));
        all.add(new Attack("user keying material", this::userKeyingMaterial));
        all.add(new Attack("an originator's point", this::point));
        all.add(new Attack("a wrapped key", count -> with(rsa, count, 1, 0, 3)));
        all.add(new Attack("a recipient's key identifier", count -> with(rsa, count, 1, 0, 1)));
        all.add(new Attack("a recipient's issuer", this::issuer));
        all.add(new Attack("a recipient's serial number", this::serialNumber));
        all.add(new Attack("a nonce", count -> with(ec, count, 2, 1, 1, 0)));
        all.add(new Attack("a tag", count -> with(ec, count, 3)));
        all.add(new Attack("signed attributes", this::signedAttributes));
        all.add(new Attack("values of a signed attribute", this::attributeValues));
        all.add(new Attack("the type of a signed attribute", this::attributeType));
        all.add(new Attack("certificates, all the same", count -> certificates(count, false)));
        all.add(new Attack("certificates, each another", count -> certificates(count, true)));
        all.add(new Attack("a certificate", this::certificate));
        all.add(new Attack("attributes of names in five certificates", this::attributesOfNames));
        all.add(new Attack("names in an extension of five certificates", this::alternativeNames));
        all.add(new Attack("a signature", this::signature));
        all.add(new Attack("the signer's key identifier", this::signerIdentifier));
        all.add(new Attack("digest algorithms", this::digestAlgorithms));
        all.add(new Attack("header lines", count -> sealed(lines(count, "x"))));
        all.add(new Attack("properties", count -> sealed(lines(count, "Signet-Property-x"))));
        all.add(new Attack("a header line", count -> sealed("x: " + "y".repeat(count) + "\r\n")));
        all.add(new Attack("a payload that inflates", count -> forge.encrypted(ec, deflated(count))));
        all.add(new Attack("a payload that inflates, damaged", count -> forge.encrypted(ec, cut(deflated(count)))));
        all.add(new Attack("nested elements", HostileEnvelopes::nested));
        all.add(new Attack("nested strings", HostileEnvelopes::nestedStrings));
        all.add(new Attack("a string in parts", this::parts));
        all.add(new Attack("an inner envelope in parts", this::innerParts));
        all.add(new Attack("an unsorted set", this::unsorted));
        all.add(new Attack("short segments, signed", count -> row(integrity, count)));
        all.add(new Attack("short segments, encrypted", count -> row(ec, count)));
        all.add(new Attack("short segments, signed and encrypted", count -> row(privacy, count)));
        all.add(new Attack("a payload in privacy", count -> privacy(new byte[count])));
        all.add(new Attack("a payload", count -> sealed(new byte[count])));
        return all;
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
            DerNode material = DerNode.constructed(
                    DerReader.constructed(1),
                    DerNode.primitive(DerReader.OCTET_STRING, new byte[] {(byte) index, (byte) (index >> 8)}));
            copy.children().add(2, material); // agrees on another key each time
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

    private byte[] wrappedKeys(int count) {
        DerNode envelope = DerNode.parse(ec.envelope());
        DerNode keys = envelope.child(1, 0, RECIPIENTS, 0, 3);
        DerNode key = keys.child(0);
        key.child(1).content()[0] ^= 1;
        for (int i = 0; i < count; i++) {
            keys.children().add(key.copy());
        }
        return envelope.encoded();
    }

    private byte[] userKeyingMaterial(int length) {
        DerNode envelope = DerNode.parse(ec.envelope());
        DerNode info = envelope.child(1, 0, RECIPIENTS, 0);
        info.children()
                .add(
                        2,
                        DerNode.constructed(
                                DerReader.constructed(1), DerNode.primitive(DerReader.OCTET_STRING, new byte[length])));
        return envelope.encoded();
    }

    private byte[] point(int length) {
        DerNode envelope = DerNode.parse(ec.envelope());
        DerNode point = envelope.child(1, 0, RECIPIENTS, 0, 1, 0, 1);
        point.setContent(Arrays.copyOf(point.content(), point.content().length + length));
        return envelope.encoded();
    }

    /** The envelope with one primitive element of this length, found by its path below the content. */
    private static byte[] with(Template template, int length, int... path) {
        DerNode envelope = DerNode.parse(template.envelope());
        DerNode at = envelope.child(1, 0);
        for (int index : path) {
            at = at.child(index);
        }
        at.setContent(new byte[length]);
        return envelope.encoded();
    }

    private byte[] issuer(int length) {
        return named(DerNode.constructed(
                DerReader.SEQUENCE,
                DerNode.constructed(DerReader.SEQUENCE, DerNode.primitive(0x0C, new byte[length])),
                DerNode.primitive(DerReader.INTEGER, new byte[] {1})));
    }

    private byte[] serialNumber(int length) {
        byte[] number = new byte[length];
        number[0] = 1;
        return named(DerNode.constructed(
                DerReader.SEQUENCE,
                DerNode.constructed(DerReader.SEQUENCE),
                DerNode.primitive(DerReader.INTEGER, number)));
    }

    private byte[] named(DerNode issuerAndSerial) {
        DerNode envelope = DerNode.parse(rsa.envelope());
        DerNode info = envelope.child(1, 0, RECIPIENTS, 0);
        info.child(0).setContent(new byte[] {0});
        info.children().set(1, issuerAndSerial);
        return envelope.encoded();
    }

    private DerNode signerOf(DerNode envelope) {
        List<DerNode> fields = envelope.child(1, 0).children();
        return fields.get(fields.size() - 1).child(0);
    }

    private byte[] signedAgain(DerNode envelope) {
        if (!forge.sign(envelope, integrity.identity())) {
            throw new IllegalStateException("cannot be signed");
        }
        return envelope.encoded();
    }

    private byte[] signedAttributes(int count) {
        DerNode envelope = DerNode.parse(integrity.envelope());
        DerNode attributes = signerOf(envelope).child(3);
        for (int i = 0; i < count; i++) {
            attributes.children().add(attribute(i));
        }
        return signedAgain(envelope);
    }

    private static DerNode attribute(int number) {
        byte[] oid = {
            0x2A,
            (byte) (((number >> 14) & 0x7F) | 0x80),
            (byte) (((number >> 7) & 0x7F) | 0x80),
            (byte) (number & 0x7F)
        };
        return DerNode.constructed(
                DerReader.SEQUENCE,
                DerNode.primitive(DerReader.OID, oid),
                DerNode.constructed(DerReader.SET, DerNode.primitive(0x05, new byte[0])));
    }

    private byte[] attributeValues(int count) {
        DerNode envelope = DerNode.parse(integrity.envelope());
        DerNode values = signerOf(envelope).child(3, 1, 1);
        for (int i = 0; i < count; i++) {
            values.children().add(values.child(0).copy());
        }
        return signedAgain(envelope);
    }

    private byte[] attributeType(int length) {
        DerNode envelope = DerNode.parse(integrity.envelope());
        DerNode attribute = attribute(1);
        attribute.child(0).setContent(new byte[length]);
        signerOf(envelope).child(3).children().add(attribute);
        return signedAgain(envelope);
    }

    private byte[] certificates(int count, boolean different) {
        DerNode envelope = DerNode.parse(integrity.envelope());
        DerNode certificates = envelope.child(1, 0, 3);
        DerNode certificate = certificates.child(0);
        for (int i = 0; i < count; i++) {
            DerNode copy = certificate.copy();
            if (different) {
                byte[] signature = copy.child(2).content();
                signature[signature.length - 1] = (byte) i;
                signature[signature.length - 2] = (byte) (i >> Byte.SIZE);
            }
            certificates.children().add(0, copy);
        }
        return envelope.encoded();
    }

    /** Makes a certificate with an extension of this length. */
    private byte[] certificate(int length) {
        DerNode envelope = DerNode.parse(integrity.envelope());
        DerNode toBeSigned = envelope.child(1, 0, 3, 0, 0);
        List<DerNode> fields = toBeSigned.children();
        DerNode extensions = fields.get(fields.size() - 1).child(0);
        extensions
                .children()
                .add(DerNode.constructed(
                        DerReader.SEQUENCE,
                        DerNode.primitive(DerReader.OID, new byte[] {0x2A, 3}),
                        DerNode.primitive(DerReader.OCTET_STRING, new byte[length])));
        return envelope.encoded();
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
        return fiveCertificates(certificate -> {
            List<DerNode> fields = certificate.child(0).children();
            fields.get(fields.size() - 1).child(0).children().add(extension);
        });
    }

    private byte[] fiveCertificates(Consumer<DerNode> change) {
        DerNode envelope = DerNode.parse(integrity.envelope());
        DerNode certificates = envelope.child(1, 0, 3);
        change.accept(certificates.child(0));
        for (int i = 1; i < Limits.CERTIFICATES; i++) {
            DerNode copy = certificates.child(0).copy();
            byte[] signature = copy.child(2).content();
            signature[signature.length - 1] = (byte) i;
            certificates.children().add(copy);
        }
        return envelope.encoded();
    }

    private byte[] signature(int length) {
        DerNode envelope = DerNode.parse(integrity.envelope());
        signerOf(envelope).child(5).setContent(new byte[length]);
        return envelope.encoded();
    }

    private byte[] signerIdentifier(int length) {
        DerNode envelope = DerNode.parse(integrity.envelope());
        signerOf(envelope).child(1).setContent(new byte[length]);
        return envelope.encoded();
    }

    private byte[] digestAlgorithms(int count) {
        DerNode envelope = DerNode.parse(integrity.envelope());
        DerNode digests = envelope.child(1, 0, 1);
        for (int i = 0; i < count; i++) {
            digests.children().add(digests.child(0).copy());
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
        return forge.encrypted(ec, DerWriter.concat(lines.getBytes(US_ASCII), ec.entity()));
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
        return DerWriter.concat("Signet-Encoding: deflate\r\n".getBytes(US_ASCII), head, deflated.array());
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
        DerNode envelope = DerNode.parse(integrity.envelope());
        DerNode content = envelope.child(1, 0, 2, 1, 0);
        content.setContent(Arrays.copyOf(content.content(), content.content().length + count));
        boolean unused = forge.sign(envelope, integrity.identity());
        content.split(1, DerReader.OCTET_STRING);
        envelope.all().forEach(DerNode::makeIndefinite);
        return envelope.encoded();
    }

    private byte[] innerParts(int count) {
        DerNode envelope = DerNode.parse(privacy.value("signed-data"));
        DerNode content = envelope.child(1, 0, 2, 1, 0);
        content.setContent(Arrays.copyOf(content.content(), content.content().length + 100 * count));
        boolean unused = forge.sign(envelope, privacy.identity());
        content.split(100, DerReader.OCTET_STRING);
        envelope.all().forEach(DerNode::makeIndefinite);
        DerNode outside = DerNode.parse(privacy.envelope());
        EnvelopeForge.encrypt(outside, privacy, envelope.encoded());
        outside.child(1, 0, 2, 2).split(1000, DerReader.OCTET_STRING);
        outside.all().forEach(DerNode::makeIndefinite);
        return outside.encoded();
    }

    /** One set in another, each in the wrong order. */
    private byte[] unsorted(int length) {
        DerNode set = DerNode.constructed(
                DerReader.SET,
                DerNode.primitive(DerReader.OCTET_STRING, new byte[length]),
                DerNode.primitive(DerReader.INTEGER, new byte[] {1}));
        for (int i = 0; i < 20; i++) {
            set = DerNode.constructed(DerReader.SET, set, DerNode.primitive(DerReader.INTEGER, new byte[] {1}));
        }
        DerNode envelope = DerNode.parse(integrity.envelope());
        envelope.child(1, 0).children().set(1, set);
        return envelope.encoded();
    }

    private byte[] row(Template template, int count) {
        ByteArrayOutputStream row = new ByteArrayOutputStream();
        for (int i = 1; i <= Math.min(count, 2000); i++) {
            byte[] entity = DerWriter.concat(("Signet-Segment: " + i + "\r\n").getBytes(US_ASCII), template.entity());
            row.writeBytes(
                    !template.isEncrypted()
                            ? forge.signed(template, entity)
                            : forge.encrypted(template, template.isSigned() ? forge.signed(template, entity) : entity));
        }
        return row.toByteArray();
    }
}
