/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.reject;

import java.util.regex.Pattern;

/** Makes the text of a rejection for a client, without paths of the broker. The log has the whole reason. */
public final class ClientText {
    /** The text for clients in place of a reason with a path. */
    public static final String UNTOLD =
            "Signet cannot use its keys or policies at the moment; the broker's log and signet"
                    + " broker status say why";

    /** A slash that is not within a word begins an absolute path; so does a drive, or two backslashes. */
    private static final Pattern PATH = Pattern.compile("(?<![\\p{L}\\p{N}._-])(/[^\\s\"']|[A-Za-z]:[\\\\/]|\\\\\\\\)");

    private ClientText() {}

    /** The reason as a client may read it. */
    static String of(String reason) {
        return PATH.matcher(reason).find() ? UNTOLD : reason;
    }
}
