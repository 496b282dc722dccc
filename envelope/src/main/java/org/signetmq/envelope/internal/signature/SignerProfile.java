/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.signature;

import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.SET;
import static org.signetmq.envelope.internal.der.DerReader.constructed;
import static org.signetmq.envelope.internal.der.DerReader.primitive;
import static org.signetmq.envelope.internal.der.DerWriter.concat;
import static org.signetmq.envelope.internal.der.DerWriter.element;

import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.SignerNotAuthorizedException;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.cms.SignatureOids;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.keystore.trust.SignerMatch;
import org.signetmq.keystore.trust.TrustedCertificate;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.Policy.SignatureSharing;
import org.signetmq.policy.SignatureAlgorithm;

/** A signer with the constant parts of its signatures. Thread-safe. */
public final class SignerProfile {
    private static final String DIGEST = "SHA-512";

    private final Identity identity;
    private final SignatureScheme scheme;
    private final byte[] beforeAttributes;
    private final byte[] algorithm;
    private final byte[] certificates;
    private final byte[] signingCertificate;
    private final @Nullable SharedSignatures sharing;
    private final @Nullable SignerProfile companion;
    private volatile @Nullable SignedAttributesTemplate attributes;

    private SignerProfile(
            Identity identity,
            @Nullable SignerProfile companion,
            SignatureScheme scheme,
            SignatureSharing sharing,
            Function<byte[], byte[]> included) {
        this.identity = identity;
        this.companion = companion;
        this.scheme = scheme;
        this.sharing = sharing == SignatureSharing.SHARED ? new SharedSignatures(this) : null;
        byte[] identifier = element(primitive(0), identity.keyIdentifier().bytes());
        this.beforeAttributes = concat(SignedDataWriter.VERSION_3, identifier, SignedDataWriter.SHA_512);
        this.algorithm = SignatureOids.of(scheme);
        try {
            byte[] certificate = identity.certificate().getEncoded();
            this.certificates = included.apply(certificate);
            this.signingCertificate = signingCertificate(certificate);
        } catch (CertificateEncodingException unusable) {
            throw new KeystoreUnusableException("identity '" + identity.name() + "': unusable certificate", unusable);
        }
    }

    /**
     * Returns the profile of an identity.
     *
     * @param postQuantum the profile of its companion if the policy requires both kinds of keys, else null
     */
    private static SignerProfile of(Identity identity, Policy.Signing signing, @Nullable SignerProfile postQuantum) {
        PublicKey publicKey = identity.certificate().getPublicKey();
        SignatureScheme natural = SignatureScheme.of(publicKey)
                .orElseThrow(() -> new KeystoreUnusableException("identity '" + identity.name() + "': its "
                        + KeyAlgorithm.label(publicKey) + " key cannot sign"));
        if (postQuantum != null && (natural.isMlDsa() || !postQuantum.scheme.isMlDsa())) {
            throw new KeystoreUnusableException("identity '" + identity.name() + "': the policy requires both kinds of"
                    + " keys, so it needs a classical key, and " + postQuantum.name() + " one of ML-DSA");
        }
        boolean pss = natural == SignatureScheme.RSA && signing.algorithm() == SignatureAlgorithm.SHA_512_RSA_PSS;
        return new SignerProfile(
                identity,
                postQuantum,
                pss ? SignatureScheme.RSA_PSS : natural,
                signing.sharing(),
                certificate -> signing.certificate() == CertificateInclusion.INCLUDED
                        ? element(constructed(0), withCompanion(certificate, postQuantum))
                        : new byte[0]);
    }

    /**
     * Returns the profile for a document that is read without the home of the signer: its signature has all
     * certificates of the signer, except roots.
     */
    public static SignerProfile ofDocument(Identity identity) {
        SignerProfile alone = of(identity, Policy.Signing.DEFAULT, null);
        return new SignerProfile(
                identity, null, alone.scheme, SignatureSharing.SINGLE, certificate -> chain(identity, certificate));
    }

    private static byte[][] withCompanion(byte[] certificate, @Nullable SignerProfile postQuantum) {
        if (postQuantum == null) {
            return new byte[][] {certificate};
        }
        byte[] other = PublicKeyInfo.encoded(postQuantum.identity.certificate());
        return DerWriter.sorted(certificate, other);
    }

