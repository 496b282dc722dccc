/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Seals and opens messages: the entry points and the descriptions of envelopes. It imports all packages below it; none
 * of them imports this one.
 */
@NullMarked
package org.signetmq.envelope;

import org.jspecify.annotations.NullMarked;
