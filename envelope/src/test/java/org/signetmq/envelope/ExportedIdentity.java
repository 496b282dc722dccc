/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.IOException;
import java.nio.file.Files;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.Pem;
import org.signetmq.testkit.Openssl;

/** Writes the certificate and the key of an identity for openssl. */
final class ExportedIdentity {
    private ExportedIdentity() {}

    /** Writes NAME.pem and NAME.key, and returns the name. */
    static String write(Identity identity, Openssl openssl) throws IOException {
        String name = identity.name();
        Files.writeString(openssl.folder().resolve(name + ".pem"), Pem.certificatePem(identity.certificate()));
        Files.writeString(openssl.folder().resolve(name + ".key"), Pem.privateKeyPem(identity));
        return name;
    }
}
