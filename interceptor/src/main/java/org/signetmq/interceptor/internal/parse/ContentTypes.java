/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Content types of payloads. */
public final class ContentTypes {
    public static final String BINARY = "application/octet-stream";
    public static final String SERIALIZED_OBJECT = "application/x-java-serialized-object";

    /** The property with the producer's own content type. */
    public static final String PROPERTY = "Content-Type";

    /** A content type with parameters (RFC 2045 section 5.1) that fits one short header line. */
    private static final Pattern MIME = Pattern.compile(
            "[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+" + "(; ?[A-Za-z0-9!#$&^_.+-]+=[A-Za-z0-9!#$&^_.+-]+){0,4}");

    private static final int LONGEST = 127;

    private ContentTypes() {}

    /** Returns the producer's content type if it is valid, or else the content type of bytes. */
    public static String usable(@Nullable String given) {
        return given != null && given.length() <= LONGEST && MIME.matcher(given).matches() ? given : BINARY;
    }
}
