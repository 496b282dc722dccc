/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.cms.Attribute;
import org.bouncycastle.asn1.cms.AttributeTable;
import org.bouncycastle.asn1.cms.AuthEnvelopedData;
import org.bouncycastle.asn1.cms.CMSAttributes;
import org.bouncycastle.asn1.cms.CMSORIforKEMOtherInfo;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.bouncycastle.asn1.cms.ContentInfo;
import org.bouncycastle.asn1.cms.EncryptedContentInfo;
import org.bouncycastle.asn1.cms.GCMParameters;
import org.bouncycastle.asn1.cms.KEMRecipientInfo;
import org.bouncycastle.asn1.cms.KeyAgreeRecipientInfo;
import org.bouncycastle.asn1.cms.KeyTransRecipientInfo;
import org.bouncycastle.asn1.cms.OtherRecipientInfo;
import org.bouncycastle.asn1.cms.RecipientInfo;
import org.bouncycastle.asn1.cms.SignedData;
import org.bouncycastle.asn1.cms.SignerInfo;
import org.bouncycastle.asn1.cms.ecc.ECCCMSSharedInfo;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.crypto.kems.MLKEMExtractor;
import org.bouncycastle.crypto.params.MLKEMPrivateKeyParameters;
import org.bouncycastle.crypto.util.PrivateKeyFactory;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.util.Arrays;
import org.signetmq.keystore.keys.CryptoProviders;

/**
 * Computes all values between an envelope and its entity from the RFCs. It uses only the JDK and Bouncy Castle's ASN.1
 * types and ML-KEM, not the tested code.
 */
final class Intermediates {
    private final PrivateKey key;
    private final X509Certificate certificate;
    private final PrivateKey kem;
    private final X509Certificate mlDsa;
    private Map<String, byte[]> values = new LinkedHashMap<>();

    private Intermediates(PrivateKey key, X509Certificate certificate, PrivateKey kem, X509Certificate mlDsa) {
        this.key = key;
        this.certificate = certificate;
        this.kem = kem;
        this.mlDsa = mlDsa;
    }

    /** The values by name, for an envelope signed by and encrypted for one identity. */
    static Map<String, byte[]> of(byte[] envelope, PrivateKey key, X509Certificate certificate)
            throws IOException, GeneralSecurityException {
        return new Intermediates(key, certificate, key, certificate).of(envelope);
    }

    /** The values by name, for an envelope signed by and encrypted for one identity, its companion, or both. */
    static Map<String, byte[]> of(byte[] envelope, FixedParties parties, String identity)
            throws IOException, GeneralSecurityException {
        return new Intermediates(
                        parties.privateKey(identity),
                        parties.certificate(identity),
                        parties.privateKey(FixedParties.KEM),
                        parties.certificate(FixedParties.ML_DSA))
                .of(envelope);
    }

    private Map<String, byte[]> of(byte[] envelope) throws IOException, GeneralSecurityException {
        byte[] content = envelope;
        if (isEncrypted(content)) {
            content = decrypt(content);
        }
        if (isEncrypted(content)) {
            Map<String, byte[]> inner = new LinkedHashMap<>();
            values.forEach((name, value) -> inner.put("outer-" + name, value));
            values = inner;
            values.put("inner-envelope", content);
            content = decrypt(content);
        }
        if (content[0] == 0x30) {
            if (content != envelope) {
                values.put("signed-data", content);
            }
            content = verify(
                    SignedData.getInstance(ContentInfo.getInstance(content).getContent()));
        }
        values.put("entity", content);
        return values;
    }

    private static boolean isEncrypted(byte[] content) {
        return content[0] == 0x30
                && ContentInfo.getInstance(content).getContentType().equals(CMSObjectIdentifiers.authEnvelopedData);
    }

