/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.keys;

/** Shows tests of other packages the state of keys. */
public final class KeyInspection {
    private KeyInspection() {}

    /** Whether the bytes of the key are gone. */
    public static boolean isWiped(AesKey key) {
        return key.isWiped();
    }

    /** A copy of the bytes of the key. */
    public static byte[] bytes(AesKey key) {
        return key.secret().getEncoded();
    }
}
