/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.control;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects policy documents that administrators send in parts, because a large management message is rejected. A new
 * upload may end the oldest one. Thread-safe.
 */
final class PolicyUploads {
    /** The greatest number of uploads at one time. */
    static final int MOST = 4;

    /** The longest part, in characters. */
    static final int LONGEST_PART = 30_000;

    /** The greatest length of all uploads together, in characters; a policy document has at most 48 Mi. */
    static final int LONGEST = 64 << 20;

    private static final int ID_BYTES = 16;

    private final SecureRandom random = new SecureRandom();
    private final Map<String, Upload> uploads = new LinkedHashMap<>(); // guarded by this
    private long length;

    /**
     * A document, as far as it has arrived.
     *
     * @param user the administrator; null if the broker checks no users
     * @param version the version that the administrator saw
     */
    record Upload(@Nullable String user, long version, StringBuilder text) {}

    /** Begins an upload and returns its identifier. */
    synchronized String begin(@Nullable String user, long version) {
        if (uploads.size() >= MOST) {
            endOldest();
        }
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        String id = HexFormat.of().formatHex(bytes);
        uploads.put(id, new Upload(user, version, new StringBuilder()));
        return id;
    }

    /**
     * Adds a part and returns the length so far.
     *
     * @param offset the length before this part, in characters
     * @throws IllegalArgumentException if the upload is unknown, or the part does not follow the last one
     */
    synchronized int add(String id, @Nullable String user, int offset, String part) {
        Upload upload = required(id, user);
        if (part.length() > LONGEST_PART) {
            throw new IllegalArgumentException(
                    "a part of " + part.length() + " characters; at most " + LONGEST_PART + " are possible");
        }
        if (offset != upload.text().length()) {
            throw new IllegalArgumentException("a part for offset " + offset + ", but "
                    + upload.text().length() + " characters have arrived; begin again");
        }
        while (length + part.length() > LONGEST && uploads.size() > 1 && endOldestBut(id)) {
            // another one ends
        }
        if (length + part.length() > LONGEST) {
            throw new IllegalArgumentException("longer than " + LONGEST + " characters; name fewer policies");
        }
        upload.text().append(part);
        length += part.length();
        return upload.text().length();
    }

    /**
     * Returns an upload, which stays.
     *
     * @throws IllegalArgumentException if the upload is unknown
     */
    synchronized Upload required(String id, @Nullable String user) {
        Upload upload = uploads.get(id);
        if (upload == null || !java.util.Objects.equals(upload.user(), user)) {
            throw new IllegalArgumentException("no such upload; it may have been ended by later ones; begin again");
        }
        return upload;
    }

    /** Ends an upload. */
    synchronized void end(String id) {
        Upload upload = uploads.remove(id);
        if (upload != null) {
            length -= upload.text().length();
        }
    }

    private void endOldest() {
        end(uploads.keySet().iterator().next());
    }

    private boolean endOldestBut(String id) {
        Iterator<String> ids = uploads.keySet().iterator();
        while (ids.hasNext()) {
            String oldest = ids.next();
            if (!oldest.equals(id)) {
                end(oldest);
                return true;
            }
        }
        return false;
    }
}
