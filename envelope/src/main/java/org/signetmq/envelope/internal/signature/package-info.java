/* SPDX-License-Identifier: Apache-2.0 */
/** Signers: makes signatures and verifies them. */
@NullMarked
package org.signetmq.envelope.internal.signature;

import org.jspecify.annotations.NullMarked;
