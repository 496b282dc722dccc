/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.testkit.SoftHsm;

/** A token of SoftHSM for one test class, with keys that pkcs11-tool generates in it. */
final class TestToken {
    static final Party AUTHORITY =
            CertificateForge.of("CN=token authority").authority().make();

    private static final List<SoftHsm> TOKENS = new ArrayList<>();
    private static boolean begun;

    final SoftHsm hsm;

    private TestToken(SoftHsm hsm) {
        this.hsm = hsm;
    }

    /** Returns a token of its own for a test class; skips the test where SoftHSM is not installed. */
    static synchronized TestToken make() throws IOException {
        if (!begun) {
            Path tokens = Path.of(System.getenv("SOFTHSM2_CONF")).resolveSibling("softhsm-tokens");
            for (int i = 0; i < 7; i++) {
                TOKENS.add(
                        SoftHsm.make(tokens, "signet " + ProcessHandle.current().pid() + "." + i));
            }
            begun = true;
        }
        return new TestToken(TOKENS.remove(0));
    }

    /** Returns a URI of this token with attributes of a key such as {@code object=x}. */
    TokenUri uri(String key) {
        return TokenUri.parse(hsm.uri(key));
    }

    /**
     * Generates a key that the token does not export.
     *
     * @param type such as {@code EC:prime256v1} or {@code rsa:2048}
     * @param id the id in hexadecimal
     * @param usage such as {@code --usage-sign}
     */
    PublicKey generate(String type, String id, String... usage) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("--keypairgen", "--key-type", type, "--id", id, "--label", "key " + id));
        arguments.addAll(List.of(usage));
        String made = hsm.tool(arguments.toArray(String[]::new));
        try {
            return type.startsWith("EC:") ? elliptic(type.substring(3), made) : rsa(id);
        } catch (GeneralSecurityException e) {
            throw new IOException(made, e);
        }
    }

    private PublicKey rsa(String id) throws IOException, GeneralSecurityException {
        Path file = Files.createTempFile("public", ".der");
        hsm.tool("--read-object", "--type", "pubkey", "--id", id, "--output-file", file.toString());
        byte[] encoded = Files.readAllBytes(file);
        Files.delete(file);
        return KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(encoded));
    }

    /** OpenSC 0.23 reads no other curve than P-256, but it prints the point of each. */
    private static PublicKey elliptic(String curve, String made) throws GeneralSecurityException {
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(new ECGenParameterSpec(curve.equals("prime256v1") ? "secp256r1" : curve));
        Matcher point = Pattern.compile("EC_POINT: *04[0-9a-f]{2}04([0-9a-f]+)").matcher(made);
        if (!point.find()) {
            throw new InvalidKeySpecException("no point");
        }
        String x = point.group(1).substring(0, point.group(1).length() / 2);
        String y = point.group(1).substring(x.length());
        return KeyFactory.getInstance("EC")
                .generatePublic(new ECPublicKeySpec(
                        new ECPoint(new BigInteger(x, 16), new BigInteger(y, 16)),
                        parameters.getParameterSpec(ECParameterSpec.class)));
    }

    /** Writes a certificate for a key, and returns it. */
    X509Certificate certify(PublicKey key, String id, String object) throws IOException {
        KeyPair pair = new KeyPair(key, TestCertificates.ec().getPrivate());
        X509Certificate certificate =
                CertificateForge.of("CN=" + object, pair).by(AUTHORITY).make().certificate();
        write(certificate, id, object);
        return certificate;
    }

    void write(X509Certificate certificate, String id, String object) throws IOException {
        Path file = Files.createTempFile("certificate", ".der");
        try {
            Files.write(file, certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IOException(e);
        }
        hsm.tool("--write-object", file.toString(), "--type", "cert", "--id", id, "--label", object);
        Files.delete(file);
    }
}
