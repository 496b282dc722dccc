/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.signetmq.envelope.internal.cms.Edit;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.format.HeaderName;
import org.signetmq.keystore.keys.CryptoProviders;

/**
 * Signs and encrypts a changed envelope again with the keys of the vectors. So an attack gets as far as that of a real
 * sender.
 */
final class EnvelopeForge {
    /** An envelope of the document, with its secrets. */
    record Template(String quality, String identity, byte[] envelope, Map<String, byte[]> values) {
        boolean isEncrypted() {
            return !quality.equals("integrity");
        }

        boolean isSigned() {
            return quality.equals("integrity") || quality.equals("privacy");
        }

        /** The encrypted content, or the envelope itself. */
        byte[] inside() {
            byte[] signed = values.get("signed-data");
            return signed != null ? signed : isEncrypted() ? entity() : envelope;
        }

        byte[] entity() {
            return value("entity");
        }

        byte[] edited(Edit edit) {
            return edit.ofContent(DerNode.parse(envelope));
        }

        byte[] value(String name) {
            byte[] value = values.get(name);
            if (value == null) {
                throw new IllegalStateException("vector: without " + name);
            }
            return value;
        }
    }

    private final FixedParties parties;
    private final List<Template> templates = new ArrayList<>();

    /** Creates a forge with a home in this folder. */
    EnvelopeForge(Path folder) throws IOException, GeneralSecurityException {
        FormatDocument document = FormatDocument.read();
        for (FormatDocument.Block pem : document.blocks("pem")) {
            Files.writeString(folder.resolve(pem.name()), pem.text());
        }
        parties = new FixedParties(folder);
        for (FormatDocument.Block vector : document.blocks("vector")) {
            Map<String, String> fields = vector.fields();
            String identity = fields.getOrDefault("identity", "");
            byte[] envelope = HexFormat.of().parseHex(fields.getOrDefault("envelope", ""));
            Map<String, byte[]> values = Intermediates.of(envelope, parties, identity);
            templates.add(new Template(fields.getOrDefault("quality", ""), identity, envelope, values));
        }
    }

    FixedParties parties() {
        return parties;
    }

    List<Template> templates() {
        return templates;
    }

    Template template(String quality, String identity) {
        return templates.stream()
                .filter(template -> template.quality().equals(quality)
                        && template.identity().equals(identity))
                .findFirst()
                .orElseThrow();
    }

    /** Encrypts other content under the data key of a template. */
    byte[] encrypted(Template template, byte[] content) {
        DerNode envelope = DerNode.parse(template.envelope());
        encrypt(envelope, template, content);
        return envelope.encoded();
    }

    /** Encrypts content into an AuthEnvelopedData, or into the one inside it if there are two. */
    static void encrypt(DerNode envelope, Template template, byte[] content) {
        byte[] within = template.values().get("inner-envelope");
        if (within == null) {
            encrypt(envelope, template, "", content);
        } else {
            DerNode inner = DerNode.parse(within);
            encrypt(inner, template, "", content);
            encrypt(envelope, template, "outer-", inner.encoded());
        }
    }

    private static void encrypt(DerNode envelope, Template template, String prefix, byte[] content) {
        DerNode data = envelope.child(1, 0);
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(
                    Cipher.ENCRYPT_MODE,
                    new SecretKeySpec(template.value(prefix + "cek"), "AES"),
                    new GCMParameterSpec(128, template.value(prefix + "nonce")));
            byte[] sealed = cipher.doFinal(content);
            data.child(2, 2).setContent(Arrays.copyOf(sealed, content.length));
            data.child(3).setContent(Arrays.copyOfRange(sealed, content.length, sealed.length));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Puts header lines behind the first two, which every encrypted entity begins with. */
    static byte[] withLines(String lines, byte[] entity) {
        int first = HeaderName.COMMITTING_LINES.length();
        return DerWriter.concat(
                Arrays.copyOf(entity, first),
                lines.getBytes(US_ASCII),
                Arrays.copyOfRange(entity, first, entity.length));
    }

    /** Signs another entity. */
    byte[] signed(Template template, byte[] entity) {
        DerNode envelope = DerNode.parse(template.values().getOrDefault("signed-data", template.envelope()));
        envelope.child(1, 0, 2, 1, 0).setContent(entity);
        sign(envelope, template.identity());
        return envelope.encoded();
    }

    /**
     * Corrects digest and signature of a SignedData, if it still has these elements.
     *
     * @return whether it has them
     */
    boolean sign(DerNode envelope, String identity) {
        try {
            DerNode data = envelope.child(1, 0);
            byte[] content = data.child(2, 1, 0).content();
            List<DerNode> fields = data.children();
            List<DerNode> signers = fields.get(fields.size() - 1).children();
            signInfo(signers.get(0), content, isMlDsa(signers.get(0)) ? FixedParties.ML_DSA : identity);
            if (signers.size() > 1 && isMlDsa(signers.get(1))) {
                signInfo(signers.get(1), content, FixedParties.ML_DSA);
            }
            return true;
        } catch (IndexOutOfBoundsException changedTooMuch) {
            return false;
        } catch (IOException | GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static boolean isMlDsa(DerNode signer) throws IOException {
        return Arrays.equals(signer.child(4, 0).encoded(), NISTObjectIdentifiers.id_ml_dsa_65.getEncoded());
    }

    private void signInfo(DerNode signer, byte[] content, String identity)
            throws IOException, GeneralSecurityException {
        DerNode attributes = signer.child(3);
        byte[] digestOid = Arrays.copyOfRange(Oids.MESSAGE_DIGEST, 2, Oids.MESSAGE_DIGEST.length);
        for (DerNode attribute : attributes.children()) {
            if (Arrays.equals(attribute.child(0).content(), digestOid)) {
                attribute
                        .child(1, 0)
                        .setContent(MessageDigest.getInstance("SHA-512").digest(content));
            }
        }
        byte[] toSign = attributes.encoded();
        toSign[0] = DerReader.SET;
        PrivateKey key = parties.privateKey(identity);
        Signature signature = identity.equals(FixedParties.ML_DSA)
                ? Signature.getInstance("ML-DSA-65", CryptoProviders.bouncyCastle())
                : Signature.getInstance(key.getAlgorithm().equals("EC") ? "SHA512withECDSA" : "SHA512withRSA");
        signature.initSign(key);
        signature.update(toSign);
        signer.child(5).setContent(signature.sign());
    }
}
