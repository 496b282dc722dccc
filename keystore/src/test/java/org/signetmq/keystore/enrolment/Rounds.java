/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.PBEParameterSpec;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.AuthenticatedSafe;
import org.bouncycastle.asn1.pkcs.ContentInfo;
import org.bouncycastle.asn1.pkcs.EncryptedData;
import org.bouncycastle.asn1.pkcs.EncryptedPrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.EncryptionScheme;
import org.bouncycastle.asn1.pkcs.KeyDerivationFunc;
import org.bouncycastle.asn1.pkcs.PBES2Parameters;
import org.bouncycastle.asn1.pkcs.PBKDF2Params;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.Pfx;
import org.bouncycastle.asn1.pkcs.SafeBag;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;

/** Makes encrypted keys and key stores whose password is hashed many times. */
final class Rounds {
    private Rounds() {}

    /** Returns PKCS#8 in base 64 that asks for this number of rounds. */
    static String pkcs8(int rounds) {
        try {
            return Base64.getEncoder().encodeToString(key(rounds).getEncoded());
        } catch (IOException e) {
            throw new IllegalStateException("key: cannot be encoded", e);
        }
    }

    /** Returns PKCS#12 of a key and two encrypted parts, which ask for this number of rounds each. */
    static byte[] pkcs12(int rounds) throws IOException {
        SafeBag bag = new SafeBag(PKCSObjectIdentifiers.pkcs8ShroudedKeyBag, key(rounds));
        ContentInfo part = new ContentInfo(
                PKCSObjectIdentifiers.encryptedData,
                new EncryptedData(PKCSObjectIdentifiers.data, algorithm(rounds), new DEROctetString(new byte[32])));
        return new Pfx(data(new AuthenticatedSafe(new ContentInfo[] {part, part, data(new DERSequence(bag))})), null)
                .getEncoded();
    }

    /** Returns PKCS#12 with an encrypted part, in which two keys ask for this number of rounds each. */
    static byte[] hiddenIn(char[] password, int rounds) throws GeneralSecurityException, IOException {
        String name = "PBEWithHmacSHA256AndAES_256";
        Cipher cipher = Cipher.getInstance(name);
        cipher.init(
                Cipher.ENCRYPT_MODE,
                SecretKeyFactory.getInstance(name).generateSecret(new PBEKeySpec(password)),
                new PBEParameterSpec(new byte[8], 20, new IvParameterSpec(new byte[16])));
        SafeBag bag = new SafeBag(PKCSObjectIdentifiers.pkcs8ShroudedKeyBag, key(rounds));
        EncryptedData part = new EncryptedData(
                PKCSObjectIdentifiers.data,
                new AlgorithmIdentifier(
                        PKCSObjectIdentifiers.id_PBES2,
                        ASN1Primitive.fromByteArray(cipher.getParameters().getEncoded())),
                new DEROctetString(cipher.doFinal(new DERSequence(new SafeBag[] {bag, bag}).getEncoded())));
        return new Pfx(
                        data(new AuthenticatedSafe(
                                new ContentInfo[] {new ContentInfo(PKCSObjectIdentifiers.encryptedData, part)})),
                        null)
                .getEncoded();
    }

    private static ContentInfo data(ASN1Encodable content) throws IOException {
        return new ContentInfo(
                PKCSObjectIdentifiers.data,
                new DEROctetString(content.toASN1Primitive().getEncoded()));
    }

    private static EncryptedPrivateKeyInfo key(int rounds) {
        return new EncryptedPrivateKeyInfo(algorithm(rounds), new byte[32]);
    }

    private static AlgorithmIdentifier algorithm(int rounds) {
        return new AlgorithmIdentifier(
                PKCSObjectIdentifiers.id_PBES2,
                new PBES2Parameters(
                        new KeyDerivationFunc(PKCSObjectIdentifiers.id_PBKDF2, new PBKDF2Params(new byte[8], rounds)),
                        new EncryptionScheme(NISTObjectIdentifiers.id_aes256_CBC, new DEROctetString(new byte[16]))));
    }
}
