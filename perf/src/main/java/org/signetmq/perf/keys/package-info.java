/* SPDX-License-Identifier: Apache-2.0 */
/** Data keys that are remembered, and that a token opens. */
@NullMarked
package org.signetmq.perf.keys;

import org.jspecify.annotations.NullMarked;