    private static byte[] chain(Identity identity, byte[] certificate) {
        List<byte[]> all = new ArrayList<>(List.of(certificate));
        try {
            for (X509Certificate issuer :
                    identity.chain().subList(1, identity.chain().size())) {
                if (!issuer.getSubjectX500Principal().equals(issuer.getIssuerX500Principal())) {
                    all.add(issuer.getEncoded());
                }
            }
        } catch (CertificateEncodingException unusable) {
            throw new KeystoreUnusableException("identity '" + identity.name() + "': unusable certificate", unusable);
        }
        return element(constructed(0), DerWriter.sorted(all.toArray(byte[][]::new)));
    }

    /** Encodes the attribute signing-certificate-v2 (RFC 5035) with SHA-256, the default algorithm. */
    private static byte[] signingCertificate(byte[] certificate) {
        byte[] hash = element(OCTET_STRING, CryptoProviders.sha256(certificate));
        byte[] certIds = element(SEQUENCE, element(SEQUENCE, hash));
        return element(SEQUENCE, Oids.SIGNING_CERTIFICATE_V2, element(SET, element(SEQUENCE, certIds)));
    }

    /** The signatures that messages share; null if each message has its own. */
    public @Nullable SharedSignatures sharing() {
        return sharing;
    }

    String name() {
        return identity.name();
    }

    /**
     * A signature, for one message or several.
     *
     * @param attributes the signed attributes, as the [0] IMPLICIT of a SignerInfo
     * @param second the one of the ML-DSA key of the same party, where the policy requires both; else null
     */
    record Signature(
            SignerProfile signer,
            byte[] attributes,
            byte[] value,
            @Nullable Signature second) {
        /** Returns the writer for an entity of this length, and for the list that the signature covers, if it does. */
        SignedDataWriter of(byte @Nullable [] list, int entity) {
            return new SignedDataWriter(this, list, entity);
        }

        /** The length of the content of its SignerInfo without unsigned attributes. */
        int length() {
            return signer.beforeAttributes.length
                    + attributes.length
                    + signer.algorithm.length
                    + DerWriter.sizeOf(value.length);
        }
    }

    /** Signs content of this type, by its SHA-512. */
    Signature sign(byte[] type, byte[] digest, Instant time) {
        SignedAttributesTemplate current = attributes;
        if (current == null || current.second() != time.getEpochSecond() || current.type() != type) {
            current = SignedAttributesTemplate.of(type, signingCertificate, time);
            attributes = current;
        }
        byte[] signed = current.with(digest);
        byte[] value = identity.privateKey().sign(scheme, DIGEST, signed); // as SET OF, RFC 5652 section 5.4
        signed[0] = (byte) constructed(0);
        return new Signature(this, signed, value, companion == null ? null : companion.sign(type, digest, time));
    }

    /** The start of a SignerInfo: version, subject key identifier and digest algorithm. */
    byte[] beforeAttributes() {
        return beforeAttributes;
    }

    /** The AlgorithmIdentifier of the signatures. */
    byte[] algorithm() {
        return algorithm;
    }

    /** The certificates field; empty if the policy only references the certificate. */
    byte[] certificates() {
        return certificates;
    }

    /**
     * The signed attributes (RFC 5652 section 11) of one signer within one second, without the digest of the content.
     * Immutable.
     *
     * @param type the type of the content
     * @param second of the signing time, since 1970
     * @param encoded as SET OF, with zeros for the digest
     * @param digestAt the index of the digest in the encoding
     */
    record SignedAttributesTemplate(byte[] type, long second, byte[] encoded, int digestAt) {
        private static final int SHA_512_LENGTH = 64;
        private static final byte[] EMPTY_DIGEST =
                element(SEQUENCE, Oids.MESSAGE_DIGEST, element(SET, element(OCTET_STRING, new byte[SHA_512_LENGTH])));
        private static final int UTC_TIME = 0x17;
        private static final int GENERALIZED_TIME = 0x18;
        private static final DateTimeFormatter TWO_DIGIT_YEAR =
                DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
        private static final DateTimeFormatter FOUR_DIGIT_YEAR =
                DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
        private static final Instant YEAR_2050 = Instant.parse("2050-01-01T00:00:00Z");

