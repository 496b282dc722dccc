/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.reject;

import java.util.regex.Pattern;

/** Removes paths of the broker from the text of a rejection for a client. The log has the whole reason. */
public final class ClientText {
    /** The text for a client in place of a reason with a path. */
    public static final String WITHOUT_PATH =
            "Signet cannot use its keys or policies at the moment; the broker's log and signet"
                    + " broker status say why";

    /** The beginning of an absolute path: a slash outside of a word, a drive, or two backslashes. */
    private static final Pattern PATH = Pattern.compile("(?<![\\p{L}\\p{N}._-])(/[^\\s\"']|[A-Za-z]:[\\\\/]|\\\\\\\\)");

    /** An address of a revocation list or OCSP responder, which a certificate names and so is no secret. */
    private static final Pattern WEB = Pattern.compile("\\bhttp://[\\p{L}\\p{N}.\\[][^\\s\"']*");

    private ClientText() {}

    /** Returns the text of a reason for a client. */
    static String of(String reason) {
        return PATH.matcher(WEB.matcher(reason).replaceAll("")).find() ? WITHOUT_PATH : reason;
    }
}
