/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.NoSuchPaddingException;

/**
 * The reason of a failed operation. SunPKCS11 tells the code of PKCS#11 only in the text of a cause.
 *
 * @param kind the kind of the failure
 * @param code the code of PKCS#11 such as CKR_PIN_INCORRECT, or the class of the exception
 */
record TokenFailure(Kind kind, String code) {
    private static final Pattern CODE = Pattern.compile("CKR_[A-Z0-9_]{1,60}");
    private static final int LONGEST_CHAIN = 10;
    private static final Set<String> NOT_PERMITTED = Set.of(
            "CKR_KEY_FUNCTION_NOT_PERMITTED",
            "CKR_KEY_TYPE_INCONSISTENT",
            "CKR_MECHANISM_INVALID",
            "CKR_MECHANISM_PARAM_INVALID",
            "CKR_FUNCTION_NOT_SUPPORTED",
            "CKR_KEY_SIZE_RANGE");
    private static final Set<String> INPUT = Set.of(
            "CKR_DATA_INVALID", "CKR_DATA_LEN_RANGE", "CKR_ENCRYPTED_DATA_INVALID", "CKR_ENCRYPTED_DATA_LEN_RANGE");

    /** The kinds of failures. */
    enum Kind {
        /** The key must not do this, or the token cannot. Another attempt fails in the same way. */
        NOT_PERMITTED,
        /** The token does not take the bytes. */
        INPUT,
        /** The token does not take the PIN. Another attempt with it may lock the token. */
        PIN,
        /** The token is gone, or failed for a reason of its own. */
        GONE
    }

    static TokenFailure of(Throwable failure) {
        Optional<String> code = code(failure);
        if (code.isEmpty()) {
            return new TokenFailure(
                    lacksAlgorithm(failure) ? Kind.NOT_PERMITTED : Kind.GONE,
                    failure.getClass().getSimpleName());
        }
        String name = code.get();
        Kind other = name.startsWith("CKR_PIN_") ? Kind.PIN : Kind.GONE;
        return new TokenFailure(
                NOT_PERMITTED.contains(name) ? Kind.NOT_PERMITTED : INPUT.contains(name) ? Kind.INPUT : other, name);
    }

    private static Optional<String> code(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; cause != null && i < LONGEST_CHAIN; i++) {
            Matcher found = CODE.matcher(String.valueOf(cause.getMessage()));
            if (found.find()) {
                return Optional.of(found.group());
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }

    private static boolean lacksAlgorithm(Throwable failure) {
        return failure instanceof NoSuchPaddingException
                || (failure instanceof NoSuchAlgorithmException
                        && !String.valueOf(failure.getMessage()).contains("removed"));
    }
}
