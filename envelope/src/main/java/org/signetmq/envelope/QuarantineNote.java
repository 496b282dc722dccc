/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.keys.CryptoProviders;

/**
 * The properties of a message in quarantine. A consumer, or the broker, sends a message there with all its own
 * properties and its body unchanged, and adds these.
 */
public final class QuarantineNote {
    /** The beginning of the names of all properties of a note. */
    public static final String PREFIX = "signet_quarantine_";

    /** The reason from a closed list, as {@code address-mismatch}. A message with this property is a note. */
    public static final String REASON = PREFIX + "reason";

    /** The address at which the message lay. */
    public static final String ADDRESS = PREFIX + "address";

    /** The queue in which the message lay; absent or empty if the sender of the note does not know it. */
    public static final String QUEUE = PREFIX + "queue";

    /**
     * The {@code JMSMessageID} under which the message arrived; absent or empty if it had none. If the broker makes the
     * note: {@code broker:} and the broker's identifier of the message.
     */
    public static final String MESSAGE = PREFIX + "message";

    /** The {@code JMSTimestamp} of the message as it arrived, a {@code long}. */
    public static final String SENT = PREFIX + "sent";

    /** The keys that the envelope names, at most four: those of the recipients, or that of the visible signature. */
    public static final String KEY = PREFIX + "key";

    /** The pattern and version of the policy, as {@code orders.#@7}. */
    public static final String POLICY = PREFIX + "policy";

    /** The quality that the policy requires. */
    public static final String EXPECTED = PREFIX + "expected";

    /** The quality of the message, as far as it is visible. */
    public static final String FOUND = PREFIX + "found";

    /** The signer of the message, as far as it is known. */
    public static final String SIGNER = PREFIX + "signer";

    /** The time of the failure, in milliseconds since 1970, a {@code long}. */
    public static final String TIME = PREFIX + "time";

    /** The consumer or the broker that sends the note. */
    public static final String CONSUMER = PREFIX + "consumer";

    /**
     * The property by which Artemis detects duplicates. A note that is sent in the transaction in which the message
     * leaves its queue has none. A message that leaves the quarantine for its queue may come back with the same
     * identifier: then the broker must forget the identifier, or the note is dropped.
     */
    public static final String DUPLICATE_ID = "_AMQ_DUPL_ID";

    /** The beginning of each duplicate identifier of a note. */
    public static final String ID_PREFIX = "sq-";

    private QuarantineNote() {}

    /** Returns whether a property belongs to a note. Upper and lower case do not count. */
    public static boolean isNote(String property) {
        return property.toLowerCase(Locale.ROOT).startsWith(PREFIX);
    }

    /**
     * Returns the duplicate identifier of a note for a message with a body of bytes that has the form of an envelope. A
     * note for any other message has none, because the broker may seal that. The identifier covers body and origin, so
     * that nobody can use it up in advance for another message: the broker computes it again, and rejects another one.
     *
     * @param properties returns the value of {@link #ADDRESS}, {@link #QUEUE} and {@link #MESSAGE}; null counts as
     *     empty
     * @param bodySha256 the SHA-256 digest of the body
     */
    public static String duplicateId(Function<String, @Nullable String> properties, byte[] bodySha256) {
        MessageDigest digest = CryptoProviders.digest("SHA-256");
        for (String name : new String[] {ADDRESS, QUEUE, MESSAGE}) {
            String value = Optional.ofNullable(properties.apply(name)).orElse("");
            update(digest, value.getBytes(StandardCharsets.UTF_8));
        }
        update(digest, bodySha256);
        return ID_PREFIX + HexFormat.of().formatHex(digest.digest());
    }

    private static void update(MessageDigest digest, byte[] part) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, part.length));
        digest.update(part);
    }
}
