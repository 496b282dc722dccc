/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.audit;

import java.util.Locale;

/** The kinds of reasons for which the plugin rejects a message. The list is closed, so metrics can have a tag of it. */
public enum RejectionReason {
    /** The sender has no permission to send to the address. */
    NO_PERMISSION,
    /** The plugin has no policies or keys yet, or has stopped. */
    NOT_READY,
    /** No policy covers the address, and the policies reject such messages. */
    NO_POLICY,
    /** The message is in clear, and the plugin must not or cannot seal it any more. */
    NOT_SEALED,
    /** The envelope names another sender than the session's user. */
    SENDER,
    /** The signer is not one that the policy allows, or its signature proves nothing. */
    SIGNER,
    /** The broker is not a recipient of an envelope that it must open. */
    RECIPIENT,
    /** A key or a recipient of the policy is unknown or cannot be used. */
    KEY,
    /** The certificate of a recipient or signer is not trusted, has expired or is revoked. */
    CERTIFICATE,
    /** The envelope is malformed, incomplete or changed. */
    ENVELOPE,
    /** The envelope was sealed for another address. */
    ADDRESS_MISMATCH,
    /** The envelope does not fit its policy, for example by an old algorithm. */
    POLICY_VIOLATION,
    /** The broker took the signed message before, or its signature is too old or too new to know. */
    REPLAYED,
    /** The message is too large to be protected. */
    TOO_LARGE,
    /** The sender, or all senders, have too many unfinished messages, or their memory is in use. */
    TOO_MANY,
    /** The plugin cannot protect a body of this kind, or its file. */
    UNPROTECTABLE,
    /** The broker itself failed. */
    BROKER,
    /** The plugin failed unexpectedly. */
    INTERNAL;

    /** Returns the name in lines and tags. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
