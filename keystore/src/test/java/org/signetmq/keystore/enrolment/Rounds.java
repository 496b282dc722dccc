/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.io.IOException;
import java.util.Base64;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.EncryptedPrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.EncryptionScheme;
import org.bouncycastle.asn1.pkcs.KeyDerivationFunc;
import org.bouncycastle.asn1.pkcs.PBES2Parameters;
import org.bouncycastle.asn1.pkcs.PBKDF2Params;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;

/** Makes encrypted keys whose password is hashed many times. */
final class Rounds {
    private Rounds() {}

    /** Returns PKCS#8 in base 64 that asks for this number of rounds. */
    static String pkcs8(int rounds) {
        PBES2Parameters parameters = new PBES2Parameters(
                new KeyDerivationFunc(PKCSObjectIdentifiers.id_PBKDF2, new PBKDF2Params(new byte[8], rounds)),
                new EncryptionScheme(NISTObjectIdentifiers.id_aes256_CBC, new DEROctetString(new byte[16])));
        try {
            return Base64.getEncoder()
                    .encodeToString(new EncryptedPrivateKeyInfo(
                                    new AlgorithmIdentifier(PKCSObjectIdentifiers.id_PBES2, parameters), new byte[32])
                            .getEncoded());
        } catch (IOException e) {
            throw new IllegalStateException("key: cannot be encoded", e);
        }
    }
}
