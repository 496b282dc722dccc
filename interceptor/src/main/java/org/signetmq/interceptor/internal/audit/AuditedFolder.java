/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.audit;

import java.util.Locale;

/** The folders of a home whose changes the plugin audits. */
public enum AuditedFolder {
    /** The identities that the plugin has loaded. */
    IDENTITIES(AuditEvent.KEYS_CHANGED),
    /** The certificates of recipients and known signers. */
    RECIPIENTS(AuditEvent.KEYS_CHANGED),
    /** The trusted certificates. */
    TRUST(AuditEvent.TRUST_CHANGED),
    /** The files of revocation lists. */
    CRL(AuditEvent.TRUST_CHANGED),
    /** The files of OCSP answers. */
    OCSP(AuditEvent.TRUST_CHANGED),
    /** The home itself, with {@code trust.json}. */
    HOME(AuditEvent.TRUST_CHANGED);

    private final AuditEvent event;

    AuditedFolder(AuditEvent event) {
        this.event = event;
    }

    AuditEvent event() {
        return event;
    }

    /** Returns the name of the folder in the home. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
