/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.setting;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.signetmq.policy.QualityOfProtection;

/** The protection of all messages of a pair, and the product that applies it. */
public enum Protection {
    /** A broker without the plugin, and the plain Artemis client. */
    PLAIN("plain", null),
    /** A broker with the plugin, which has no policy, and the plain Artemis client. */
    NONE("none", null),
    INTEGRITY("integrity", QualityOfProtection.INTEGRITY),
    PRIVACY("privacy", QualityOfProtection.PRIVACY),
    CONFIDENTIALITY("confidentiality", QualityOfProtection.CONFIDENTIALITY),
    /** The clients seal by the policy, and the broker rejects messages in clear. */
    CLIENT_CONFIDENTIALITY("client.confidentiality", QualityOfProtection.CONFIDENTIALITY),
    /** As IBM MQ AMS does it: the clients sign, and the broker has no plugin. */
    AMS_INTEGRITY("ams.integrity", QualityOfProtection.INTEGRITY),
    AMS_PRIVACY("ams.privacy", QualityOfProtection.PRIVACY),
    AMS_CONFIDENTIALITY("ams.confidentiality", QualityOfProtection.CONFIDENTIALITY);

    private final String label;
    private final Optional<QualityOfProtection> quality;

    Protection(String label, @org.jspecify.annotations.Nullable QualityOfProtection quality) {
        this.label = label;
        this.quality = Optional.ofNullable(quality);
    }

    /** Returns the name in options and results. */
    public String label() {
        return label;
    }

    /** Returns the quality of protection; empty if messages are not protected. */
    public Optional<QualityOfProtection> quality() {
        return quality;
    }

    /** Tells whether data keys protect several messages. */
    public boolean reusesKeys() {
        return quality.filter(QualityOfProtection.CONFIDENTIALITY::equals).isPresent();
    }

    /** Tells whether the clients protect messages in the manner of AMS. */
    public boolean isAms() {
        return label.startsWith("ams.");
    }

    /** Tells whether the clients seal by a policy of Signet. */
    public boolean isSealedByClients() {
        return this == CLIENT_CONFIDENTIALITY;
    }

    /** Tells whether the broker has a policy of Signet for its messages. */
    public boolean isSignet() {
        return quality.isPresent() && !isAms();
    }

    /**
     * Returns the protection with this label.
     *
     * @throws IllegalArgumentException if there is none; the message names all
     */
    public static Protection named(String label) {
        List<String> labels = Stream.of(values()).map(Protection::label).toList();
        int index = labels.indexOf(label);
        if (index < 0) {
            throw new IllegalArgumentException(
                    "quality: must be one of " + String.join(", ", labels) + ", found '" + label + "'");
        }
        return values()[index];
    }
}
