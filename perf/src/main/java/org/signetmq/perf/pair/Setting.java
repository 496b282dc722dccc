/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.pair;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRenewal;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.keys.PregenerationSettings;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.Toleration;

/**
 * One setting of an experiment; all messages of a pair have it.
 *
 * @param reuse messages that share a data key: a number, 0 for a fresh key per message, or {@code unlimited}; empty for
 *     a protection that does not reuse keys
 * @param key of signers and recipients; always RSA in the manner of AMS
 * @param tls whether connections are protected
 * @param disk of the journal, its name in results; empty for the temporary folder
 * @param recipients of each message; one of them receives
 * @param pool of keys that the broker makes ahead: {@code auto}, {@code off}, or threads and capacity such as
 *     {@code 4-100}
 */
public record Setting(
        Protection protection, String reuse, KeyKind key, boolean tls, String disk, int recipients, String pool) {
    public static final String AUTO = "auto";
    public static final String OFF = "off";
    public static final String UNLIMITED = "unlimited";
    /** The plugin without a policy: other settings are compared with it. */
    public static final Setting NONE = of(Protection.NONE, "", KeyKind.P256);
    /** No plugin at all. */
    public static final Setting PLAIN = of(Protection.PLAIN, "", KeyKind.P256);

    /** The protection of all messages of a pair, and the product that applies it. */
    public enum Protection {
        /** A broker without the plugin, and the plain Artemis client. */
        PLAIN("plain", null),
        /** A broker with the plugin, which has no policy, and the plain Artemis client. */
        NONE("none", null),
        INTEGRITY("integrity", QualityOfProtection.INTEGRITY),
        PRIVACY("privacy", QualityOfProtection.PRIVACY),
        CONFIDENTIALITY("confidentiality", QualityOfProtection.CONFIDENTIALITY),
        AUTHENTICITY("authenticity", QualityOfProtection.AUTHENTICITY),
        /** One signature serves the messages that are in flight at the same time. */
        INTEGRITY_SHARED("integrity.shared", QualityOfProtection.INTEGRITY),
        PRIVACY_SHARED("privacy.shared", QualityOfProtection.PRIVACY),
        /** The clients seal by the policy, and the broker rejects messages in clear. */
        CLIENT_INTEGRITY("client.integrity", QualityOfProtection.INTEGRITY),
        CLIENT_PRIVACY("client.privacy", QualityOfProtection.PRIVACY),
        CLIENT_CONFIDENTIALITY("client.confidentiality", QualityOfProtection.CONFIDENTIALITY),
        CLIENT_AUTHENTICITY("client.authenticity", QualityOfProtection.AUTHENTICITY),
        /** As IBM MQ AMS does it: the clients sign, and the broker has no plugin. */
        AMS_INTEGRITY("ams.integrity", QualityOfProtection.INTEGRITY),
        AMS_PRIVACY("ams.privacy", QualityOfProtection.PRIVACY),
        AMS_CONFIDENTIALITY("ams.confidentiality", QualityOfProtection.CONFIDENTIALITY);

        private final String label;
        private final Optional<QualityOfProtection> quality;

        Protection(String label, @Nullable QualityOfProtection quality) {
            this.label = label;
            this.quality = Optional.ofNullable(quality);
        }

        /** Returns the quality of protection; empty if messages are not protected. */
        public Optional<QualityOfProtection> quality() {
            return quality;
        }

        /** Tells whether the clients protect messages in the manner of AMS. */
        public boolean isAms() {
            return label.startsWith("ams.");
        }

        /** Tells whether the connection factory of Signet seals, and the broker checks. */
        public boolean isClient() {
            return label.startsWith("client.");
        }

        /** Tells whether the broker has a policy of Signet for its messages. */
        public boolean isSignet() {
            return quality.isPresent() && !isAms();
        }

        /** Tells whether one signature may serve several messages. */
        public boolean sharesSignatures() {
            return label.endsWith(".shared");
        }

        private boolean reusesKeys() {
            return quality.filter(QualityOfProtection::reusesKeys).isPresent();
        }
    }

    /** The kind of key that signers and recipients have. */
    public enum KeyKind {
        P256(KeyAlgorithm.EC_P256),
        RSA2048(KeyAlgorithm.RSA_2048),
        /** Signs by ML-DSA-65, and receives by ML-KEM-768. */
        PQ(KeyAlgorithm.ML_DSA_65),
        /** Two identities a name, and each message needs both. */
        HYBRID(KeyAlgorithm.EC_P256, KeyAlgorithm.ML_DSA_65);

        @SuppressWarnings("ImmutableEnumChecker") // the list does not change
        private final List<KeyAlgorithm> algorithms;

        KeyKind(KeyAlgorithm... algorithms) {
            this.algorithms = List.of(algorithms);
        }

        /** Returns the kinds of signing keys: of an identity, and of its companion if it has one. */
        public List<KeyAlgorithm> algorithms() {
            return algorithms;
        }

        /** Returns the identities of a name: its own, and that of its companion if it has one. */
        public List<String> identities(String name) {
            return this == HYBRID ? List.of(name, Policy.RequiredKeys.companionOf(name)) : List.of(name);
        }

        /**
         * Makes the identities of a name. A post-quantum one has a key that signs and one that receives.
         *
         * @param organisation follows the name in distinguished names; may be empty
         */
        public void create(Home home, String name, String organisation, Password password) {
            IdentityStore store = home.identityStore();
            for (int i = 0; i < algorithms.size(); i++) {
                KeyAlgorithm algorithm = algorithms.get(i);
                String own = identities(name).get(i);
                IdentityRequest request = new IdentityRequest(own, "CN=" + own + organisation, algorithm, null);
                if (algorithm.isMlDsa()) {
                    store.signingOnly().create(request, password);
                    store.renewReceiving(
                            new IdentityRenewal(
                                    own,
                                    new IdentityRenewal.NextKey.New(algorithm.receiving()),
                                    null,
                                    IdentityRenewal.DEFAULT_VALIDITY),
                            password);
                } else {
                    store.create(request, password);
                }
            }
        }

        /** Returns all keys of a name, the one that signs first. */
        public List<Identity> load(Home home, String name, Password password) {
            return home.identityStore().loadParty(name, password).all();
        }

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Leaves out what makes no difference: settings of one label are the same. */
    public Setting {
        reuse = protection.reusesKeys() ? reuse : "";
        key = protection.isAms() ? KeyKind.RSA2048 : protection.isSignet() ? key : KeyKind.P256;
        if (!reuse.matches("|unlimited|[0-9]{1,9}") || !pool.matches("auto|off|[0-9]{1,3}-[0-9]{1,6}")) {
            throw new IllegalArgumentException("setting: reuse or pool of unknown form: " + reuse + ", " + pool);
        }
    }

    /** Returns a setting with the usual connections, disk and supply of keys. */
    public static Setting of(Protection protection, String reuse, KeyKind key) {
        return new Setting(protection, reuse, key, false, "", 1, AUTO);
    }

    /** Returns confidentiality with a data key for 32 messages. */
    public static Setting confidentiality(KeyKind key) {
        return of(Protection.CONFIDENTIALITY, "32", key);
    }

    public Setting withTls() {
        return new Setting(protection, reuse, key, true, disk, recipients, pool);
    }

    public Setting withDisk(String name) {
        return new Setting(protection, reuse, key, tls, name, recipients, pool);
    }

    /** Returns the same setting for this number of recipients, with this pool of keys. */
    public Setting withKeys(int number, String of) {
        return new Setting(protection, reuse, key, tls, disk, number, of);
    }

    /** Returns the name in results, such as {@code confidentiality.32.p256+tls}. */
    public String label() {
        return protection.label
                + (reuse.isEmpty() ? "" : "." + reuse)
                + (protection.isSignet() ? "." + key.label() : "")
                + (recipients == 1 ? "" : "+r" + recipients)
                + (pool.equals(AUTO) ? "" : "+pool-" + pool)
                + (tls ? "+tls" : "")
                + (disk.isEmpty() ? "" : "@" + disk);
    }

    /** Returns the number of messages that a key serves, at least 1. */
    public long messagesPerKey() {
        return switch (reuse) {
            case "" -> 1;
            case UNLIMITED -> KeyLimits.MOST_MESSAGES;
            default -> Math.max(1, Long.parseLong(reuse));
        };
    }

    /** Returns the properties of the plugin for a pool of keys. */
    public static Map<String, String> properties(String pool) {
        int dash = pool.indexOf('-');
        return switch (pool) {
            case AUTO -> Map.of();
            case OFF -> Map.of(PregenerationSettings.CAPACITY, "0");
            default ->
                Map.of(
                        PregenerationSettings.THREADS, pool.substring(0, dash),
                        PregenerationSettings.CAPACITY, pool.substring(dash + 1));
        };
    }

    /**
     * Returns the policy of a broker with this protection.
     *
     * @param signer the name of the identity that seals
     */
    public Policy policy(String pattern, List<String> recipients, String signer) {
        KeyLimits limits = new KeyLimits(messagesPerKey(), KeyLimits.MOST_BYTES, KeyLimits.DEFAULT_AGE);
        Policy policy = switch (protection.quality.orElseThrow()) {
            case INTEGRITY -> Policy.integrity(pattern);
            case PRIVACY -> Policy.privacy(pattern, recipients);
            case AUTHENTICITY -> Policy.authenticity(pattern, recipients, limits);
            default -> Policy.confidentiality(pattern, recipients, limits);
        };
        if (protection.sharesSignatures()) {
            Policy.Signing usual = policy.signing();
            policy = policy.with(new Policy.Signing(
                    usual.algorithm(),
                    usual.signers(),
                    usual.certificate(),
                    usual.brokers(),
                    Policy.SignatureSharing.SHARED));
        }
        if (key == KeyKind.HYBRID) {
            if (policy.quality().provesSender()) {
                Policy.Signing signing = policy.signing();
                policy = policy.with(new Policy.Signing(
                        signing.algorithm(),
                        List.of(signer),
                        signing.certificate(),
                        signing.brokers(),
                        signing.sharing()));
            }
            Policy.Enforcement usual = policy.enforcement();
            policy = policy.with(new Policy.Enforcement(
                    usual.verify(),
                    usual.extraRecipients(),
                    usual.bindUser(),
                    usual.replayWindow(),
                    usual.hide(),
                    Policy.RequiredKeys.BOTH));
        }
        return protection.isClient()
                ? policy.with(new Policy.Acceptance(Toleration.ENFORCE, SealingPlace.CLIENT))
                : policy;
    }
}
