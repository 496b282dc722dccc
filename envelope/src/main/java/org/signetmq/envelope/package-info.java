/* SPDX-License-Identifier: Apache-2.0 */
/** Seals and opens messages: the entry points and the descriptions of envelopes. */
@NullMarked
package org.signetmq.envelope;

import org.jspecify.annotations.NullMarked;
