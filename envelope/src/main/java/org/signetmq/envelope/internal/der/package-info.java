/* SPDX-License-Identifier: Apache-2.0 */
/** Reads and writes ASN.1, and holds the byte buffers for it. */
@NullMarked
package org.signetmq.envelope.internal.der;

import org.jspecify.annotations.NullMarked;
