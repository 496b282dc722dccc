/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Signers: makes signatures and verifies them. It imports {@code internal.codec}, {@code internal.cms} and packages
 * below them.
 */
@NullMarked
package org.signetmq.envelope.internal.signature;

import org.jspecify.annotations.NullMarked;