    private byte[] decrypt(byte[] envelope) throws IOException, GeneralSecurityException {
        AuthEnvelopedData data =
                AuthEnvelopedData.getInstance(ContentInfo.getInstance(envelope).getContent());
        ASN1Encodable recipient = RecipientInfo.getInstance(
                        data.getRecipientInfos().getObjectAt(0))
                .getInfo();
        byte[] dataKey;
        if (recipient instanceof KeyTransRecipientInfo transport) {
            dataKey = transported(transport);
        } else if (recipient instanceof OtherRecipientInfo other) {
            dataKey = encapsulated(KEMRecipientInfo.getInstance(other.getValue()));
        } else {
            dataKey = agreed((KeyAgreeRecipientInfo) recipient);
        }
        EncryptedContentInfo content = data.getAuthEncryptedContentInfo();
        GCMParameters parameters = GCMParameters.getInstance(
                content.getContentEncryptionAlgorithm().getParameters());
        byte[] ciphertext = content.getEncryptedContent().getOctets();
        byte[] tag = data.getMac().getOctets();
        values.put("cek", dataKey);
        values.put("nonce", parameters.getNonce());
        values.put("tag", tag);
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(
                Cipher.DECRYPT_MODE,
                new SecretKeySpec(dataKey, "AES"),
                new GCMParameterSpec(128, parameters.getNonce()));
        cipher.update(ciphertext);
        return cipher.doFinal(tag);
    }

