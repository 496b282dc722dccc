/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.der;

/** Provides the memory for one encoding, whose length is known before the first byte is written. */
@FunctionalInterface
public interface EncodingMemory {
    /** Returns a slice of this length, which the encoding fills. */
    Slice take(int length);
}