        /** Returns the attributes for the second of this time, with this signing-certificate-v2 attribute. */
        static SignedAttributesTemplate of(byte[] type, byte[] signingCertificate, Instant time) {
            byte[] contentType = element(SEQUENCE, Oids.CONTENT_TYPE, element(SET, type));
            byte[] signingTime = element(SEQUENCE, Oids.SIGNING_TIME, element(SET, time(time)));
            // their first bytes differ, so the digest does not change their order
            byte[][] sorted = DerWriter.sorted(contentType, signingTime, EMPTY_DIGEST, signingCertificate);
            byte[] encoded = element(SET, sorted);
            int end = encoded.length;
            for (int i = sorted.length - 1; sorted[i] != EMPTY_DIGEST; i--) {
                end -= sorted[i].length;
            }
            return new SignedAttributesTemplate(type, time.getEpochSecond(), encoded, end - SHA_512_LENGTH);
        }

        /** Returns the attributes of a message with this SHA-512 digest, as SET OF. */
        byte[] with(byte[] digest) {
            byte[] complete = Arrays.copyOf(encoded, encoded.length);
            System.arraycopy(digest, 0, complete, digestAt, SHA_512_LENGTH);
            return complete;
        }

        /** Encodes a time (RFC 5652 section 11.3): two digits of the year until 2049, four later. */
        private static byte[] time(Instant time) {
            boolean late = !time.isBefore(YEAR_2050);
            String text = (late ? FOUR_DIGIT_YEAR : TWO_DIGIT_YEAR).format(time);
            return element(late ? GENERALIZED_TIME : UTC_TIME, text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** A cache of the profiles of signers. It rejects a signer if no reader would accept the signature. Thread-safe. */
    public static final class SignerProfiles {
        private static final int MOST_PROFILES = 1024;

        /** The key of a profile. Identities are compared as objects, so a renewed identity is another one. */
        private record Key(Identity identity, @Nullable Identity companion, Policy.Signing signing) {
            SignerProfile profile() {
                SignerProfile postQuantum = companion == null ? null : SignerProfile.of(companion, signing, null);
                return SignerProfile.of(identity, signing, postQuantum);
            }
        }

        private final CertificateTrust trust;
        private final SignerMatch match;
        private final Clock clock;
        private final Map<Key, SignerProfile> profiles = new ConcurrentHashMap<>();

        public SignerProfiles(RecipientDirectory directory, CertificateTrust trust, Clock clock) {
            this.match = new SignerMatch(directory, trust);
            this.trust = trust;
            this.clock = clock;
        }

        /**
         * Checks that an identity may agree on data keys as the sender. Its key signs nothing, but is trusted as a
         * signer's; it must also be allowed to agree.
         */
        public void requireSender(Identity identity, Policy policy) {
            requireAllowed(identity, null, policy);
            trust.check(identity.certificate(), identity.chain(), CertificateUse.RECEIVING, clock.instant());
        }

        private void requireAllowed(Identity identity, @Nullable Identity companion, Policy policy) {
            TrustedCertificate trusted = trusted(identity);
            List<String> allowed = policy.signing().signers();
            boolean isListed = companion == null
                    ? allowed.isEmpty() || allowed.stream().anyMatch(selector -> match.matches(trusted, selector))
                    : match.areBoth(trusted, trusted(companion), allowed);
            if (!isListed) {
                throw new SignerNotAuthorizedException("policy '" + policy.pattern() + "': identity '" + identity.name()
                        + "' is not on its list of signers " + allowed);
            }
        }

        public SignerProfile of(Identity identity, Policy policy) {
            Identity companion = policy.enforcement().require() == RequiredKeys.BOTH ? companionOf(identity) : null;
            requireAllowed(identity, companion, policy);
            if (profiles.size() >= MOST_PROFILES) {
                profiles.clear();
            }
            return profiles.computeIfAbsent(new Key(identity, companion, policy.signing()), Key::profile);
        }

        private TrustedCertificate trusted(Identity identity) {
            return trust.verify(identity.certificate(), identity.chain(), CertificateUse.SIGNING, clock.instant());
        }

        private static Identity companionOf(Identity identity) {
            Identity companion = identity.companion();
            if (companion == null) {
                String name = RequiredKeys.companionOf(identity.name());
                throw new KeystoreUnusableException("identity '" + identity.name()
                        + "': the policy requires both kinds of keys, and its home has no identity '" + name
                        + "'; make it: signet identity create " + name + " --dn DN --key-algorithm ml-dsa-65");
            }
            return companion;
        }
    }
}
