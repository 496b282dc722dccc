/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

/** The octets that name types in bodies of Artemis's Core protocol. */
final class CoreType {
    static final byte NULL = 0;
    static final byte NOT_NULL = 1;
    static final byte BOOLEAN = 2;
    static final byte BYTE = 3;
    static final byte BYTES = 4;
    static final byte SHORT = 5;
    static final byte INT = 6;
    static final byte LONG = 7;
    static final byte FLOAT = 8;
    static final byte DOUBLE = 9;
    static final byte STRING = 10;
    static final byte CHAR = 11;

    private CoreType() {}
}
