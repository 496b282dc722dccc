/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Pem;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.file.PolicyFile;

/**
 * The text of a policy document: JSON, or JSON that an officer signed. A signed text is CMS SignedData in the armor of
 * PEM (RFC 7468) with the label {@code CMS}. A text whose first characters, after blanks, are five hyphens is signed,
 * and each other text is JSON: no text is both. The reader of the JSON refuses signed documents of other kinds.
 */
public final class SignedPolicies {
    private static final String DASHES = "-----";
    private static final String BEGIN = "-----BEGIN CMS-----";
    private static final String END = "-----END CMS-----";
    private static final String PLACE = "$";

    private final String text;
    private final String json;
    private final @Nullable X509Certificate signer;

    private SignedPolicies(String text, String json, @Nullable X509Certificate signer) {
        this.text = text;
        this.json = json;
        this.signer = signer;
    }

    /**
     * Signs a policy document.
     *
     * @return the signed text
     * @throws KeystoreUnusableException if the key cannot sign, or the certificate is not valid now
     * @throws InvalidPolicyException if the signed text would be too long
     */
    public static String sign(String json, Identity officer, Clock clock) {
        Instant now = clock.instant();
        X509Certificate certificate = officer.certificate();
        if (now.isBefore(certificate.getNotBefore().toInstant())
                || now.isAfter(certificate.getNotAfter().toInstant())) {
            throw new KeystoreUnusableException("identity '" + officer.name() + "': its certificate is valid from "
                    + certificate.getNotBefore().toInstant() + " to "
                    + certificate.getNotAfter().toInstant());
        }
        String text = Pem.block("CMS", SignedDocument.sign(json.getBytes(StandardCharsets.UTF_8), officer, clock));
        requireLength(text.length());
        return text;
    }

    /** Tells whether a text is that of a signed document, right or not. */
    public static boolean isSigned(String text) {
        return text.startsWith(DASHES, blanks(text));
    }

    private static int blanks(String text) {
        int at = 0;
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at;
    }

    /**
     * Reads a text. The policies in it are not read yet.
     *
     * @param officers the certificates of the officers. If there is one, the text must be signed by the key of one of
     *     them. If there is none, each signer counts, and so does JSON without a signature.
     * @throws InvalidPolicyException if the text is too long, its signature is wrong, or no officer signed it
     */
    public static SignedPolicies open(String text, Collection<X509Certificate> officers) {
        requireLength(text.length());
        if (!isSigned(text)) {
            if (!officers.isEmpty()) {
                throw refused("not signed, but officer.pem names an officer who must sign the policies; run"
                        + " 'signet policy sign --as OFFICER FILE'");
            }
            return new SignedPolicies(text, text, null);
        }
        SignedDocument signed;
        try {
            signed = SignedDocument.ofAnySigner(decoded(text));
        } catch (EnvelopeException e) {
            throw refused("its signature is wrong: " + e.getMessage() + "; it was altered, or cut: fetch it again");
        }
        X509Certificate signer = signed.signer();
        if (!officers.isEmpty()
                && officers.stream()
                        .noneMatch(officer -> Arrays.equals(
                                officer.getPublicKey().getEncoded(),
                                signer.getPublicKey().getEncoded()))) {
            throw refused("signed by " + signed.signerName() + ", which is not a key of officer.pem; let the officer"
                    + " sign it, or put the certificate of the new officer into officer.pem");
        }
        return new SignedPolicies(text, utf8(signed.content()), signer);
    }

    /** Reads the content of a file as {@link #open(String, Collection)} reads its text. */
    public static SignedPolicies open(byte[] content, Collection<X509Certificate> officers) {
        requireLength(content.length);
        return open(utf8(content), officers);
    }

    /**
     * Reads a file as {@link #open(String, Collection)} reads its text.
     *
     * @throws IOException if the file cannot be read
     */
    public static SignedPolicies read(Path file, Collection<X509Certificate> officers) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return open(in.readNBytes(PolicyFile.LONGEST + 1), officers);
        }
    }

    private static void requireLength(int length) {
        if (length > PolicyFile.LONGEST) {
            throw refused("longer than " + PolicyFile.LONGEST + " bytes; name fewer policies");
        }
    }

    private static byte[] decoded(String text) {
        String armor = text.strip();
        if (!armor.startsWith(BEGIN) || !armor.endsWith(END) || armor.length() < BEGIN.length() + END.length()) {
            throw refused("begins with hyphens, but is not one text from '" + BEGIN + "' to '" + END + "'");
        }
        try {
            return Base64.getDecoder()
                    .decode(armor.substring(BEGIN.length(), armor.length() - END.length())
                            .replace("\r", "")
                            .replace("\n", ""));
        } catch (IllegalArgumentException e) {
            throw refused("between '" + BEGIN + "' and '" + END + "' is something other than base64");
        }
    }

    private static String utf8(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw refused("not UTF-8; save the file in that encoding");
        }
    }

    private static InvalidPolicyException refused(String problem) {
        return InvalidPolicyException.of(PLACE, problem);
    }

    /** Returns the whole text, with the signature if it has one. */
    public String text() {
        return text;
    }

    /** Returns the policy document. */
    public String json() {
        return json;
    }

    /** Returns the certificate of the signer; empty for a text without signature. The names in it are not proved. */
    public Optional<X509Certificate> signer() {
        return Optional.ofNullable(signer);
    }
}
