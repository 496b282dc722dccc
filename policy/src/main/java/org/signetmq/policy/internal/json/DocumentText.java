/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.json;

import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.internal.text.DocumentLimits;

/** The text of a document, which can be read several times. */
public interface DocumentText {
    /** Returns a new reader from the beginning. Bytes that are not UTF-8 make it throw. */
    Reader reader();

    /**
     * Returns the text itself.
     *
     * @throws InvalidPolicyException if the text is too long
     */
    static DocumentText of(String text) {
        rejectIfLonger(text.length(), "characters");
        return () -> new StringReader(text);
    }

    /**
     * Returns the text of these bytes, which must not change meanwhile.
     *
     * @throws InvalidPolicyException if the text is too long
     */
    static DocumentText of(byte[] utf8) {
        rejectIfLonger(utf8.length, "bytes");
        return () -> new InputStreamReader(new ByteArrayInputStream(utf8), StandardCharsets.UTF_8.newDecoder());
    }

    private static void rejectIfLonger(int length, String unit) {
        if (length > DocumentLimits.LONGEST) {
            throw JsonText.invalid("longer than " + DocumentLimits.LONGEST + " " + unit + "; name fewer policies");
        }
    }
}
