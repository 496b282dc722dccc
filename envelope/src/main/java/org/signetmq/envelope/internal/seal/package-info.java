/* SPDX-License-Identifier: Apache-2.0 */
/** Seals: plans for policies, data keys, and the making of envelopes. */
@NullMarked
package org.signetmq.envelope.internal.seal;

import org.jspecify.annotations.NullMarked;
