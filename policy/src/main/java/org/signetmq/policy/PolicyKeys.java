/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.List;

/** The keys of the document, as {@code docs/policies.schema.json} describes them. */
final class PolicyKeys {
    static final String SCHEMA = "schema";
    static final String VERSION = "version";
    static final String UNMATCHED = "unmatched";
    static final String WILDCARDS = "wildcards";
    static final String POLICIES = "policies";

    static final String DELIMITER = "delimiter";
    static final String ANY_WORDS = "any-words";
    static final String SINGLE_WORD = "single-word";

    static final String PATTERN = "pattern";
    static final String QUALITY = "quality";
    static final String SIGNATURE_ALGORITHM = "signature-algorithm";
    static final String ENCRYPTION_ALGORITHM = "encryption-algorithm";
    static final String SIGNERS = "signers";
    static final String RECIPIENTS = "recipients";
    static final String KEY_REUSE = "key-reuse";
    static final String MAX_BYTES = "max-bytes-per-key";
    static final String MAX_AGE = "max-key-age";
    static final String CERTIFICATE = "certificate";
    static final String TOLERATION = "toleration";
    static final String WHERE = "where";
    static final String BROKERS = "brokers";
    static final String ACCEPT_LEGACY = "accept-legacy";
    static final String AUDIT = "audit";

    static final String UNTIL = "until";
    static final String ENFORCE = "enforce";
    static final String UNLIMITED = "unlimited";

    static final List<String> OF_DOCUMENT = List.of(SCHEMA, VERSION, UNMATCHED, WILDCARDS, POLICIES);
    static final List<String> OF_WILDCARDS = List.of(DELIMITER, ANY_WORDS, SINGLE_WORD);
    static final List<String> OF_POLICY = List.of(
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
            AUDIT);
    static final List<String> OF_TOLERATION = List.of(UNTIL);
    static final List<String> OF_KEY_LIMITS = List.of(KEY_REUSE, MAX_BYTES, MAX_AGE);

    private PolicyKeys() {}
}
