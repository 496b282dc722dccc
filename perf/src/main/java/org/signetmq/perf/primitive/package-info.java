/* SPDX-License-Identifier: Apache-2.0 */
/** The bare primitives inside Signet: the least that protection can cost. Imports result and variant. */
@NullMarked
package org.signetmq.perf.primitive;

import org.jspecify.annotations.NullMarked;
