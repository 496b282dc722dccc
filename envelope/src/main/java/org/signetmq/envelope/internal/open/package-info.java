/* SPDX-License-Identifier: Apache-2.0 */
/** Opens: finds data keys, decrypts, verifies, and joins segments. */
@NullMarked
package org.signetmq.envelope.internal.open;

import org.jspecify.annotations.NullMarked;
