/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.spec.ECGenParameterSpec;
import java.util.concurrent.Callable;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.RSAESOAEPparams;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.cms.CMSAuthEnvelopedData;
import org.bouncycastle.cms.CMSAuthEnvelopedDataGenerator;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.Recipient;
import org.bouncycastle.cms.RecipientInfoGenerator;
import org.bouncycastle.cms.jcajce.JceCMSContentEncryptorBuilder;
import org.bouncycastle.cms.jcajce.JceKeyAgreeAuthEnvelopedRecipient;
import org.bouncycastle.cms.jcajce.JceKeyAgreeRecipientInfoGenerator;
import org.bouncycastle.cms.jcajce.JceKeyTransAuthEnvelopedRecipient;
import org.bouncycastle.cms.jcajce.JceKeyTransRecipientInfoGenerator;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.OutputAEADEncryptor;

/**
 * Bouncy Castle's stock generators and parsers of CMS: AuthEnvelopedData with AES-256-GCM, a key per message, without
 * any cache.
 *
 * @param recipientInfo wraps for the one recipient, once
 * @param recipient unwraps
 */
record CmsPeer(Callable<RecipientInfoGenerator> recipientInfo, Recipient recipient) implements Peer<byte[]> {
    private static final Provider PROVIDER = new BouncyCastleProvider();
    private static final byte[] KEY_IDENTIFIER = new byte[20];

    /** Returns a peer with an RSA recipient of 2048 bits: OAEP with SHA-256. */
    static CmsPeer rsa() throws Exception {
        AlgorithmIdentifier sha256 = new AlgorithmIdentifier(NISTObjectIdentifiers.id_sha256, DERNull.INSTANCE);
        RSAESOAEPparams parameters = new RSAESOAEPparams(
                sha256,
                new AlgorithmIdentifier(PKCSObjectIdentifiers.id_mgf1, sha256),
                RSAESOAEPparams.DEFAULT_P_SOURCE_ALGORITHM);
        AlgorithmIdentifier oaep = new AlgorithmIdentifier(PKCSObjectIdentifiers.id_RSAES_OAEP, parameters);
        KeyPair pair = Peers.rsaKeys();
        return new CmsPeer(
                () -> new JceKeyTransRecipientInfoGenerator(KEY_IDENTIFIER, oaep, pair.getPublic())
                        .setProvider(PROVIDER),
                new JceKeyTransAuthEnvelopedRecipient(pair.getPrivate()).setProvider(PROVIDER));
    }

    /** Returns a peer with a P-256 recipient: ephemeral-static ECDH with SHA-256, AES-256 key wrap. */
    static CmsPeer ec() throws Exception {
        KeyPairGenerator keys = KeyPairGenerator.getInstance("EC", PROVIDER);
        keys.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair pair = keys.generateKeyPair();
        return new CmsPeer(
                () -> {
                    KeyPair ephemeral = keys.generateKeyPair();
                    return new JceKeyAgreeRecipientInfoGenerator(
                                    SECObjectIdentifiers.dhSinglePass_stdDH_sha256kdf_scheme,
                                    ephemeral.getPrivate(),
                                    ephemeral.getPublic(),
                                    NISTObjectIdentifiers.id_aes256_wrap)
                            .addRecipient(KEY_IDENTIFIER, pair.getPublic())
                            .setProvider(PROVIDER);
                },
                new JceKeyAgreeAuthEnvelopedRecipient(pair.getPrivate()).setProvider(PROVIDER));
    }

    @Override
    public byte[] seal(byte[] payload) throws Exception {
        CMSAuthEnvelopedDataGenerator generator = new CMSAuthEnvelopedDataGenerator();
        generator.addRecipientInfoGenerator(recipientInfo.call());
        OutputAEADEncryptor encryptor =
                (OutputAEADEncryptor) new JceCMSContentEncryptorBuilder(NISTObjectIdentifiers.id_aes256_GCM)
                        .setProvider(PROVIDER)
                        .build();
        return generator
                .generate(new CMSProcessableByteArray(payload), encryptor)
                .getEncoded();
    }

    @Override
    public byte[] open(byte[] sealed) throws CMSException {
        return new CMSAuthEnvelopedData(sealed)
                .getRecipientInfos()
                .iterator()
                .next()
                .getContent(recipient);
    }
}
