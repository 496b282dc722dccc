/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle.document;

import java.util.regex.Pattern;

/** The limits of a bundle, as in {@code docs/format.md}. */
public final class BundleLimits {
    /** Bytes of the file. */
    public static final int FILE = 16 << 20;

    /** Objects and arrays inside each other in the document. */
    public static final int DEPTH = 16;

    /** Characters of a text of the document: a revocation list in base 64 is the longest. */
    public static final int TEXT = 2 << 20;

    /** Names of addresses. */
    public static final int ADDRESSES = 1000;

    /** Files of {@code recipients/}, and of {@code trust/}. */
    public static final int FILES = 2000;

    /** Certificates or lists of a file. */
    public static final int IN_FILE = 16;

    /** Bytes of a certificate. */
    public static final int CERTIFICATE = 8192;

    /** Files of {@code crl/}. */
    public static final int LISTS = 100;

    /** Bytes of a revocation list. */
    public static final int LIST = 1 << 20;

    /** Days until the end of a bundle. */
    public static final int DAYS = 825;

    /** Names of files. None leads out of its folder or hides in it. */
    public static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}");

    private BundleLimits() {}

    /** Returns the most files of a folder. */
    public static int files(HomeFolder folder) {
        return folder == HomeFolder.CRL ? LISTS : FILES;
    }

    /** Returns the most bytes of a certificate or list. */
    public static int bytes(HomeFolder folder) {
        return folder == HomeFolder.CRL ? LIST : CERTIFICATE;
    }
}
