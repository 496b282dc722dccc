/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Reads and writes ASN.1, and holds the byte buffers for it. It imports {@code exception} and {@code internal.format}.
 */
@NullMarked
package org.signetmq.envelope.internal.der;

import org.jspecify.annotations.NullMarked;