    private byte[] transported(KeyTransRecipientInfo info) throws GeneralSecurityException {
        byte[] wrapped = info.getEncryptedKey().getOctets();
        values.put("wrapped-cek", wrapped);
        Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding");
        cipher.init(
                Cipher.DECRYPT_MODE,
                key,
                new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT));
        return cipher.doFinal(wrapped);
    }

    private byte[] agreed(KeyAgreeRecipientInfo info) throws IOException, GeneralSecurityException {
        byte[] point =
                info.getOriginator().getOriginatorKey().getPublicKeyData().getOctets();
        AlgorithmIdentifier curve = SubjectPublicKeyInfo.getInstance(
                        certificate.getPublicKey().getEncoded())
                .getAlgorithm();
        PublicKey ephemeral = KeyFactory.getInstance("EC")
                .generatePublic(new X509EncodedKeySpec(new SubjectPublicKeyInfo(curve, point).getEncoded()));
        KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
        agreement.init(key);
        agreement.doPhase(ephemeral, true);
        byte[] secret = agreement.generateSecret();
        byte[] material = info.getUserKeyingMaterial() == null
                ? null
                : info.getUserKeyingMaterial().getOctets();
        AlgorithmIdentifier wrap = new AlgorithmIdentifier(NISTObjectIdentifiers.id_aes256_wrap);
        byte[] keyBits = {0, 0, 1, 0};
        byte[] sharedInfo = (material == null
                        ? new ECCCMSSharedInfo(wrap, keyBits)
                        : new ECCCMSSharedInfo(wrap, material, keyBits))
                .getEncoded(ASN1Encoding.DER);
        MessageDigest derivation = MessageDigest.getInstance("SHA-256"); // X9.63: one block is all that AES-256 takes
        derivation.update(secret);
        derivation.update(new byte[] {0, 0, 0, 1});
        byte[] keyEncryptionKey = derivation.digest(sharedInfo);
        ASN1Sequence entry =
                ASN1Sequence.getInstance(info.getRecipientEncryptedKeys().getObjectAt(0));
        byte[] wrapped = ASN1OctetString.getInstance(entry.getObjectAt(1)).getOctets();
        values.put(material == null ? "ephemeral-point" : "originator-point", point);
        if (material != null) {
            MessageDigest named = MessageDigest.getInstance("SHA-256");
            named.update("Signet originator".getBytes(StandardCharsets.US_ASCII));
            named.update(material, 0, 16);
            values.put("ukm", material);
            values.put("ukm-digest", named.digest(point));
        }
        values.put("z", secret);
        values.put("shared-info", sharedInfo);
        return unwrapped(keyEncryptionKey, wrapped);
    }

    private byte[] encapsulated(KEMRecipientInfo info) throws IOException, GeneralSecurityException {
        byte[] ciphertext = info.getKemct().getOctets();
        MLKEMPrivateKeyParameters own = (MLKEMPrivateKeyParameters) PrivateKeyFactory.createKey(kem.getEncoded());
        byte[] secret = new MLKEMExtractor(own).extractSecret(ciphertext);
        AlgorithmIdentifier wrap = new AlgorithmIdentifier(NISTObjectIdentifiers.id_aes256_wrap);
        byte[] otherInfo = new CMSORIforKEMOtherInfo(wrap, 32).getEncoded(ASN1Encoding.DER);
        values.put("kem-ciphertext", ciphertext);
        values.put("shared-secret", secret);
        values.put("other-info", otherInfo);
        byte[] extracted = hmac(new byte[32], secret); // HKDF without salt: one block is all that AES-256 takes
        byte[] keyEncryptionKey = hmac(extracted, Arrays.concatenate(otherInfo, new byte[] {1}));
        return unwrapped(keyEncryptionKey, info.getEncryptedKey().getOctets());
    }

    private static byte[] hmac(byte[] secret, byte[] bytes) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        return mac.doFinal(bytes);
    }

    private byte[] unwrapped(byte[] keyEncryptionKey, byte[] wrapped) throws GeneralSecurityException {
        values.put("kek", keyEncryptionKey);
        values.put("wrapped-cek", wrapped);
        Cipher cipher = Cipher.getInstance("AESWrap");
        cipher.init(Cipher.UNWRAP_MODE, new SecretKeySpec(keyEncryptionKey, "AES"));
        return cipher.unwrap(wrapped, "AES", Cipher.SECRET_KEY).getEncoded();
    }

    private byte[] verify(SignedData data) throws IOException, GeneralSecurityException {
        byte[] covered = ASN1OctetString.getInstance(data.getEncapContentInfo().getContent())
                .getOctets();
        byte[] digest = MessageDigest.getInstance("SHA-512").digest(covered);
        values.put("digest", digest);
        SignerInfo signer = SignerInfo.getInstance(data.getSignerInfos().getObjectAt(0));
        values.put("signed-attributes", verify(signer, digest));
        if (data.getSignerInfos().size() > 1) {
            SignerInfo second = SignerInfo.getInstance(data.getSignerInfos().getObjectAt(1));
            values.put("signed-attributes-of-ml-dsa", verify(second, digest));
        }
        return signer.getUnauthenticatedAttributes() == null ? covered : listed(signer, covered);
    }

    /** Returns the signed attributes. */
    private byte[] verify(SignerInfo signer, byte[] digest) throws IOException, GeneralSecurityException {
        byte[] attributes = signer.getAuthenticatedAttributes().getEncoded(ASN1Encoding.DER);
        Signature signature;
        if (signer.getDigestEncryptionAlgorithm().getAlgorithm().equals(NISTObjectIdentifiers.id_ml_dsa_65)) {
            signature = Signature.getInstance("ML-DSA-65", CryptoProviders.bouncyCastle());
            signature.initVerify(BouncyCastleProvider.getPublicKey(
                    SubjectPublicKeyInfo.getInstance(mlDsa.getPublicKey().getEncoded())));
        } else {
            signature = Signature.getInstance(
                    certificate.getPublicKey().getAlgorithm().equals("EC") ? "SHA512withECDSA" : "SHA512withRSA");
            signature.initVerify(certificate);
        }
        signature.update(attributes);
        ASN1Encodable stated = new AttributeTable(signer.getAuthenticatedAttributes())
                .get(CMSAttributes.messageDigest)
                .getAttrValues()
                .getObjectAt(0);
        if (!signature.verify(signer.getEncryptedDigest().getOctets()) || !stated.equals(new DEROctetString(digest))) {
            throw new GeneralSecurityException("signature: wrong");
        }
        return attributes;
    }

    private byte[] listed(SignerInfo signer, byte[] list) throws GeneralSecurityException {
        Attribute attribute =
                Attribute.getInstance(signer.getUnauthenticatedAttributes().getObjectAt(0));
        byte[] entity = ASN1OctetString.getInstance(attribute.getAttrValues().getObjectAt(0))
                .getOctets();
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(entity);
        values.put("hash-list", list);
        values.put("hash", hash);
        if (!HexFormat.of().formatHex(list).contains(HexFormat.of().formatHex(hash))) {
            throw new GeneralSecurityException("list: without the entity");
        }
        return entity;
    }
}
