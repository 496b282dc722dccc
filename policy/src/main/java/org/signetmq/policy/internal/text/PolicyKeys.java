/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.text;

import java.util.List;

/** The keys of the document, as {@code docs/policies.schema.json} describes them. */
public final class PolicyKeys {
    /** The path of the document itself. */
    public static final String ROOT = "$";

    public static final String SCHEMA = "schema";
    public static final String VERSION = "version";
    public static final String UNMATCHED = "unmatched";
    public static final String WILDCARDS = "wildcards";
    public static final String RECOVERY = "recovery";
    public static final String USERS = "users";
    public static final String CERTIFICATES = "certificates";
    public static final String POLICIES = "policies";

    public static final String DELIMITER = "delimiter";
    public static final String ANY_WORDS = "any-words";
    public static final String SINGLE_WORD = "single-word";

    public static final String PATTERN = "pattern";
    public static final String QUALITY = "quality";
    public static final String SIGNATURE_ALGORITHM = "signature-algorithm";
    public static final String ENCRYPTION_ALGORITHM = "encryption-algorithm";
    public static final String SIGNERS = "signers";
    public static final String RECIPIENTS = "recipients";
    public static final String KEY_REUSE = "key-reuse";
    public static final String MAX_BYTES = "max-bytes-per-key";
    public static final String MAX_AGE = "max-key-age";
    public static final String CERTIFICATE = "certificate";
    public static final String TOLERATION = "toleration";
    public static final String WHERE = "where";
    public static final String BROKERS = "brokers";
    public static final String ACCEPT_LEGACY = "accept-legacy";
    public static final String AUDIT = "audit";
    public static final String VERIFY = "verify";
    public static final String EXTRA_RECIPIENTS = "extra-recipients";
    public static final String BIND_USER = "bind-user";
    public static final String REPLAY_WINDOW = "replay-window";
    public static final String HIDE = "hide";
    public static final String ON_FAILURE = "on-failure";
    public static final String QUARANTINE = "quarantine";

    public static final String SIGNATURE = "signature";
    public static final String MUTUAL_TRUST = "mutual-trust";
    public static final String REQUIRE = "require";

    public static final String UNTIL = "until";
    public static final String ENFORCE = "enforce";
    public static final String UNLIMITED = "unlimited";
    public static final String ALLOW = "allow";
    public static final String REFUSE = "refuse";
    public static final String BY_CERTIFICATE = "certificate";
    public static final String ACCEPTED = "accepted";

    public static final List<String> OF_DOCUMENT =
            List.of(SCHEMA, VERSION, UNMATCHED, WILDCARDS, RECOVERY, USERS, CERTIFICATES, POLICIES);

    /** The keys of a document that are rules for all of its policies. */
    public static final List<String> OF_RULES = List.of(UNMATCHED, WILDCARDS, RECOVERY, USERS, CERTIFICATES);

    public static final List<String> OF_WILDCARDS = List.of(DELIMITER, ANY_WORDS, SINGLE_WORD);
    public static final List<String> OF_POLICY = List.of(
            PATTERN,
            QUALITY,
            SIGNATURE_ALGORITHM,
            ENCRYPTION_ALGORITHM,
            SIGNERS,
            BROKERS,
            RECIPIENTS,
            KEY_REUSE,
            MAX_BYTES,
            MAX_AGE,
            CERTIFICATE,
            TOLERATION,
            WHERE,
            ACCEPT_LEGACY,
            AUDIT,
            VERIFY,
            EXTRA_RECIPIENTS,
            BIND_USER,
            REPLAY_WINDOW,
            HIDE,
            ON_FAILURE,
            QUARANTINE,
            SIGNATURE,
            MUTUAL_TRUST,
            REQUIRE);
    public static final List<String> OF_TOLERATION = List.of(UNTIL);
    public static final List<String> OF_KEY_LIMITS = List.of(KEY_REUSE, MAX_BYTES, MAX_AGE);

    private PolicyKeys() {}
}
